"""Follow the perturbed leader of Kalai and Vempala (2005): ftpl.py ROUNDS

Plays the action of the least L_k - Z_k / eta, with Z_k exponential, drawn anew in every round, and
eta = sqrt(ln K / T): with exponential noise the law of the choice is close to Hedge's."""
import sys

import numpy as np
import player


class Perturbed:
    def __init__(self, actions, rounds, dice):
        self.totals = np.zeros(actions)
        self.scale = np.sqrt(rounds / np.log(actions))
        self.noise = np.random.default_rng(dice.getrandbits(64))

    def weights(self):
        best = np.argmin(self.totals - self.scale * self.noise.exponential(size=len(self.totals)))
        return np.arange(len(self.totals)) == best

    def learn(self, losses, own):
        self.totals += losses


if __name__ == "__main__":
    player.play(lambda actions, dice: Perturbed(actions, int(sys.argv[1]), dice), mixes=False)
