"""Replays the vectors of partial feedback through `hannan pipe`: partial_vectors.py BINARY FOLDER [FOLDER...].

`looks_range` and `client` have no request of the pipe: hannan/certify/looks_account_test.cpp reads them.
"""
import sys

from core_vectors import bound, experts, replay


def learner_params(inputs):
    params = {"feedback": "looks", "look": inputs["look"], "share": inputs["share"], "delta": inputs["delta"],
              "against": list(range(len(inputs["losses"][0])))}
    if inputs["share"] == "adaptive":
        params["cost"] = inputs["cost"]
    if "coins" in inputs:
        params["coins"] = inputs["coins"]
    if inputs["inner"] != "leader":
        params |= {"alpha": inputs["alpha"], "M": inputs["M"], "perturbation": "dense"}
    return params


def play_looks(pipe, inputs):
    """The acts and observations; the outcome is sent where the program says that the round is a look."""
    losses = experts(pipe, inputs)
    pipe.ask("learner", **{"as": "l", "of": "p", "kind": inputs["inner"], "params": learner_params(inputs)})
    rounds = []
    for t, row in enumerate(losses):
        act = pipe.ask("act", of="l")
        look = inputs["logged"][t] if "logged" in inputs else act["look"]
        sent = {"share": inputs["shares"][t], "look": look} if "logged" in inputs else {}
        if look and inputs.get("lost", {t: False})[t]:
            sent["lost"] = True
        rounds.append((act, pipe.ask("observe", of="l", outcome=row if look and "lost" not in sent else None, **sent)))
    return rounds


def looks(check, pipe, inputs, expected):
    if "range" in inputs:  # no problem of the pipe has one but 1
        return
    rounds = play_looks(pipe, inputs)
    acts, observed = zip(*rounds)
    if "logged" not in inputs:
        check.near("share", [a["share"] for a in acts], expected["share"])
        check.same("look", [a["look"] for a in acts], expected["looked"])
        check.same("action", [a["action"] for a in acts], expected["action"])
    check.same("choice", [a["choice"] for a in acts], expected["inner"])
    check.near("multiplier", [a["multiplier"] for a in acts], expected["multiplier"])
    if "regime" in expected:
        check.same("regime", [a["regime"] for a in acts], expected["regime"])
    for name, wanted in (("gap", "gap"), ("stability", "stability"), ("run", "run"), ("look_cost", "look_cost"),
                         ("own_estimate", "own_estimate"), ("best_estimate", "best_estimate"),
                         ("estimate", "regret_estimate"), ("limit", "limit")):
        check.near(name, [o[name] for o in observed], expected[wanted])
    for name in ("total", "best", "regret"):
        check.same(name, {o[name] for o in observed}, {None})
    report = pipe.ask("report", of="l")
    check.same("looks", report["looks"], expected["seen"])
    check.same("lost", report["lost"], expected["lost"])
    check.near("against", [[a["estimate"], a["low"], a["high"]] for a in report["against"]], expected["against"])


def deviations(check, pipe, inputs, expected):
    check.near("signed_upper", [bound(pipe, "signed_upper", Q=Q, b=b, delta=d) for Q, b, d in inputs["signed"]],
               expected["signed_upper"])
    check.near("positive_upper", [bound(pipe, "positive_upper", Q=Q, delta=d) for Q, d in inputs["positive"]],
               expected["positive_upper"])
    check.near("limit_sums", [bound(pipe, "limit_sums", own=own, best=best, b=b, ln_actions=ln, delta=d)
                              for own, best, b, ln, d in inputs["sums"]], expected["limit_sums"])


def closed_forms(check, pipe, inputs, expected):
    common = ("M", "gamma", "best", "rounds")
    for name, rows, names in (("looks_adaptive", "adaptive", common), ("looks_inside", "inside", (*common, "look_cost")),
                              ("looks_fixed", "fixed", (*common, "share", "look_cost"))):
        check.near(name, [bound(pipe, name, **dict(zip(names, row))) for row in inputs[rows]], expected[name])
    check.near("elements", [bound(pipe, "elements", cap=16, **dict(zip(("M", "d", "m", "best"), row)))
                            for row in inputs["elements"]], expected["elements"])


# The graph of `elements_road`, whose edges are in this order.
ROAD = [["s", "a"], ["s", "b"], ["a", "b"], ["a", "t"], ["b", "t"]]


def elements(check, pipe, inputs, expected):
    experts_only = all(len(action) == 1 for action in inputs["actions"])
    if experts_only:
        experts(pipe, inputs)
    else:
        pipe.ask("problem", **{"as": "p", "kind": "routing", "params": {"edges": ROAD, "source": "s", "target": "t"}})
        check.same("actions", pipe.ask("actions", of="p")["actions"], inputs["actions"])
    params = {"feedback": "elements"} | {name: inputs[name] for name in ("seed", "run", "M", "cap", "delta")}
    pipe.ask("learner", **{"as": "l", "of": "p", "kind": "ada", "params": params})
    acts, observed = [], []
    for losses in inputs["losses"]:
        acts.append(pipe.ask("act", of="l"))
        action = acts[-1]["action"]
        taken = [action] if experts_only else action
        observed.append(pipe.ask("observe", of="l", outcome={"seen": [losses[i] for i in taken]}))
    wanted = [action[0] if experts_only else action for action in expected["shown"]]
    check.same("action", [a["action"] for a in acts], wanted)
    check.near("multiplier", [a["multiplier"] for a in acts], expected["multiplier"])
    check.same("cap", [a["cap"] for a in acts], expected["cap"])
    for name in ("copies", "draws"):
        check.same(name, [o[name] for o in observed], expected[name])
    for name in ("loss", "total", "capped", "gap", "stability", "measured", "limit"):
        check.near(name, [o[name] for o in observed], expected[name])
    for name in ("best", "regret"):
        check.same(name, {o[name] for o in observed}, {None})
    calls = 0
    for o in observed:
        calls += 3 + o["draws"]
        check.same("oracle_calls", o["oracle_calls"], calls)
    state = pipe.ask("save", of="l")["state"]["state"]
    check.near("estimates", state["estimates"], expected["estimates"])
    check.near("squares", state["squares"], expected["squares"])


if __name__ == "__main__":
    sys.exit(replay(sys.argv[1], sys.argv[2:], {"looks": looks, "deviations": deviations, "bounds": closed_forms,
                     "elements": elements},
                    ("client", "draws")))
