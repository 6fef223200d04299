"""Replays the vectors of money through `hannan pipe`: money_vectors.py BINARY FOLDER [FOLDER...].

A file is {"problem": NAME, "vectors": [...]}; the types of a vector are listed in CHECKS. Strings are exact fractions.
"""
import json
import pathlib
import sys
from fractions import Fraction

from core_vectors import Check
from pipe_client import Pipe

KINDS = {"reserves": "vcg-reserves", "reverse": "vcg-reserves", "pricing": "item-pricing",
         "firstprice": "first-price-bidding", "sleeping": "experts"}


def value_of(entry):
    return float(Fraction(entry)) if isinstance(entry, str) and entry not in ("inf", "-inf") else entry


def make(pipe, kind, params):
    pipe.ask("problem", **{"as": "p", "kind": kind, "params": params})


def params_of(kind, vector):
    params = dict(vector["params"])
    if vector["type"] == "cost":
        params["direction"] = "reverse"
    return params


def check_money(check, pipe, kind, vector):
    make(pipe, kind, params_of(kind, vector))
    for case in vector["cases"]:
        wanted = value_of(case["money"])
        found = pipe.ask("loss", of="p", action=case["action"], outcome=case["outcome"])
        for name, needed in (("raw", wanted), ("loss", -wanted), ("reward", wanted)):
            check.near(f"{name} of {case['action']} on {case['outcome']}", found[name], needed)
    for case in vector.get("ranges", []):
        found = pipe.ask("range", of="p", outcome=case["outcome"])
        check.near(f"range on {case['outcome']}", found["range"], value_of(case["range"]))
        if "most" in case:
            check.near(f"most on {case['outcome']}", -found["least_loss"], value_of(case["most"]))
            check.near(f"least on {case['outcome']}", -found["most_loss"], value_of(case["least"]))
        for code, gamma in case.get("gamma", {}).items():
            check.near(f"gamma of {code} on {case['outcome']}", found["gamma"][code], value_of(gamma))


def check_cost(check, pipe, kind, vector):
    make(pipe, kind, params_of(kind, vector))
    for case in vector["cases"]:
        wanted = value_of(case["cost"])
        found = pipe.ask("loss", of="p", action=case["action"], outcome=case["outcome"])
        for name, needed in (("raw", wanted), ("loss", wanted), ("reward", -wanted)):
            check.near(f"{name} of {case['action']} on {case['outcome']}", found[name], needed)


def check_snap(check, pipe, kind, vector):
    make(pipe, kind, params_of(kind, vector))
    for case in vector["cases"]:
        for position, money in enumerate(case["money"]):
            found = pipe.ask("loss", of="p", action=[position], outcome=[case["bid"]])["raw"]
            check.near(f"{case['bid']} at {position}", found, money)


def columns_of(code, values):
    return {"one-hot": 0 if values == 1 else values, "bits": (values - 1).bit_length()}.get(code, values - 1)


def normal_set(rows):
    """Data sets with the order of others and of points taken out."""
    tidy = []
    for row in rows:
        outcome = row["outcome"]
        if isinstance(outcome, list):
            outcome = {"bids": [bid or None for bid in outcome]}
        bids = [value_of(bid) for bid in outcome["bids"]]
        others = sorted(value_of(bid) for bid in outcome.get("others", []))
        tidy.append((bids, others, value_of(row["weight"])))
    return sorted(tidy, key=repr)


def sums(pipe, data, actions):
    """The weighted money of every action."""
    totals = [0.0] * len(actions)
    for point in data:
        for k, action in enumerate(actions):
            totals[k] += value_of(point["weight"]) * pipe.ask("loss", of="p", action=action, outcome=point["outcome"])["raw"]
    return totals


