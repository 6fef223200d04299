"""Replays the vectors of portfolios through `hannan pipe`: portfolio_vectors.py BINARY FOLDER [FOLDER...].

Strategies are fixed experts, or proposals that are given where some sleep; `u` is handed in. Every run is played a second
time with a save and a load after each round, which must change no answer. Vectors of the share alone (`portfolio_share`) are
those of the unit test hannan/learners/portfolio_vectors_test.cpp.
"""
import json
import pathlib
import sys

from core_vectors import Check
from pipe_client import Pipe, PipeError

LOOSE = 1e-7  # what rests on a bisection


def make(pipe, inputs, sleepers):
    """A problem whose outcomes are the losses, and the portfolio of its experts."""
    losses, largest = inputs["losses"], inputs["largest"]
    size = len(losses[0])
    flat = [loss for row in losses for loss in row if loss is not None]
    unknown = largest is None or min(flat) < 0 or max(flat) > 1
    pipe.ask("problem", **{"as": "p", "kind": "experts",
                           "params": {"experts": size, **({"range": "unknown"} if unknown else {})}})
    strategies = [{"name": f"s{k}", "kind": "given"} if sleepers and k > 0 else {"name": f"s{k}", "kind": "fixed", "action": k}
                  for k in range(size)]
    params = {"strategies": strategies, "risk": inputs["risk"], "largest": largest}
    for name in ("hard", "u"):
        if inputs.get(name) is not None:
            params[name] = inputs[name]
    pipe.ask("learner", **{"as": "l", "of": "p", "kind": "portfolio", "params": params})


def proposals_of(awake):
    return None if awake is None else {f"s{k}": k for k, here in enumerate(awake) if here and k > 0}


def check_run(check, pipe, inputs, wanted, saves):
    awake = inputs.get("awake")
    make(pipe, inputs, awake)
    warm = inputs["warm"]
    for t, row in enumerate(inputs["losses"]):
        at, i = f"round {t + 1} ", t - warm
        proposals = proposals_of(awake[t] if awake else None)
        if t < warm:
            seen = pipe.ask("observe", of="l", outcome=row, warm=True, proposals=proposals)
            check.same(at + "loss", "loss" in seen, False)
        else:
            act = pipe.ask("act", of="l", proposals=proposals)
            check.near(at + "weights", act["weights"], wanted["weights"][i])
            check.near(at + "share", act["share"], wanted["share"][i])
            check.same(at + "held", act["held"], wanted["held"][i])
            check.same(at + "strategy", act["strategy"], f"s{wanted['pick'][i]}")
            check.same(at + "action", act["action"], wanted["pick"][i])
            check.same(at + "asked again", pipe.ask("act", of="l"), act)
            seen = pipe.ask("observe", of="l", outcome=row)
            check.near(at + "loss", seen["loss"], wanted["loss"][i])
            check.near(at + "realised", seen["realised"], row[wanted["pick"][i]])
        if saves:
            pipe.ask("load", **{"as": "l", "state": pipe.ask("save", of="l")["state"]})
    check_report(check, pipe, wanted, seen)


def check_report(check, pipe, wanted, seen):
    report, certificate = pipe.ask("report", of="l"), wanted["certificate"]
    for name in ("total", "gain", "low", "realised", "realised_gain", "mixture", "gap"):
        check.near(name, report[name], wanted[name])
    for name in ("total", "gain", "low"):
        check.near("observe " + name, seen[name], wanted[name])
    check.near("observe mixing", seen["mixing"], certificate["mixing"])
    check.same("beta", report["share"]["beta"], wanted["beta"])
    check.same("epochs", report["share"]["epochs"], wanted["epochs"])
    rows = pipe.ask("strategies", of="l")["strategies"]
    check.near("sums", [row["total"] for row in rows], wanted["sums"])
    bounds = report["certificate"]["bounds"]
    values = {bound["name"]: bound["value"] for bound in bounds}
    check.near("today", seen["today"], certificate["today"])
    check.near("share_cost", seen["share_cost"], certificate["share_cost"], LOOSE)
    check.near("strategies", [row["certificate"] for row in rows], certificate["strategies"], LOOSE)
    check.same("limit", "limit" in values, wanted["limit"] is not None)
    if wanted["limit"] is not None:
        check.near("limit", values["limit"], wanted["limit"], LOOSE)
    check.same("every statement holds", [b["name"] for b in bounds if b["holds"] is False], [])


def check_refused(check, pipe, case, error):
    make(pipe, {**case, "u": None}, any(loss is None for row in case["losses"] for loss in row))
    last = len(case["losses"]) - 1
    for t, row in enumerate(case["losses"]):
        before = pipe.ask("save", of="l") if t == last else None
        try:
            pipe.ask("observe", of="l", outcome=[loss if loss is not None else 0 for loss in row], warm=True if t in case["warm"] else None)
            found = None
        except PipeError as refused:
            found = refused.error["code"]
        check.same(f"round {t + 1}", found, error if t == last else None)
        if found:
            check.same("nothing changes", pipe.ask("save", of="l"), before)


def check_numbers(check, pipe, inputs, wanted):
    for (risk, largest, squares), value in zip(inputs["share_cost"], wanted["share_cost"]):
        params = {"risk": risk, "largest": largest, "V": squares}
        check.near("share_cost", pipe.ask("bound", name="share_cost", params=params)["value"], value)
    for (strategies, risk, largest, rounds), value in zip(inputs["portfolio"], wanted["portfolio"]):
        params = {"strategies": strategies, "risk": risk, "largest": largest, "rounds": rounds}
        check.near("portfolio", pipe.ask("bound", name="portfolio", params=params)["value"], value)


def main(binary, folders):
    files = sorted(file for folder in folders for file in pathlib.Path(folder).glob("*.json"))
    failures = []
    for file in files:
        vector = json.loads(file.read_text(encoding="utf-8"))
        check = Check()
        with Pipe(binary) as pipe:
            if vector["kind"] == "portfolio":
                for saves in (False, True):
                    check_run(check, pipe, vector["inputs"], vector["expected"], saves)
            elif vector["kind"] == "portfolio_refused":
                for case, error in zip(vector["inputs"]["cases"], vector["expected"]["error"]):
                    check_refused(check, pipe, case, error)
            elif vector["kind"] == "portfolio_numbers":
                check_numbers(check, pipe, vector["inputs"], vector["expected"])
        failures += [f"{file.name}: {failure}" for failure in check.faults]
    for failure in failures[:40]:
        print(failure)
    print(f"{len(files)} files, {len(failures)} failures")
    return 1 if failures or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
