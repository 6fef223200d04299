"""ML-Poly (Gaillard, Stoltz, van Erven 2014) with the rates of the package opera: mlpol.py

The regret r_k of a round is the mixture's loss less that of k. The weight of k is proportional to
[sum r_k]+ / (sum r_k^2); equal weights where no regret is above 0. Nothing has to be tuned."""
import numpy as np
import player


class Polynomial:
    def __init__(self, actions):
        self.regrets, self.squares = np.zeros(actions), np.zeros(actions)
        self.now = np.full(actions, 1 / actions)

    def weights(self):
        ahead = self.regrets > 0  # then its squares are above 0 too
        w = np.zeros(len(ahead))
        w[ahead] = self.regrets[ahead] / self.squares[ahead]
        self.now = w / w.sum() if ahead.any() else np.full(len(ahead), 1 / len(ahead))
        return self.now

    def learn(self, losses, own):
        losses = np.asarray(losses)
        r = self.now @ losses - losses
        self.regrets += r
        self.squares += r * r


if __name__ == "__main__":
    player.play(lambda actions, dice: Polynomial(actions))
