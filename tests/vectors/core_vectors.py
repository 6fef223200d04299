"""Replays the core test vectors through `hannan pipe`: core_vectors.py BINARY FOLDER [FOLDER...]."""
import json
import pathlib
import sys

from pipe_client import Pipe, close


class Check:
    """Collects what differs in one vector."""

    def __init__(self):
        self.faults = []

    def same(self, what, found, wanted):
        if found != wanted:
            self.faults.append(f"{what}: found {found}, expected {wanted}")

    def near(self, what, found, wanted, tolerance=1e-9):
        if isinstance(wanted, list):
            self.same(what + " length", len(found), len(wanted))
            for i, (f, w) in enumerate(zip(found, wanted)):
                self.near(f"{what}[{i}]", f, w, tolerance)
        elif (found is None) != (wanted is None) or (wanted is not None and not close(found, wanted, tolerance)):
            self.faults.append(f"{what}: found {found}, expected {wanted}")


def play(pipe, kind, params, outcomes):
    """The acts and observations of a learner on `p`."""
    pipe.ask("learner", **{"as": "l", "of": "p", "kind": kind, "params": params})
    rounds = []
    for y in outcomes:
        act = pipe.ask("act", of="l")
        rounds.append((act, pipe.ask("observe", of="l", outcome=y)))
    return rounds


def experts(pipe, inputs):
    params = {"experts": len(inputs["losses"][0])}
    if "Gamma" in inputs:
        params["matrix"] = inputs["Gamma"]
    pipe.ask("problem", **{"as": "p", "kind": "experts", "params": params})
    return inputs["losses"]


def check_totals(check, rounds, expected):
    last = rounds[-1][1]
    if "loss" in expected:
        check.near("loss", last["total"], expected["loss"])
    if "regret" in expected:
        check.near("regret", last["regret"], expected["regret"])
    if isinstance(expected.get("Lstar"), list):
        check.near("Lstar", [o["best"] for _, o in rounds], expected["Lstar"])
    elif "Lstar" in expected:
        check.near("Lstar", last["best"], expected["Lstar"])


def check_gftpl(check, pipe, inputs, expected, outcomes, perturbation):
    params = {"alpha": inputs["alpha"], "gamma": inputs["gamma"], "c": inputs["c"], "perturbation": perturbation}
    rounds = play(pipe, "gftpl", params, outcomes)
    check.same("x", [a["action"] for a, _ in rounds], expected["x"])
    check.near("eta", [a["eta"] for a, _ in rounds], expected["eta"])
    check_totals(check, rounds, expected)
    if "eta_next" in expected and not isinstance(inputs["alpha"][0], list):
        check.near("eta_next", pipe.ask("act", of="l")["eta"], expected["eta_next"])
    return rounds


def gftpl(check, pipe, inputs, expected):
    check_gftpl(check, pipe, inputs, expected, experts(pipe, inputs), "dense")


def finite_game(pipe, table, inputs, name):
    params = {name: table}
    if "datasets" in inputs:
        params["columns"] = inputs["datasets"]
    pipe.ask("problem", **{"as": "p", "kind": "finite-game", "params": params})


def gftpl_reward(check, pipe, inputs, expected):
    finite_game(pipe, inputs["R"], inputs, "rewards")
    if "alpha_hat" in inputs:
        inputs = {**inputs, "alpha": [-a for a in inputs["alpha_hat"]]}
    rounds = check_gftpl(check, pipe, inputs, expected, inputs["y"], "outcomes")
    check.near("Gstar", [t + 1 - o["best"] for t, (_, o) in enumerate(rounds)], expected.get("Gstar", []) or
               [t + 1 - o["best"] for t, (_, o) in enumerate(rounds)])
    if "reward" in expected:
        check.near("reward", len(rounds) - rounds[-1][1]["total"], expected["reward"])


def oracle_calls(check, pipe, inputs, expected):
    finite_game(pipe, inputs["F"], inputs, "losses")
    check_gftpl(check, pipe, inputs, expected, inputs["y"], "outcomes")
    for t, (data, x) in enumerate(zip(expected["calls"], expected["x"])):
        found = pipe.ask("best", of="p", data=[{"weight": w, "outcome": y} for w, y in data])
        check.same(f"call {t}", found["action"], x)


