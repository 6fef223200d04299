"""The learners as plain NumPy loops: vectorised over the K experts, a Python loop over the T rounds.

Reads one line {"file": losses.npy, "learner": name, "times": n} and answers with one line: the least processor
seconds of n runs, from np.load to the last round, and the total loss. Each loop does what the learner needs and no more: no
ledger, no certificate. Perturbed ones draw fresh Laplace noise on the bits of the expert's number every round,
all T rounds of it in one call beforehand, which is the fastest way NumPy has.
"""
import json
import math
import sys
import time

import numpy as np

PHI, A = 2.37, 1.243


def bits(experts):
    """The perturbation matrix: a row per expert, the bits of its number."""
    columns = max(1, math.ceil(math.log2(experts)))
    return ((np.arange(experts)[:, None] >> np.arange(columns - 1, -1, -1)) & 1).astype(float)


def noise_of(rounds, experts):
    code = bits(experts)
    draws = np.random.default_rng(0).laplace(size=(rounds, code.shape[1]))
    return code.T.copy(), draws


def noise_size(code):
    draws = np.random.default_rng(1).laplace(size=(2000, code.shape[0]))
    return float((draws @ code).max(axis=1).mean())


def leader(losses):
    totals = np.zeros(losses.shape[1])
    total = 0.0
    for y in losses:
        total += y[totals.argmin()]
        totals += y
    return total


def gftpl(losses):
    code, draws = noise_of(*losses.shape)
    gamma = code.shape[0]
    totals = np.zeros(losses.shape[1])
    total = 0.0
    for y, alpha in zip(losses, draws):
        scale = max(gamma, math.sqrt(totals.min() + 1))  # 1/eta
        total += y[(totals + scale * (alpha @ code)).argmin()]
        totals += y
    return total


def ada(losses):
    code, draws = noise_of(*losses.shape)
    size = noise_size(code)
    totals = np.zeros(losses.shape[1])
    total = stability = 0.0
    for y, alpha in zip(losses, draws):
        noise = (stability / size) * (alpha @ code)
        loss = y[(totals + noise).argmin()]
        totals += y
        stability += loss - y[(totals + noise).argmin()]
        total += loss
    return total


def flipflop(losses):
    code, draws = noise_of(*losses.shape)
    size = noise_size(code)
    totals = np.zeros(losses.shape[1])
    total = flip = flop = best = 0.0
    flipping = True
    for y, alpha in zip(losses, draws):
        if flipping:
            loss = y[totals.argmin()]
            totals += y
            new = totals.min()
            flip += loss + best - new
            best = new
            flipping = flip <= PHI / A * flop
        else:
            noise = (flop / size) * (alpha @ code)
            loss = y[(totals + noise).argmin()]
            totals += y
            flop += loss - y[(totals + noise).argmin()]
            flipping = flop > A * flip
            best = totals.min()
        total += loss
    return total


def mixture(losses, rate, charge):
    """Exponential weights: `rate` gives eta, `charge` takes expected minus mix loss."""
    totals = np.zeros(losses.shape[1])
    total = best = 0.0
    for y in losses:
        eta = rate()
        if math.isinf(eta):
            weights = (totals <= best + 1e-9).astype(float)
            spread = weights.sum()
            expected = (weights @ y) / spread
            totals += y
            new = totals.min()
            mix = new - best
        else:
            weights = np.exp(-eta * (totals - best))
            spread = weights.sum()
            expected = (weights @ y) / spread
            totals += y
            new = totals.min()
            mix = new - best - math.log(np.exp(-eta * (totals - new)).sum() / spread) / eta
        best = new
        charge(max(0.0, expected - mix))
        total += expected
    return total


def adahedge(losses):
    log_size = math.log(losses.shape[1])
    gap = 0.0

    def rate():
        return log_size / gap if gap > 0 else math.inf

    def charge(cost):
        nonlocal gap
        gap += cost

    return mixture(losses, rate, charge)


def flipflop_hedge(losses):
    log_size = math.log(losses.shape[1])
    flip = flop = 0.0
    flopping = False

    def rate():
        return log_size / flop if flopping and flop > 0 else math.inf

    def charge(cost):
        nonlocal flip, flop, flopping
        if flopping:
            flop += cost
            flopping = flop <= A * flip + 1e-9
        else:
            flip += cost
            flopping = flip > PHI / A * flop + 1e-9

    return mixture(losses, rate, charge)


LOOPS = {"read": lambda losses: float(losses[0, 0]), "leader": leader, "gftpl": gftpl, "ada": ada, "flipflop": flipflop, "adahedge": adahedge, "flipflop-hedge": flipflop_hedge}


def main():
    asked = json.loads(sys.stdin.readline())
    loop = LOOPS[asked["learner"]]
    seconds = math.inf
    for _ in range(asked["times"]):
        start = time.process_time()
        total = loop(np.load(asked["file"]))
        seconds = min(seconds, time.process_time() - start)
    noisy = asked["learner"] in ("gftpl", "ada", "flipflop")
    print(json.dumps({"seconds": seconds, "total": float(total), "noisy": noisy}), flush=True)


if __name__ == "__main__":
    main()
