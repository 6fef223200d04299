"""Bandits over a list in NumPy: Exp3-IX (eta = sqrt(ln K/(K t)), gamma = eta/2; Neu 2015) and Tsallis-INF (power 1/2,
eta = 2/sqrt(t), plain importance weights; Zimmert, Seldin 2021).

Reads one line {"arms": K, "deck": n, "rounds": T, "rule": "exp3-ix" or "tsallis-inf"} and answers with one line: processor
seconds, and the regret of the run. The losses are those of bench/part_race.cpp.
"""
import json
import math
import sys
import time

import numpy as np


def losses(deck, arms):
    i, k = np.arange(deck, dtype=np.uint64)[:, None], np.arange(arms, dtype=np.uint64)[None, :]
    x = (i * np.uint64(2654435761) + k * np.uint64(40503) + np.uint64(12345)) % np.uint64(1 << 32)
    x = (x ^ (x >> np.uint64(15))) * np.uint64(2246822519) % np.uint64(1 << 32)
    x ^= x >> np.uint64(13)
    return (x % np.uint64(1000) < np.where(k == 0, 300, 500).astype(np.uint64)).astype(float)


def exp3_ix(rows, rounds, draw):
    arms, total = rows.shape[1], 0.0
    estimates = np.zeros(arms)
    for t in range(rounds):
        eta = math.sqrt(math.log(arms) / (arms * (t + 1)))
        weights = np.exp(-eta * (estimates - estimates.min()))
        chances = weights / weights.sum()
        arm = min(int(np.searchsorted(np.cumsum(chances), draw[t])), arms - 1)
        loss = rows[t % len(rows), arm]
        total += loss
        estimates[arm] += loss / (chances[arm] + eta / 2)
    return total


def tsallis_inf(rows, rounds, draw):
    arms, total = rows.shape[1], 0.0
    estimates = np.zeros(arms)
    for t in range(rounds):
        eta = 2 / math.sqrt(t + 1)
        x = estimates.min() - 2 / eta  # the largest weight is 1 there: Newton falls to the root from above
        for _ in range(100):
            weights = 4 / (eta * (estimates - x)) ** 2
            step = (weights.sum() - 1) / (eta * (weights ** 1.5).sum())
            x -= step
            if abs(step) < 1e-12:
                break
        chances = weights / weights.sum()
        arm = min(int(np.searchsorted(np.cumsum(chances), draw[t])), arms - 1)
        loss = rows[t % len(rows), arm]
        total += loss
        estimates[arm] += loss / chances[arm]
    return total


def main():
    asked = json.loads(sys.stdin.readline())
    rows, rounds = losses(asked["deck"], asked["arms"]), asked["rounds"]
    draw = np.random.default_rng(5).random(rounds)
    start = time.process_time()
    total = {"exp3-ix": exp3_ix, "tsallis-inf": tsallis_inf}[asked["rule"]](rows, rounds, draw)
    seconds = time.process_time() - start
    best = rows[np.arange(rounds) % len(rows)].sum(axis=0).min()
    print(json.dumps({"seconds": seconds, "regret": float(total - best)}), flush=True)


if __name__ == "__main__":
    main()