def ftl(check, pipe, inputs, expected):
    rounds = play(pipe, "leader", {}, experts(pipe, inputs))
    check.same("x", [a["action"] for a, _ in rounds], expected["x"])
    check_totals(check, rounds, expected)
    best = [0.0] + [o["best"] for _, o in rounds]
    delta = [o["loss"] - (best[t + 1] - best[t]) for t, (_, o) in enumerate(rounds)]
    check.near("delta", delta, expected["delta"])
    check.same("lost_lead", [t + 1 for t, d in enumerate(delta) if d > 1e-9], expected["lost_lead"])


def off(check, pipe, inputs, expected):
    losses = experts(pipe, inputs)
    params = {"alpha": inputs["alpha"], "gamma": inputs["gamma"], "c": inputs["c"], "perturbation": "dense",
              "switch_a": inputs["a"], "switch_b": inputs["b"], "feed": inputs["feed"], "estimator": inputs["estimator"]}
    for name in ("M", "mc"):
        if inputs.get(name) is not None:
            params[name] = inputs[name]
    rounds = play(pipe, "off", params, losses)
    names = {"FTL": "leader", "GFTPL": "gftpl"}
    check.same("alg", [a["regime"] for a, _ in rounds], [names[a] for a in expected["alg"]])
    check.same("x", [a["action"] for a, _ in rounds], expected["x"])
    check.near("U_ftl", [o["estimates"]["leader"] for _, o in rounds], expected["U_ftl"])
    check.near("U_gftpl", [o["estimates"]["gftpl"] for _, o in rounds], expected["U_gftpl"])
    check.same("switch_rounds", [t + 1 for t, (_, o) in enumerate(rounds) if o["switched"]], expected["switch_rounds"])
    check_totals(check, rounds, expected)


def mixture(kind):
    def run(check, pipe, inputs, expected):
        params = {}
        if kind == "hedge":
            params["rate"] = inputs["rate"].replace("_", "-")
            if "eta" in inputs:
                params["eta"] = inputs["eta"]
        if kind == "flipflop-hedge":
            params = {"phi": inputs["phi"], "a": inputs["a"]}
        rounds = play(pipe, kind, params, experts(pipe, inputs))
        check.near("w", [a["weights"] for a, _ in rounds], expected["w"])
        check.near("h", [o["loss"] for _, o in rounds], expected["h"])
        if "eta" in expected:
            check.near("eta", [a["eta"] for a, _ in rounds], expected["eta"])
        if "Delta" in expected:
            check.near("Delta", [o["stability"] for _, o in rounds], expected["Delta"])
        if "regime" in expected:
            check.same("regime", [["flip", "flop"].index(a["regime"]) for a, _ in rounds], expected["regime"])
        check_totals(check, rounds, expected)
    return run


def classical(check, pipe, inputs, expected):
    rounds = play(pipe, "uniform-gftpl", {"alpha": inputs["alpha"], "perturbation": "dense"}, experts(pipe, inputs))
    check.same("x", [a["action"] for a, _ in rounds], expected["x"])
    check_totals(check, rounds, expected)


def hutter_poland(check, pipe, inputs, expected):
    rounds = play(pipe, "fpl", {"alpha": inputs["q"]}, experts(pipe, inputs))
    check.same("x", [a["action"] for a, _ in rounds], expected["x"])
    if "eps" in expected:
        check.near("eps", [a["eta"] for a, _ in rounds], expected["eps"])
    check_totals(check, rounds, expected)


def adafpl(check, pipe, inputs, expected):
    params = {"alpha": inputs["alpha"], "M": inputs["M"], "perturbation": "dense", "gap": "loss"}
    rounds = play(pipe, "ada", params, experts(pipe, inputs))
    check.same("x", [a["action"] for a, _ in rounds], expected["x"])
    if "xprime" in expected:
        check.same("xprime", [o["after"] for _, o in rounds], expected["xprime"])
    if "z" in expected:
        check.near("z", [a["multiplier"] for a, _ in rounds], expected["z"])
    if "S" in expected:
        check.near("S", [o["stability"] for _, o in rounds], expected["S"])
    check_totals(check, rounds, expected)


def flipflop_fpl(check, pipe, inputs, expected):
    params = {name: inputs[name] for name in ("alpha", "M", "phi", "a")}
    rounds = play(pipe, "flipflop", {**params, "perturbation": "dense", "gap": "loss"}, experts(pipe, inputs))
    check.same("x", [a["action"] for a, _ in rounds], expected["x"])
    check.same("regime", [a["regime"] for a, _ in rounds], expected["regime"])
    check.near("D_flip", [o["stability"][0] for _, o in rounds], expected["D_flip"])
    check.near("D_flop", [o["stability"][1] for _, o in rounds], expected["D_flop"])
    check_totals(check, rounds, expected)


