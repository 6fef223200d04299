"""Replays the auction test vectors through `hannan pipe`: auction_vectors.py BINARY FOLDER."""
import itertools
import json
import pathlib
import sys
from fractions import Fraction

from core_vectors import Check
from pipe_client import Pipe, number

KINDS = {"vcg": "vcg-reserves", "pricing": "item-pricing", "multiunit": "multi-unit",
         "secondprice": "second-price-bidding", "level": "level-auction"}
CODES = {"binary": "bits", "thermo": "thermometer", "onehot": "one-hot", "direct": "direct"}


def params_of(problem, p):
    if problem == "vcg":
        return {"bidders": p["n"], "levels": p["m"], "units": p["s"], "rule": "eager"}
    if problem == "pricing":
        return {"items": p["k"], "levels": p["m"], "buyers": p["n"], "demand": p["demand"]}
    if problem == "multiunit":
        return {"bidders": p["n"], "units": p["h"], "range": "bundles"}
    if problem == "secondprice":
        return {"items": p["h"], "levels": p["m"], "valuation": p["v"]}
    return {"bidders": p["n"], "levels": p["m"], "thresholds": p["s"]}


def outcome_of(problem, p, y):
    """Multi-unit valuations are listed by size; the pipe takes them as steps."""
    if problem != "multiunit":
        return y
    return [[[size, value] for size, value in zip(p["sizes"], values)] for values in y]


class Session:
    def __init__(self, pipe, problem, p):
        self.pipe, self.problem, self.p = pipe, problem, p
        self.facts = pipe.ask("problem", **{"as": "p", "kind": KINDS[problem], "params": params_of(problem, p)})
        self.R = number(p["R"])

    def actions(self):
        answer = self.pipe.ask("actions", of="p", limit=100000)
        assert answer["complete"]
        return answer["actions"]

    def outcome(self, y):
        return outcome_of(self.problem, self.p, y)

    def loss(self, action, y):
        return self.pipe.ask("loss", of="p", action=action, outcome=self.outcome(y))

    def row(self, code, action):
        return self.pipe.ask("row", of="p", perturbation=CODES[code], action=action)["row"]


def reward(check, session, vector):
    check.near("normaliser", session.facts["normaliser"], vector["params"]["R"])
    for i, case in enumerate(vector["cases"]):
        found = session.loss(case["action"], case["outcome"])
        check.near(f"raw {i}", found["raw"], case["raw"], 1e-12)
        check.near(f"reward {i}", found["reward"], case["reward"], 1e-12)


def actions(check, session, vector):
    check.same("count", session.facts["actions"], vector["count"])
    if vector["actions"] is not None:
        check.same("actions", session.actions(), vector["actions"])


def ptm(check, session, vector):
    for action, row in zip(vector["actions"], vector["rows"]):
        check.near(f"row of {action}", session.row(vector.get("code", "direct"), action), row, 1e-12)


def implement(check, session, vector):
    code, sign, p = vector["code"], vector["sign"], session.p
    column = vector["column"]
    if isinstance(column, list):  # level auction, direct: bidder, threshold, k, all from 1
        i, j, k = column
        width = p["m"] - p["s"] + 1
        column = ((i - 1) * p["s"] + (j - 1)) * width + (k - 1)
    ours = session.pipe.ask("column", of="p", perturbation=CODES[code], column=column, sign=sign,
                            nonnegative=vector["nonneg"])["data"]
    if vector["nonneg"] and any(number(point["weight"]) < 0 for point in ours):
        check.faults.append("a negative weight")
    # Both data sets, theirs and ours, must make sign * column up to one constant over all actions.
    for name, data in (("theirs", [(d["w"], d["y"], True) for d in vector["dataset"]]),
                       ("ours", [(d["weight"], d["outcome"], False) for d in ours])):
        constants = []
        for action in session.actions():
            made = 0.0
            for weight, y, raw in data:
                outcome = session.outcome(y) if raw else y
                made += number(weight) * session.pipe.ask("loss", of="p", action=action, outcome=outcome)["reward"]
            constants.append(made - sign * session.row(code, action)[column])
        if max(constants) - min(constants) > 1e-9:
            check.faults.append(f"{name}: constants from {min(constants)} to {max(constants)}")


def grid(text_step, count):
    values = [Fraction(i, text_step) for i in range(text_step + 1)]
    return [[str(v) for v in point] for point in itertools.product(values, repeat=count)]


