"""BOA (Wintenberger 2017) with a rate for each expert, as the package opera tunes it: boa.py

The regret r_k of a round is the mixture's loss less that of k; V_k = 2.2 sum r_k^2 and eta_k = 1 / sqrt(V_k). The weight of k
is proportional to eta_k exp(eta_k S_k), S_k being the sum of r_k - eta_k r_k^2 with the rate of each round's end. An expert
whose regrets were all 0 so far keeps its share 1/K."""
import numpy as np
import player


class Boa:
    def __init__(self, actions):
        self.sums, self.variances = np.zeros(actions), np.zeros(actions)
        self.now = np.full(actions, 1 / actions)

    def weights(self):
        count = len(self.sums)
        w = np.full(count, 1 / count)
        known = self.variances > 0
        if known.any():
            eta = 1 / np.sqrt(self.variances[known])
            logs = np.log(eta) + eta * self.sums[known]
            part = np.exp(logs - logs.max())
            w[known] = known.sum() / count * part / part.sum()
        self.now = w
        return w

    def learn(self, losses, own):
        losses = np.asarray(losses)
        r = self.now @ losses - losses
        self.variances += 2.2 * r * r
        known = self.variances > 0
        self.sums[known] += r[known] - r[known] ** 2 / np.sqrt(self.variances[known])


if __name__ == "__main__":
    player.play(lambda actions, dice: Boa(actions))