def bound(pipe, name, **params):
    return pipe.ask("bound", name=name, params=params)["value"]


def bounds(check, pipe, inputs, expected):
    paper, tight = ("thm1_paper", "lower_paper"), ("thm1_simple", "thm1_tight", "lower_tight")
    for i, (case, wanted) in enumerate(zip(inputs["cases"], expected["cases"])):
        K, N, gamma, c, best, M = (case[name] for name in ("K", "N", "gamma", "c", "Lstar", "M"))
        for name in paper:
            check.near(f"{i} {name}", bound(pipe, name, K=K, N=N, gamma=gamma, c=c, best=best), wanted[name])
        for name in tight:
            check.near(f"{i} {name}", bound(pipe, name, M=M, gamma=gamma, c=c, best=best), wanted[name])
        check.near(f"{i} ada", bound(pipe, "ada", M=M, gamma=gamma, best=best), wanted["adafpl"])
        check.near(f"{i} off", bound(pipe, "off_estimate", K=K, N=N, gamma=gamma, best=best), wanted["off_U"])
        for name in ("off_tau_paper", "off_tau_exact"):
            check.near(f"{i} {name}", bound(pipe, name, K=K, N=N, gamma=gamma), wanted[name])


def bound_trajectory(check, pipe, inputs, expected):
    values = expected.get("values", expected.get("cases"))
    for i, (case, wanted) in enumerate(zip(inputs["cases"], values)):
        found = bound(pipe, "trajectory", M=case["M"], gamma=case["gamma"], c=case["c"], best=inputs["Lstar"])
        check.near(f"case {i}", found, wanted)


def bound_lp(check, pipe, inputs, expected):
    for case, wanted in zip(inputs["cases"], expected["values"]):
        params = {name: case[name] for name in ("K", "N", "gamma_p", "c", "p")}
        check.near("lp_paper", bound(pipe, "lp_paper", best=case["Lstar"], **params), wanted)


def emax(check, pipe, inputs, expected):
    for name in ("paper", "centred"):
        check.near(name, [bound(pipe, "emax_" + name, K=K, N=N) for K, N in inputs["KN"]], expected[name])
    check.near("cube", [bound(pipe, "emax_bits", N=N) for N in inputs["cube_N"]], expected["cube"])
    check.near("prefix", [bound(pipe, "emax_prefix", m=m) for m in inputs["prefix_m"]], expected["prefix"])
    check.near("identity", [bound(pipe, "emax_identity", K=K) for K in inputs["identity_K"]], expected["identity"], 1e-6)
    check.near("lp_paper", [bound(pipe, "emax_lp_paper", K=K, N=N, p=p) for K, N, p in inputs["lp"]], expected["lp_paper"])
    check.near("lp_trivial", [bound(pipe, "emax_lp_simple", N=N, p=p) for _, N, p in inputs["lp"]], expected["lp_trivial"])


def conditions(pipe, Gamma, table, sign=0):
    pipe.ask("problem", **{"as": "p", "kind": "finite-game", "params": {"losses": table, "matrix": Gamma}})
    return pipe.ask("conditions", of="p", perturbation="dense", outcomes=list(range(len(table[0]))), sign=sign)


def gamma_exact(check, pipe, inputs, expected):
    for i, (case, wanted) in enumerate(zip(inputs["cases"], expected["cases"])):
        if case.get("norm", 1) == 1:  # the pipe answers for the 1-norm; the other is a unit test
            found = conditions(pipe, case["Gamma"], case["F"], case["sign"])
            check.near(f"gamma {i}", found["gamma"], wanted["gamma"], 1e-6)


def delta(check, pipe, inputs, expected):
    values = expected.get("values", expected.get("delta"))
    for case, wanted in zip(inputs["cases"], values):
        found = conditions(pipe, case["Gamma"], [[0.0]] * len(case["Gamma"]))
        check.near("delta", found["delta"], wanted)


def implementability(check, pipe, inputs, expected):
    for case, wanted in zip(inputs["cases"], expected["cases"]):
        found = conditions(pipe, case["Gamma"], case["table"])
        for name in ("implementable", "negatively_implementable"):
            check.same(name, found[name], wanted[name])