def check_item_columns(check, pipe, kind, vector):
    about = pipe.ask("problem", **{"as": "p", "kind": kind, "params": vector["params"]})
    lists = vector["params"].get("grids") or vector["params"]["prices"]
    for case in vector["sets"]:
        rows = [[0] * len(lists) for _ in lists[case["item"]]]
        for position, row in enumerate(rows):
            row[case["item"]] = position
        # The columns of an item follow those of the items before it.
        widths = [{"one-hot": len(p), "thermometer": len(p) - 1, "direct": len(p) - 1, "bits": (len(p) - 1).bit_length()}[case["code"]]
                  for p in lists]
        wanted = next(p for p in about["perturbations"] if p["name"] == case["code"])
        check.same(case["code"], wanted["columns"], sum(widths))
        column = sum(widths[:case["item"]]) + case["column"]
        phi = [value_of(value) for value in case["phi"]]
        for name in [name for name in ("signed", "nonnegative") if name in case]:
            found = pipe.ask("column", of="p", perturbation=case["code"], column=column, sign=case["sign"], nonnegative=name == "nonnegative")["data"]
            if name == "nonnegative":
                check.same(f"{case['code']} {column} weights", all(point["weight"] >= 0 for point in found), True)
            for data in (found, case[name]):
                made = sums(pipe, data, rows)
                check.near(f"{case['code']} {column} {case['sign']} {name}", [m - made[0] for m in made], [p - phi[0] for p in phi])


def check_implement(check, pipe, kind, vector):
    if "item" in vector["sets"][0]:
        return check_item_columns(check, pipe, kind, vector)
    make(pipe, kind, params_of(kind, vector))
    sizes = [len(prices) for prices in vector["params"]["prices"]]
    for case in vector["sets"]:
        first = sum(columns_of(case["code"], size) for size in sizes[:case["slot"]])
        for name, nonnegative in (("signed", False), ("nonnegative", True)):
            if name not in case:
                continue
            data = pipe.ask("column", of="p", perturbation=case["code"], column=first + case["column"],
                            sign=case["sign"], nonnegative=nonnegative)["data"]
            what = f"{name} {case['code']} {case['slot']} {case['column']} {case['sign']}"
            found, wanted = normal_set(data), normal_set(case[name])
            check.same(what, [row[:2] for row in found], [row[:2] for row in wanted])
            check.near(what, [row[2] for row in found], [row[2] for row in wanted])
            sums = []
            for position in range(sizes[case["slot"]]):
                action = [0] * len(sizes)
                action[case["slot"]] = position
                sums.append(sum(row["weight"] * pipe.ask("loss", of="p", action=action, outcome=row["outcome"])["raw"]
                                for row in data) - value_of(case["phi"][position]))
            check.near(what + " sum", [s - sums[0] for s in sums], [0.0] * len(sums), 1e-9)


def check_gamma(check, pipe, kind, vector):
    make(pipe, kind, vector["params"])
    found = pipe.ask("range", of="p", outcome=vector["outcome"])
    check.near("range", found["range"], value_of(vector["range"]))
    for code, wanted in vector["codes"].items():
        check.near(f"{code} claimed", found["gamma"][code], value_of(wanted["claimed"]))
        for sign, name in ((0, "exact"), (1, "exact_nonneg"), (-1, "exact_nonpos")):
            norm = pipe.ask("conditions", of="p", perturbation=code, outcomes=[vector["outcome"]], sign=sign)["gamma"]
            check.near(f"{code} {name}", norm, wanted[name], 1e-6)
        check.same(f"{code} covered", wanted["exact"] <= found["gamma"][code] * found["range"] + 1e-6, True)


def check_size(check, pipe, kind, vector):
    make(pipe, "vcg-reserves", {"prices": vector["params"]["prices"]})
    found = pipe.ask("noise_size", of="p", perturbation=vector["params"]["code"])
    if vector["exact"]:
        check.near("M", found["M"], vector["M"])
    else:  # an upper limit
        check.same(f"M {found['M']} at most {vector['M']}", found["low"] <= vector["M"] + 1e-9, True)


def check_curve(check, pipe, kind, vector):
    about = pipe.ask("problem", **{"as": "p", "kind": kind, "params": vector["params"]})
    found = pipe.ask("best", of="p", data=vector["data"], keep=about["actions"])
    check.same("best", found["action"], [vector["best"]])
    values = {member["action"][0]: -member["value"] for member in found["pool"]}
    check.near("curve", [values[z] for z in range(len(values))], [value_of(money) for money in vector["curve"]])


