"""One learner of every kind that the service plays, with outcomes for it: for tests that treat all kinds alike."""
import dataclasses
import random
import typing

COUNTRIES, SITES = ("de", "fr", "pl"), ("a.com", "b.com")


def numbers(count):
    return lambda draw: [draw.randrange(65) / 64 for _ in range(count)]


def buyers(draw):
    return [{"bundle": sorted(draw.sample((0, 1), draw.choice((1, 2)))), "value": draw.randrange(65) / 64}]


def some_asleep(draw):
    losses = numbers(4)(draw)
    losses[draw.randrange(4)] = None
    return losses


@dataclasses.dataclass
class Kind:
    problem: dict
    learner: dict
    outcome: typing.Callable  # of a generator of random numbers
    columns: bool = False     # every outcome has a context
    late: bool = False        # decisions are made by POST, and outcomes come in any order
    limited: bool = False     # searches end early: the verifier takes choices on trust, and says so
    known: bool = True        # a decision is known before its round: it depends on the log alone

    @property
    def body(self):
        return {"problem": self.problem, "learner": self.learner}

    def told(self, draw):
        """The fields of an outcome, but for its id."""
        fields = {"outcome": self.outcome(draw)}
        if self.columns:
            fields["context"] = [draw.choice(COUNTRIES), draw.choice(SITES)]
        return fields


def problem(kind, **params):
    return {"kind": kind, "params": params}


learner = problem
RESERVES = problem("vcg-reserves", bidders=2, levels=6)
EXPERTS = problem("experts", experts=3)
ROADS = problem("routing", edges=[["s", "a"], ["s", "b"], ["a", "t"], ["b", "t"], ["a", "b"]], source="s", target="t")

KINDS = {
    "flipflop": Kind(RESERVES, learner("flipflop", track="powers"), numbers(2)),
    "gftpl-in-money": Kind(problem("vcg-reserves", prices=[[0, 1, 2, 4], [0, 1, 3]], cap=5), learner("gftpl", seed=3),
                           lambda draw: [draw.randrange(11) / 2 for _ in range(2)]),
    "off": Kind(EXPERTS, learner("off", seed=2), numbers(3)),
    "leader-of-prices": Kind(problem("item-pricing", items=2, levels=6), learner("leader"), buyers),
    "fpl-on-roads": Kind(ROADS, learner("fpl", seed=1), numbers(5)),
    "fake-data": Kind(problem("finite-game", losses=[[0, 1, 0.5], [1, 0, 0.25]]), learner("fake-data", rounds=100000),
                      lambda draw: draw.randrange(3)),
    "uniform-gftpl": Kind(RESERVES, learner("uniform-gftpl", rounds=100000), numbers(2)),
    "discounted": Kind(problem("experts", experts=3, range="unknown"), learner("ada", discount=0.99),
                       lambda draw: [draw.randrange(-64, 65) / 4 for _ in range(3)]),
    "mixture": Kind(EXPERTS, learner("adahedge", seed=5), numbers(3)),
    "asleep": Kind(problem("experts", experts=4, missing="sleep"), learner("adanormalhedge"), some_asleep, known=False),
    "by-context": Kind(RESERVES, learner("flipflop", by=["country", "site"], track="powers"), numbers(2), columns=True,
                       known=False),
    "late": Kind(EXPERTS, learner("ada", delayed=True, seed=1), numbers(3), late=True),
    # Its searches end at the limit, and its report has a gap. Outcomes of few kinds, so that a round does not cost more
    # and more.
    "limited-search": Kind(problem("vcg-reserves", bidders=6, levels=8, units=2), learner("flipflop", oracle="branch_bound:4"),
                           lambda draw: numbers(6)(random.Random(draw.randrange(24))), limited=True),
}
