"""MLpol of the R package opera, squared loss with its gradient trick, as a NumPy loop: a table read, combined and written.

Reads one line {"table": PATH, "rows": n, "out": PATH, "times": m} and answers with one line: the least processor seconds of m
runs over the first n rows of the table (a column of numbers, the actual, then a column for each model), and the mean squared
error of what was published.

    w_k ~ eta_k max(R_k, 0), uniform while no R_k is above 0
    r_k = 2 (p - y) (p - x_k);   R += r;   B' = max(B, max r^2);   1/eta_k += r_k^2 + B' - B
"""
import json
import math
import sys
import time

import numpy as np


def combine(said, actual):
    """What is published for each row."""
    rows, models = said.shape
    published = np.empty(rows)
    regrets, inverse, largest = np.zeros(models), np.zeros(models), 0.0
    weights = np.full(models, 1.0 / models)
    for t in range(rows):
        x = said[t]
        p = float(weights @ x)
        published[t] = p
        r = 2 * (p - actual[t]) * (p - x)
        regrets += r
        squares = r * r
        most = max(largest, float(squares.max()))
        inverse += squares + (most - largest)
        largest = most
        ahead = np.maximum(regrets, 0.0) / np.maximum(inverse, 1e-300)
        total = ahead.sum()
        weights = ahead / total if total > 0 else np.full(models, 1.0 / models)
    return published


def main():
    asked = json.loads(sys.stdin.readline())
    seconds = math.inf
    for _ in range(asked["times"]):
        start = time.process_time()
        table = np.loadtxt(asked["table"], delimiter=",", skiprows=1, max_rows=asked["rows"])
        published = combine(table[:, 2:], table[:, 1])
        np.savetxt(asked["out"], np.column_stack([table[:, 0], published, table[:, 1]]), delimiter=",", fmt="%.12g")
        seconds = min(seconds, time.process_time() - start)
    print(json.dumps({"seconds": seconds, "mean_square": float(((published - table[:, 1]) ** 2).mean())}), flush=True)


if __name__ == "__main__":
    main()
