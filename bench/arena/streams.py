"""The streams of the arena: outcomes that are made, the same on every machine.

Each function is given the number of a run and of rounds and returns a list of outcomes. Numbers come from Python's own
generator, seeded by a text, and are rounded, so that the digests in tasks.py hold everywhere."""
import math
import random


def seeded(name, run):
    return random.Random(f"hannan arena {name} {run}")


def coins(dice, chances):
    return [1 if dice.random() < p else 0 for p in chances]


def iid(run, rounds, experts=64, gap=0.1):
    """Each expert errs with chance 1/2, one of them with 1/2 - gap."""
    dice = seeded("iid", run)
    best = dice.randrange(experts)
    chances = [0.5 - gap * (k == best) for k in range(experts)]
    return [coins(dice, chances) for _ in range(rounds)]


def small_loss(run, rounds, experts=64, errors=10):
    """One expert errs in `errors` rounds drawn at random, the others with chance 1/2."""
    dice = seeded("small-loss", run)
    best = dice.randrange(experts)
    wrong = set(dice.sample(range(rounds), min(errors, rounds)))
    return [[(t in wrong) * 1 if k == best else int(dice.random() < 0.5) for k in range(experts)] for t in range(rounds)]


def hostile(run, rounds):
    """Two experts: half a loss for the first, then each errs in turn, so that the leader always errs. All runs are alike."""
    return [[0.5, 0]] + [[t % 2, 1 - t % 2] for t in range(rounds - 1)]


def drift(run, rounds, experts=8, stretches=8):
    """The expert who errs least, with chance 0.3 and not 0.5, is drawn anew for each stretch of rounds."""
    dice = seeded("drift", run)
    outcomes = []
    for stretch in range(stretches):
        best = dice.randrange(experts)
        length = rounds * (stretch + 1) // stretches - rounds * stretch // stretches
        outcomes += [coins(dice, [0.3 if k == best else 0.5 for k in range(experts)]) for _ in range(length)]
    return outcomes


def bids(run, rounds, bidders=3):
    """Lognormal bids, of another median for each bidder, cut off at 1."""
    dice = seeded("reserves", run)
    medians = [0.25 + 0.1 * i for i in range(bidders)]
    return [[round(min(1.0, m * math.exp(0.5 * dice.gauss(0, 1))), 3) for m in medians] for _ in range(rounds)]


def link_costs(run, rounds, links, stretches=4):
    """Costs in [0,1] with a mean of each link that is drawn anew for each stretch of rounds."""
    dice = seeded("routes", run)
    outcomes = []
    for stretch in range(stretches):
        means = [0.2 + 0.6 * dice.random() for _ in range(links)]
        length = rounds * (stretch + 1) // stretches - rounds * stretch // stretches
        outcomes += [[round(min(1.0, 2 * m * dice.random()), 3) for m in means] for _ in range(length)]
    return outcomes


def arms(run, rounds, experts=10, gap=0.2):
    """As iid, for players who see their own loss only."""
    dice = seeded("own", run)
    best = dice.randrange(experts)
    return [coins(dice, [0.5 - gap * (k == best) for k in range(experts)]) for _ in range(rounds)]