def outcome_set(session, vector):
    """The outcomes that a gamma vector's `outcome_set` describes in words."""
    problem, p, text = session.problem, session.p, vector["outcome_set"]
    if "1/8" in text:
        return grid(8, p.get("n", p.get("h")))
    if problem == "vcg":
        raise ValueError(text)
    if problem == "level":
        return grid(p["m"], p["n"])
    if problem == "pricing" and p["demand"] == "single":
        bundles = [list(b) for size in range(1, p["k"] + 1) for b in itertools.combinations(range(p["k"]), size)]
        return [[{"bundle": b, "value": f"{v}/{p['m']}"}] for b in bundles for v in range(p["m"] + 1)]
    if problem == "pricing":
        return [[point] for point in grid(2 * p["m"] if "1/" in text else p["m"], p["k"])]
    if problem == "multiunit":
        sizes = p["sizes"]
        steps = [[0] * len(sizes)] + [[int(i >= at) for i in range(len(sizes))] for at in range(1, len(sizes))]
        return [list(profile) for profile in itertools.product(steps, repeat=p["n"])]
    raise ValueError(text)


def gamma(check, session, vector):
    sign = 1 if vector["nonneg"] else 0
    if vector["rhs"] == "one":
        rows = [session.row(vector["code"], action) for action in session.actions()]
        identity = [[float(i == j) for j in range(len(rows))] for i in range(len(rows))]
        session.pipe.ask("problem", **{"as": "single-out", "kind": "finite-game", "params": {"losses": identity, "matrix": rows}})
        found = session.pipe.ask("conditions", of="single-out", perturbation="dense", outcomes=list(range(len(rows))), sign=sign)
    else:
        outcomes = [session.outcome(y) for y in outcome_set(session, vector)]
        found = session.pipe.ask("conditions", of="p", perturbation=CODES[vector["code"]], outcomes=outcomes, sign=sign)
    check.near("gamma", found["gamma"], vector["gamma_float"], 1e-6)


def best(check, session, vector):
    data = [{"weight": d["w"], "outcome": session.outcome(d["y"])} for d in vector["data"]]
    weights = sum(number(d["w"]) for d in vector["data"])
    for oracle in session.facts["oracles"]:
        found = session.pipe.ask("best", of="p", data=data, oracle=oracle, keep=3)
        check.same(f"action by {oracle}", found["action"], vector["action"])
        check.near(f"value by {oracle}", weights - found["value"], vector["value"])
        check.same(f"proven by {oracle}", found["proven"], True)


def dp(check, session, vector):
    """An arbitrary table as a signed sum of steps: bidder i gains table[i][k] - table[i][k-1] from sizes[k] on."""
    sizes, n, data = session.p["sizes"], session.p["n"], []
    offset = sum(number(row[0]) for row in vector["table"])
    for i, row in enumerate(vector["table"]):
        for k in range(1, len(sizes)):
            steps = [[[sizes[k], 1]] if j == i else [] for j in range(n)]
            data.append({"weight": session.R * (number(row[k]) - number(row[k - 1])), "outcome": steps})
    found = session.pipe.ask("best", of="p", data=data)
    check.same("action", found["action"], vector["action"])
    check.near("value", sum(d["weight"] for d in data) - found["value"] + offset, vector["value"])


def learner(check, session, vector):
    params = {"perturbation": CODES[vector["code"]], "gamma": vector["gamma"], "c": 1, "alpha": vector["alpha"]}
    for oracle in session.facts["oracles"]:
        session.pipe.ask("learner", **{"as": "l", "of": "p", "kind": "gftpl", "params": {**params, "oracle": oracle}})
        total = 0.0
        for t, (y, wanted) in enumerate(zip(vector["outcomes"], vector["rounds"])):
            act = session.pipe.ask("act", of="l")
            seen = session.pipe.ask("observe", of="l", outcome=session.outcome(y))
            check.same(f"{oracle} action {t}", act["action"], wanted["action"])
            check.near(f"{oracle} eta {t}", act["eta"], wanted["eta"], 1e-12)
            check.near(f"{oracle} reward {t}", 1 - seen["loss"], wanted["reward"])
            check.near(f"{oracle} best {t}", seen["best"], wanted["best_loss"])
            total += 1 - seen["loss"]
        check.near("total", total, vector["total_reward"])


TYPES = {"reward": reward, "actions": actions, "ptm": ptm, "table": ptm, "implement": implement, "gamma": gamma,
         "best": best, "dp": dp, "learner": learner}


def main():
    binary, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    only = sys.argv[3:] or list(KINDS)
    passed = failed = 0
    for problem in only:
        for vector in json.loads((folder / f"{problem}.json").read_text())["vectors"]:
            check = Check()
            with Pipe(binary) as pipe:
                try:
                    TYPES[vector["type"]](check, Session(pipe, problem, vector["params"]), vector)
                except Exception as error:
                    check.faults.append(repr(error))
            passed, failed = passed + (not check.faults), failed + bool(check.faults)
            for fault in check.faults[:4]:
                print(f"FAIL {vector['id']}: {fault}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
