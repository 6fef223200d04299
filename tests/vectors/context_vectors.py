"""Replays the vectors of segments through `hannan pipe`: context_vectors.py BINARY FOLDER [FOLDER...].

A run is a file with `rounds`; lists are named bounds (`name`, `params`, `value`) or floors (`visited`, `fields`). Every
run is played a second time with a save and a load after each round, which must change no answer.
"""
import json
import pathlib
import sys

from core_vectors import Check
from pipe_client import Pipe


def name_of(segment):
    return "/".join(segment)


def params_of(run):
    """The base learners of the vectors use the rule gap=loss; a leader takes no noise."""
    kind, params = run["learner"]["kind"], {}
    if kind != "leader":
        params = {**run["learner"]["params"], "alpha": run["alpha"]}
    if kind in ("ada", "flipflop"):
        params["gap"] = "loss"
    params["by"], params["open"] = run["by"], run["open"]
    if run["most"] is not None:
        params["most"] = run["most"]
    return kind, params


def plain_round(pipe, wanted):
    """A round without columns, in the words of one with them."""
    act = pipe.ask("act", of="l")
    seen = pipe.ask("observe", of="l", outcome=wanted["outcome"])
    node = {"segment": [], "action": act["action"], "weight": 1.0}
    return {"nodes": [node]}, {**seen, "own": [seen["loss"]], "gaps": [0.0], "stability": [seen.get("stability")]}


def tree_round(pipe, wanted):
    act = pipe.ask("act", of="l", context=wanted["context"])
    return act, pipe.ask("observe", of="l", context=wanted["context"], outcome=wanted["outcome"])


def check_run(check, pipe, run, saves):
    kind, params = params_of(run)
    pipe.ask("problem", **{"as": "p", **run["problem"]})
    pipe.ask("learner", **{"as": "l", "of": "p", "kind": kind, "params": params})
    calls = 0
    for t, wanted in enumerate(run["rounds"]):
        act, seen = (tree_round if run["by"] else plain_round)(pipe, wanted)
        at = f"round {t + 1} "
        check.same(at + "open", len(act["nodes"]), wanted["open"])
        check.same(at + "actions", [node["action"] for node in act["nodes"]], wanted["actions"])
        check.near(at + "weights", [node["weight"] for node in act["nodes"]], wanted["weights"])
        for name in ("own", "loss", "gaps"):
            check.near(at + name, seen[name], wanted[name])
        for found, needed in zip(seen["stability"], wanted["stability"]):
            check.near(at + "stability", found, needed)
        check.same(at + "oracle calls", calls < seen["oracle_calls"] <= calls + 2 * wanted["open"], True)
        calls = seen["oracle_calls"]
        if saves:
            pipe.ask("load", **{"as": "l", "state": pipe.ask("save", of="l")["state"]})
    if run["by"]:
        check_end(check, pipe, run["end"])
    else:
        report = pipe.ask("report", of="l")
        check.near("total", report["total"], run["end"]["loss"])
        check.near("best", report["best"], run["end"]["best"][""])
        check.same("map", report["best_action"], run["end"]["map"][""])


def check_end(check, pipe, end):
    report = pipe.ask("report", of="l")
    check.near("total", report["total"], end["loss"])
    check.same("open", report["segments"]["open"], end["nodes_open"])
    listed = pipe.ask("segments", of="l")
    check.same("complete", listed["complete"], True)
    check.same("order", [s["segment"] for s in listed["segments"]], sorted(s["segment"] for s in listed["segments"]))
    check.same("seen", len(listed["segments"]), end["nodes_seen"])
    nodes = {name_of(node["segment"]): node for node in report["nodes"]}
    check.same("nodes", [s for s in listed["segments"] if s["open"]], report["nodes"])
    for field, wanted in (("own", "own_loss"), ("waited", "waited"), ("hedge_gap", "gap"), ("best", "best")):
        for name, value in end[wanted].items():
            if name in nodes:
                check.near(f"{wanted} of {name!r}", nodes[name][field], value)
    mixing = report["certificate"]["bounds"][0]
    check.same("mixing", (mixing["name"], mixing["holds"]), ("mixing", True))
    check.near("certificate", mixing["value"], end["certificate"]["value"])
    check.same("certificate leaves", mixing["leaves"], len(end["certificate"]["leaves"]))
    check.same("map", {name_of(v["segment"]): v["action"] for v in report["map"]}, end["map"])
    prunings = {pruning["penalty"]: pruning for pruning in report["prunings"]}
    for penalty, wanted in end["best_pruning"].items():
        if float(penalty) not in prunings:
            continue
        found = prunings[float(penalty)]
        check.near(f"pruning {penalty}", found["loss"], wanted["loss"])
        check.same(f"pruning {penalty}", {name_of(s["segment"]): s["action"] for s in found["segments"]}, wanted["leaves"])


def check_bounds(check, pipe, rows):
    for row in rows:
        found = pipe.ask("bound", name=row["name"], params=row["params"])["value"]
        check.near(f"{row['name']} {row['params']}", found, row["value"])


def check_floors(check, pipe, cases):
    for i, case in enumerate(cases):
        found = pipe.ask("floors", visited=case["visited"], fields=case["fields"], slots=case.get("slots"))["floors"]
        check.same(f"floors {i}", found, case["floors"])
        check.same(f"floors {i} order", list(found["values"]), list(case["floors"]["values"]))


def main(binary, folders):
    passed = failed = 0
    for path in [path for folder in folders for path in sorted(pathlib.Path(folder).glob("*.json"))]:
        vector, check = json.loads(path.read_text()), Check()
        with Pipe(binary) as pipe:
            try:
                if isinstance(vector, dict):
                    check_run(check, pipe, vector, saves=False)
                    check_run(check, pipe, vector, saves=True)
                elif "value" in vector[0]:
                    check_bounds(check, pipe, vector)
                else:
                    check_floors(check, pipe, vector)
            except Exception as error:  # an answer that is not ok is a failed vector, not a crash
                check.faults.append(repr(error))
        passed, failed = passed + (not check.faults), failed + bool(check.faults)
        for fault in check.faults[:5]:
            print(f"FAIL {path.stem}: {fault}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
