"""The ten tasks of the arena: what is played, for how many rounds, what is seen, and what an action loses.

A task has a *problem* as the pipe of docs/pipe.md describes it, for players who know it, and the same game *listed*: its
actions by number, an outcome being the list of their losses. The losses are computed here, from the rules on the pages of
docs/problems, by no code of the program."""
import hashlib
import itertools
import json

import logs
import streams

ROUNDS = 4000
LEVELS, BIDDERS = 8, 3  # of reserves
SIDE = 5  # crossings of a side, of routes


class Task:
    """`outcomes(run, rounds, folder)` gives outcomes of the problem; `actions` is None where they are listed already."""

    def __init__(self, name, about, outcomes, *, kind="experts", params=None, actions=None, loss=None, seen="all", rounds=ROUNDS,
                 digest=None):
        self.name, self.about, self.outcomes, self.kind, self.params = name, about, outcomes, kind, params
        self.actions, self.loss, self.seen, self.rounds, self.digest = actions, loss, seen, rounds, digest
        self.from_log = digest is None

    def problem(self, count):
        """What the problem is, for its own players; an experts problem of `count` actions otherwise."""
        return (self.kind, self.params) if self.actions else ("experts", {"experts": count})

    def losses(self, outcome):
        return [self.loss(action, outcome) for action in self.actions] if self.actions else outcome


def reserve_loss(action, bids):
    """docs/problems/vcg-reserves.md, eager: bidders below their reserves leave; of the rest the highest bid wins (the first
    of equals) and pays the second highest or its reserve, whichever is more."""
    stay = [i for i, bid in enumerate(bids) if bid >= action[i] / LEVELS]
    if not stay:
        return 1.0
    winner = max(stay, key=lambda i: (bids[i], -i))
    return 1.0 - max([action[winner] / LEVELS] + [bids[i] for i in stay if i != winner])


def grid_links():
    """Links of a grid, each to the right or down, as pairs of crossings numbered row by row."""
    return [(r * SIDE + c, r * SIDE + c + step) for r in range(SIDE) for c in range(SIDE)
            for step, inside in ((1, c + 1 < SIDE), (SIDE, r + 1 < SIDE)) if inside]


def grid_paths(links):
    """All ways from the first crossing to the last, as lists of links."""
    number = {link: e for e, link in enumerate(links)}
    paths = []
    for rights in itertools.combinations(range(2 * SIDE - 2), SIDE - 1):
        at, path = 0, []
        for step in range(2 * SIDE - 2):
            there = at + (1 if step in rights else SIDE)
            path.append(number[at, there])
            at = there
        paths.append(path)
    return sorted(paths)


def path_loss(path, costs):
    """docs/problems/routing.md: the summed cost over the largest number of links."""
    return sum(costs[e] for e in path) / (2 * SIDE - 2)


def made(stream, *more):
    return lambda run, rounds, folder: stream(run, rounds, *more)


def logged(loader):
    return lambda run, rounds, folder: loader(folder)[:rounds]


LINKS = grid_links()
TASKS = [
    Task("iid", "64 experts, one of them errs 0.1 less often", made(streams.iid), digest="df61394bc0b5dc9a"),
    Task("small-loss", "64 experts, one of them errs 10 times", made(streams.small_loss), digest="06a114ad76457c89"),
    Task("hostile", "2 experts, made so that the leader always errs", made(streams.hostile), digest="5707fbf91ceb5789"),
    Task("drift", "8 experts, the best one changes 7 times", made(streams.drift), digest="d2505346196fa7df"),
    Task("reserves", "reserve prices of 3 bidders, 8 levels: 512 actions", made(streams.bids), kind="vcg-reserves",
         params={"bidders": BIDDERS, "levels": LEVELS}, actions=list(itertools.product(range(1, LEVELS + 1), repeat=BIDDERS)),
         loss=reserve_loss, digest="8f8454bfc1d00492"),
    Task("routes", "70 ways through a grid of 40 links whose costs change 3 times", made(streams.link_costs, len(LINKS)),
         kind="routing", params={"edges": LINKS, "source": 0, "target": SIDE * SIDE - 1}, actions=grid_paths(LINKS),
         loss=path_loss, digest="c92cdc3579726f71"),
    Task("own", "10 arms; a player sees its own loss only", made(streams.arms), seen="own", digest="269ef804a6388f41"),
    Task("football", "5 bookmakers, half the Brier score, 5 seasons", logged(logs.football)),
    Task("relays", "23 ways between two computers, round-trip times", logged(logs.relays)),
    Task("load", "3 forecasts of the electricity load, 112 weeks", logged(logs.load)),
]


def digest_of(task):
    """Of the first two runs of a stream, so that all who play have the same data."""
    text = json.dumps([task.outcomes(run, task.rounds, None) for run in (0, 1)], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
