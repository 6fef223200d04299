"""Mixture and share of a portfolio as a NumPy loop, by the formulas of docs/theory-portfolio.md.

Reads one line {"strategies": K, "deck": n, "rounds": T, "times": m} and answers with one line: the least processor seconds of m
runs over T rounds, and the total loss. The losses are those of bench/portfolio_race.cpp; risk 4, largest difference 1.
"""
import json
import math
import sys
import time

import numpy as np

KAPPA = 4 * math.log(2) - 2
RISK, LARGEST = 4.0, 1.0


def losses(deck, strategies):
    i, k = np.arange(deck, dtype=np.int64)[:, None], np.arange(strategies, dtype=np.int64)[None, :]
    return ((i * 7919 + k * 104729 + i * k * 31) % (1 << 20) + 0.5) / (1 << 20)


def play(rows, rounds):
    strategies = rows.shape[1]
    money = RISK / ((np.arange(32) + 1.0) * (np.arange(32) + 2.0))
    money[31] = RISK / 32
    rho = 2.0 ** -np.arange(32) / (2 * max(LARGEST, RISK / 4))
    squares = KAPPA * rho * rho
    totals, gap, x, v, total = np.zeros(strategies), 0.0, 0.0, 0.0, 0.0
    for t in range(rounds):
        row = rows[t % len(rows)]
        best = totals.min()
        if gap > 1e-9:
            eta = math.log(strategies) / gap
            powers = np.exp(-eta * (totals - best))
            weights, spread = powers / powers.sum(), powers.sum()
        else:
            eta = math.inf
            leaders = totals <= best + 1e-9
            weights, spread = leaders / leaders.sum(), 1.0
        stake = float((rho * money * np.exp(rho * x - squares * v)).sum())
        share = min(1.0, stake)
        mean = float(weights @ row)
        d = row[0] - mean
        total += row[0] - share * d
        x += d / max(1.0, stake)
        v += (d / max(1.0, stake)) ** 2
        totals = totals + row
        now = totals.min()
        mix = now - best
        if eta < math.inf:
            mix -= (math.log(np.exp(-eta * (totals - now)).sum()) - math.log(spread)) / eta
        gap += max(0.0, mean - mix)
    return total


def main():
    asked = json.loads(sys.stdin.readline())
    rows = losses(asked["deck"], asked["strategies"])
    seconds = math.inf
    for _ in range(asked["times"]):
        start = time.process_time()
        total = play(rows, asked["rounds"])
        seconds = min(seconds, time.process_time() - start)
    print(json.dumps({"seconds": seconds, "total": float(total)}), flush=True)


if __name__ == "__main__":
    main()
