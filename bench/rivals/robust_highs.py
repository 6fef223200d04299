"""Robust decisions by linear programmes over all of the game at once (SciPy's HiGHS): the rival of `hannan solve`.

Reads a line of JSON and answers with one: {"make": file, "actions": K, "scenarios": n} writes losses, a row a scenario;
{"matrix": file} solves min v, v >= (p F)_g; {"routes": m, "budget": B, "base": [...]} solves the flow programme of a grid of
m by m crossings: the worst B of the edges of a unit flow x cost min B t + sum s, t + s_e >= rise_e x_e.
"""
import json
import sys
import time

import numpy as np


def solve_matrix(losses):
    from scipy.optimize import linprog

    n, actions = losses.shape
    begin = time.process_time()
    found = linprog(np.r_[np.zeros(actions), 1.0], A_ub=np.c_[losses, -np.ones(n)], b_ub=np.zeros(n),
                    A_eq=np.r_[np.ones(actions), 0.0][None, :], b_eq=[1.0],
                    bounds=[(0, None)] * actions + [(None, None)], method="highs")
    return found.fun, time.process_time() - begin


def solve_routes(m, budget, base):
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix, csr_matrix, eye, hstack

    edges = [(i * m + j, i * m + j + step) for i in range(m) for j in range(m)
             for step in ([1] if j + 1 < m else []) + ([m] if i + 1 < m else [])]
    count, base = len(edges), np.array(base)
    rise = 1 - base
    begin = time.process_time()
    rows, columns, signs = [], [], []
    for e, (tail, head) in enumerate(edges):
        rows += [tail, head]
        columns += [e, e]
        signs += [1.0, -1.0]
    flow = coo_matrix((signs, (rows, columns)), shape=(m * m, count)).tocsr()
    supply = np.zeros(m * m)
    supply[0], supply[-1] = 1, -1
    limits = hstack([csr_matrix((rise, (range(count), range(count)))), csr_matrix(-np.ones((count, 1))), -eye(count)])
    found = linprog(np.r_[base, budget, np.ones(count)], A_ub=limits, b_ub=np.zeros(count),
                    A_eq=hstack([flow, csr_matrix((m * m, count + 1))]), b_eq=supply, method="highs")
    return found.fun / (2 * m - 2), time.process_time() - begin


def main():
    asked = json.loads(sys.stdin.readline())
    if "make" in asked:
        rng = np.random.default_rng(7)
        np.save(asked["make"], rng.random((asked["scenarios"], asked["actions"])))
        print(json.dumps({"made": True}))
        return
    try:
        if "matrix" in asked:
            value, seconds = solve_matrix(np.load(asked["matrix"]))
        else:
            value, seconds = solve_routes(asked["routes"], asked["budget"], asked["base"])
    except ImportError:
        print(json.dumps({"error": "SciPy is not installed"}))
        return
    print(json.dumps({"value": value, "seconds": seconds}))


if __name__ == "__main__":
    main()
