"""Hedge with the rate that is best for the worst case: hedge.py ROUNDS

w_k is proportional to exp(-eta L_k) with eta = sqrt(8 ln K / T). Regret at most sqrt(T ln K / 2)."""
import sys

import numpy as np
import player


class Hedge:
    def __init__(self, actions, rounds):
        self.totals = np.zeros(actions)
        self.eta = np.sqrt(8 * np.log(actions) / rounds)

    def weights(self):
        w = np.exp(-self.eta * (self.totals - self.totals.min()))
        return w / w.sum()

    def learn(self, losses, own):
        self.totals += losses


if __name__ == "__main__":
    player.play(lambda actions, dice: Hedge(actions, int(sys.argv[1])))