def transductive(check, pipe, inputs, expected):
    """Outcome 2*point + label; the rows are also the thresholds on the points 0..m-1, in the same order."""
    points = len(inputs["preds"][0])
    outcomes = [{"point": y // 2, "label": y % 2} for y in range(2 * points)]
    shapes = [{"predictions": inputs["preds"]}]
    if inputs["preds"] == [[int(i >= k) for i in range(points)] for k in range(points + 1)]:
        shapes.append({"points": [[i] for i in range(points)], "hypotheses": "thresholds"})
    for params in shapes:
        pipe.ask("problem", **{"as": "p", "kind": "classification", "params": params})
        actions = pipe.ask("actions", of="p", limit=len(inputs["preds"]))["actions"]
        check.near("F", [[pipe.ask("loss", of="p", action=x, outcome=y)["loss"] for y in outcomes] for x in actions], expected["F"])
        check.near("Gamma", [pipe.ask("row", of="p", perturbation="outcomes", action=x)["row"] for x in actions], expected["Gamma"])
        for name, sign in (("datasets", 1), ("negative_datasets", -1)):
            for j, wanted in enumerate(expected.get(name, [])):
                found = pipe.ask("column", of="p", perturbation="outcomes", column=j, sign=sign, nonnegative=True)["data"]
                check.same(name, [[d["weight"], outcomes.index(d["outcome"])] for d in found], wanted)
        run = {**expected, "x": [actions[k] for k in expected["x"]]}
        check_gftpl(check, pipe, inputs, run, [outcomes[y] for y in inputs["y"]], "outcomes")


def small_outcomes(kind, names):
    """A problem of few outcomes: its loss table, its columns and the run; actions in vectors are places in the list."""
    def run(check, pipe, inputs, expected):
        params = {name: inputs[name] for name in names if name in inputs}
        pipe.ask("problem", **{"as": "p", "kind": kind, "params": params})
        actions = inputs.get("actions") or pipe.ask("actions", of="p", limit=len(expected["F"]) + 1)["actions"]
        outcomes = range(len(expected["F"][0]))
        check.near("F", [[pipe.ask("loss", of="p", action=x, outcome=y)["loss"] for y in outcomes] for x in actions], expected["F"])
        if "Gamma" in expected:
            check.near("Gamma", [pipe.ask("row", of="p", perturbation="outcomes", action=x)["row"] for x in actions], expected["Gamma"])
        for j, wanted in enumerate(expected.get("datasets", [])):
            found = pipe.ask("column", of="p", perturbation="outcomes", column=j)["data"]
            check.same("datasets", [[d["weight"], d["outcome"]] for d in found], wanted)
        wanted = {**expected, "x": [actions[k] for k in expected["x"]]}
        check_gftpl(check, pipe, inputs, wanted, inputs["y"], "outcomes")
    return run


KINDS = {
    "gftpl": gftpl, "gftpl_reward": gftpl_reward, "negative_exponential": gftpl_reward, "oracle_calls": oracle_calls,
    "ftl": ftl, "off": off, "hedge": mixture("hedge"), "adahedge": mixture("adahedge"),
    "flipflop": mixture("flipflop-hedge"), "classical": classical, "hutter_poland": hutter_poland, "adafpl": adafpl,
    "flipflop_fpl": flipflop_fpl, "bounds": bounds, "bound_trajectory": bound_trajectory, "bound_lp": bound_lp,
    "emax": emax, "gamma_exact": gamma_exact, "delta": delta, "implementability": implementability,
    "transductive": transductive,
    "security_game": small_outcomes("security-game", ("targets", "levels", "resources", "types", "actions")),
    "bidding": small_outcomes("threshold-bidding", ("items", "levels", "valuation", "prices", "actions")),
}
# Kinds without a verb in the protocol: unit tests hold their numbers.
ELSEWHERE = {"noise", "choice_probability", "implementation_datasets"}


def replay(binary, folders, kinds, elsewhere):
    """Checks every vector of the folders by the function of its kind; the exit status."""
    passed = failed = skipped = 0
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob("*.json")):
            vector = json.loads(path.read_text())
            run = kinds.get(vector["kind"])
            if run is None:
                skipped += 1
                print(f"skip {path.stem}: kind {vector['kind']}" + (" (unit tests)" if vector["kind"] in elsewhere else ""))
                continue
            check = Check()
            with Pipe(binary) as pipe:
                try:
                    run(check, pipe, vector["inputs"], vector["expected"])
                except Exception as error:  # an answer that is not ok is a failed vector, not a crash
                    check.faults.append(repr(error))
            passed, failed = passed + (not check.faults), failed + bool(check.faults)
            for fault in check.faults[:5]:
                print(f"FAIL {path.stem}: {fault}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(replay(sys.argv[1], sys.argv[2:], KINDS, ELSEWHERE))
