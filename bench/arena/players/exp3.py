"""Exp3 (Auer and others 2002), from its own losses alone: exp3.py ROUNDS

Exponential weights of estimated losses, l / p for the action that was played and 0 for all others, with
eta = sqrt(2 ln K / (T K)) (Bubeck and Cesa-Bianchi 2012, theorem 3.1). Where all losses are shown it uses its own only."""
import sys

import numpy as np
import player


class Exp3:
    def __init__(self, actions, rounds, dice):
        self.estimates = np.zeros(actions)
        self.eta = np.sqrt(2 * np.log(actions) / (rounds * actions))
        self.dice, self.action, self.chance = dice, 0, 1.0

    def weights(self):
        w = np.exp(-self.eta * (self.estimates - self.estimates.min()))
        w /= w.sum()
        self.action = player.draw(w, self.dice)
        self.chance = w[self.action]
        return np.arange(len(w)) == self.action

    def learn(self, losses, own):
        self.estimates[self.action] += own / self.chance


if __name__ == "__main__":
    player.play(lambda actions, dice: Exp3(actions, int(sys.argv[1]), dice), mixes=False)