def near_rate(check, what, found, wanted):
    """Rates beyond 10^12 come from a Delta of rounding alone: infinite or huge is the same."""
    if float(wanted) > 1e12:
        check.same(what, float(found) > 1e12, True)
    else:
        check.near(what, found, wanted)


def play_sleeping(check, pipe, kind, vector, saves):
    losses, learner = vector["losses"], vector["type"]
    unit = all(x is None or 0 <= x <= 1 for row in losses for x in row)
    params = {**vector["params"], "missing": "sleep", **({} if unit else {"range": "unknown"})}
    pipe.ask("problem", **{"as": "p", "kind": "experts", "params": params})
    pipe.ask("learner", **{"as": "l", "of": "p", "kind": learner, "params": {"seed": 3}})
    for t, (row, wanted) in enumerate(zip(losses, vector["rounds"])):
        at, awake = f"round {t + 1} ", [k for k, x in enumerate(row) if x is not None]
        act = pipe.ask("act", of="l", awake=awake)
        seen = pipe.ask("observe", of="l", outcome=row)
        check.near(at + "weights", act["weights"], wanted["weights"])
        check.same(at + "action", act["action"] in awake, True)
        check.near(at + "loss", seen["loss"], wanted["loss"])
        check.near(at + "regret", seen["regrets"], wanted["regret"])
        if learner != "adanormalhedge":
            near_rate(check, at + "eta", act["eta"], wanted["eta"])
            check.near(at + "gap", seen["gap"], wanted["gap"])
            check.near(at + "D", seen["stability"], wanted["D"])
        if learner == "flipflop-hedge":
            check.same(at + "regime", act["regime"], ["flip", "flop"][wanted["regime"]])
        if saves:
            pipe.ask("load", **{"as": "l", "state": pipe.ask("save", of="l")["state"]})
    return pipe.ask("report", of="l")


def check_sleeping(check, pipe, kind, vector):
    report = play_sleeping(check, pipe, kind, vector, saves=False)
    check.same("saved", play_sleeping(check, pipe, kind, vector, saves=True), report)
    check.near("regrets", report["regrets"], vector["regret"])
    check.near("largest", report["regret"], max(vector["regret"]))
    bounds = {bound["name"]: bound for bound in report["certificate"]["bounds"]}
    check.same("bounds hold", all(bound["holds"] for bound in bounds.values()), True)
    if vector["type"] == "adanormalhedge":
        for name, wanted in (("sizes", "C"), ("limits", "measured"), ("closed_limits", "closed")):
            check.near(name, report[name], vector[wanted])
        return
    check.near("awake", report["awake"], vector["awake"])
    check.near("certificate", bounds["sleeping"]["value"], vector["certificate"])
    if vector["closed"] is not None:
        check.near("closed", bounds["sleeping_closed"]["value"], vector["closed"])


CHECKS = {"adahedge": check_sleeping, "flipflop-hedge": check_sleeping, "adanormalhedge": check_sleeping, "curve": check_curve,
          "money": check_money, "cost": check_cost, "snap": check_snap, "implement": check_implement,
          "gamma": check_gamma, "M": check_size}


def main(binary, folders):
    passed = failed = skipped = 0
    for path in [path for folder in folders for path in sorted(pathlib.Path(folder).glob("*.json"))]:
        document = json.loads(path.read_text())
        with Pipe(binary) as pipe:
            problems = pipe.ask("hello")["problems"]
            for vector in document["vectors"]:
                kind = vector.get("problem") or KINDS.get(document["problem"])
                if vector["type"] not in CHECKS or (kind and kind not in problems):
                    skipped += 1
                    continue
                check = Check()
                try:
                    CHECKS[vector["type"]](check, pipe, kind, vector)
                except Exception as error:  # an answer that is not ok is a failed vector, not a crash
                    check.faults.append(repr(error))
                passed, failed = passed + (not check.faults), failed + bool(check.faults)
                for fault in check.faults[:5]:
                    print(f"FAIL {vector['id']}: {fault}")
    print(f"{passed} passed, {failed} failed, {skipped} of types that the pipe has no verb for")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
