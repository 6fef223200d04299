"""Hedge over every vector of reserves for one unit, in NumPy.

Reads one line {"bids": T x n, "levels": m, "way": "listed" or "broadcast"} and answers with the processor seconds of
the loop and the total expected loss. The rate is sqrt(8 ln K / t).

listed     the K = m^n vectors as one array of n rows, every operation over all of them
broadcast  the revenue built up bidder by bidder on the grid m x m x ..., so that only the last step has K numbers
"""
import json
import math
import sys
import time

import numpy as np

REACHED = 1e-9  # a bid on the grid reaches its reserve


def listed(n, m):
    grid = np.arange(1, m + 1) / m
    reserves = np.stack([axis.ravel() for axis in np.meshgrid(*[grid] * n, indexing="ij")])
    everyone = np.arange(m ** n)

    def revenue(bids):
        staying = np.where(bids[:, None] >= reserves - REACHED, bids[:, None], 0.0)
        winner = staying.argmax(axis=0)
        sold = staying.max(axis=0) > 0
        staying[winner, everyone] = 0.0
        return np.where(sold, np.maximum(staying.max(axis=0), reserves[winner, everyone]), 0.0)

    return revenue


def broadcast(n, m):
    grid = np.arange(1, m + 1) / m

    def revenue(bids):
        # With one unit the price is the larger of the greatest reserve and the second bid among those who stay.
        greatest = first = second = np.zeros(())
        for bid in bids:
            stays = grid <= bid + REACHED
            value = np.where(stays, bid, 0.0)
            greatest = np.maximum(greatest[..., None], np.where(stays, grid, 0.0))
            second = np.maximum(second[..., None], np.minimum(first[..., None], value))
            first = np.maximum(first[..., None], value)
        return np.maximum(greatest, second).ravel()

    return revenue


def main():
    asked = json.loads(sys.stdin.readline())
    bids = np.array(asked["bids"])
    n, m = bids.shape[1], asked["levels"]
    revenue = {"listed": listed, "broadcast": broadcast}[asked["way"]](n, m)
    totals = np.zeros(m ** n)
    log_size = n * math.log(m)
    total = 0.0
    start = time.process_time()
    for t, profile in enumerate(bids, 1):
        weights = np.exp(-math.sqrt(8 * log_size / t) * (totals - totals.min()))
        losses = 1 - revenue(profile)
        total += (weights @ losses) / weights.sum()
        totals += losses
    print(json.dumps({"seconds": time.process_time() - start, "total": float(total)}), flush=True)


if __name__ == "__main__":
    main()
