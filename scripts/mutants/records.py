"""Small runs of every learner whose records together carry every formula: listed and unlisted actions, exact and limited
oracles, given and drawn noise, unknown ranges, discounts, contexts, experts that sleep, outcomes that come late.

Data is drawn here, with decimals and ties, from a fixed seed. A record is what the program writes; that of a learner with
late outcomes is put together from the answers of the pipe, which the service keeps in the same form (docs/record.md)."""

import json
import random
import re
import subprocess

PATIENCE = 30  # seconds; the slowest case takes less than one on an idle machine

# name: (problem and its data, learner, settings). Settings of the learner as --set takes them.
EXPERTS = {"e4": 4, "e5": 5, "e40": 40, "e130": 130, "hard": 2}
ONE_HOT, PREFIX, LATE = "perturbation=one-hot", "perturbation=thermometer", ["delayed"]

CASES = [
    ("e4", "flipflop", []), ("e4", "flipflop", ["gap=loss"]), ("e4", "flipflop", ["M=0.4"]),
    ("e4", "flipflop", ["M=2.5", "gap=loss"]), ("e4", "flipflop", ["phi=2", "a=1.1"]),
    ("e4", "flipflop", ["phi=2", "a=1.1", "gap=loss"]), ("hard", "flipflop", []), ("hard", "flipflop", ["gap=loss"]),
    ("e5", "flipflop", []), ("e40", "flipflop", [PREFIX]), ("e130", "flipflop", [ONE_HOT]),
    ("e4", "flipflop", ["track=end"]), ("e4", "flipflop", ["gap=loss", "track=end"]), ("e5", "flipflop", ["track=end"]),
    ("hard", "flipflop", ["M=0.2", "track=end"]),
    ("e4", "ada", []), ("e4", "ada", ["gap=loss"]), ("e5", "ada", []), ("e5", "ada", [ONE_HOT]), ("hard", "ada", []),
    ("e4", "ada", ["M=0.3"]), ("e4", "ada", ["M=5", "gap=loss"]), ("e5", "ada", ["noise=lp:2"]),
    ("e5", "ada", ["noise=lp:inf"]), ("e5", "ada", ["noise=exponential-centred", ONE_HOT]),
    ("e5", "ada", ["pivot=last"]), ("hard", "ada", ["pivot=last", "track=end"]), ("e5", "ada", ["rho2=9", "delta=0.2"]),
    ("e5", "ada", ["discount=0.9"]), ("e5", "ada", ["discount=0.995", "M=0.7"]), ("e5", "ada", ["half_life=2"]),
    ("e40", "ada", [PREFIX]), ("e130", "ada", [ONE_HOT]), ("long", "ada", []), ("long", "flipflop", []),
    ("long", "ada", ["pivot=last"]), ("e4", "ada", [PREFIX]), ("e5", "flipflop", [PREFIX]),
    ("e4", "gftpl", []), ("e4", "gftpl", ["certificate=run"]), ("e5", "gftpl", ["c=0.5"]), ("e5", "gftpl", ["c=2.5"]),
    ("e40", "gftpl", [PREFIX, "c=0.2", "certificate=run"]), ("e5", "gftpl", [ONE_HOT, "noise=exponential"]),
    ("e5", "gftpl", [ONE_HOT, "noise=exponential-centred", "certificate=run"]), ("e5", "gftpl", ["noise=lp:2"]),
    ("e5", "gftpl", ["noise=lp:2", "c=0.3", "certificate=run"]), ("e5", "gftpl", ["noise=lp:inf", "c=0.1"]),
    ("long", "gftpl", ["certificate=run"]), ("long", "gftpl", [ONE_HOT, "c=0.4"]),
    *(("clear", "gftpl", ["certificate=run", *more]) for more in ([], ["c=0.5", "delta=0.4"], ["noise=lp:2"],
                                                                  ["noise=lp:inf", "c=0.7", "delta=0.5"], ["noise=lp:1.5", "delta=0.4"])),
    ("e4", "off", ["estimator=tight", "c=0.6"]), ("e4", "off", ["estimator=tight", "c=0.9"]),
    ("turns", "flipflop", ["gap=loss"]),
    ("turns", "flipflop", ["M=0.4", "gap=loss"]), ("swing", "flipflop", []), ("swing", "flipflop", ["M=0.4"]),
    *(("hard", "off", [f"estimator={e}", "c=0.8"]) for e in ("tight", "trajectory", "regret", "realised", "reused")),
    ("hard", "off", ["estimator=paper"]), ("hard", "off", ["estimator=tight", "c=3"]),
    ("hard", "off", [ONE_HOT, "estimator=tight", "c=0.3"]), ("long", "off", ["estimator=paper"]),
    ("killer", "off", ["estimator=paper"]), ("killer", "off", ["estimator=tight"]),
    ("killer", "off", ["estimator=trajectory", "c=2"]), ("killer", "off", ["estimator=realised"]),
    ("e4", "portfolio", ["today=3", "risk=2"]), ("e4", "portfolio", ["today=3", "risk=0.3", "largest=null", "warm=10"]),
    ("money", "portfolio", ["today=1", "risk=0.1", "largest=null"]), ("hard", "portfolio", ["today=0", "risk=9", "hard=3"]),
    ("e5", "leader", []), ("e5", "hedge", ["rate=fixed", "eta=0.3"]), ("e5", "hedge", []),
    ("e5", "hedge", ["rate=small-loss"]), ("e5", "adahedge", []), ("e5", "flipflop-hedge", []),
    ("e5", "adanormalhedge", []), ("e5", "fpl", []), ("e5", "uniform-gftpl", ["rounds=60"]),
    ("game", "fake-data", ["rounds=60"]), ("game", "flipflop", []), ("game", "ada", []), ("game", "gftpl", []),
    ("money", "ada", []), ("money", "flipflop", []), ("money", "flipflop", ["M=0.5"]),
    ("money", "flipflop", ["track=end"]), ("money", "ada", ["M=3"]),
    ("money", "leader", []), ("sleepers", "adahedge", []), ("sleepers", "flipflop-hedge", []),
    ("sleepers", "adanormalhedge", []), ("nap", "adahedge", []), ("nap", "flipflop-hedge", ["phi=2", "a=1.1"]),
    ("reserves", "flipflop", []), ("reserves", "ada", []), ("reserves", "gftpl", ["certificate=run"]),
    ("reserves", "leader", []), ("reserves", "ada", ["oracle=branch_bound:1"]),
    ("reserves", "flipflop", ["oracle=branch_bound:1"]), ("reserves", "leader", ["oracle=branch_bound:1"]),
    ("reserves", "gftpl", ["oracle=branch_bound:1", "certificate=run"]), ("many", "flipflop", []), ("many", "ada", []),
    ("many", "gftpl", ["certificate=run"]), ("vague", "leader", ["oracle=branch_bound:1"]),
    ("vague", "ada", ["oracle=branch_bound:1", "credit_draws=0"]),
    ("vague", "gftpl", ["oracle=branch_bound:1", "certificate=run", "credit_draws=0"]),
    ("tree", "flipflop", []), ("tree", "ada", []), ("tree", "gftpl", []), ("tree", "leader", []),
    ("trees", "flipflop", []), ("trees", "ada", []),
    ("given", "ada", []), ("given", "flipflop", []), ("given", "gftpl", ["certificate=run"]),
    ("e4", "ada", LATE), ("e5", "ada", LATE), ("hard", "ada", LATE),
]


def write(path, rows):
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))


def make_data(folder):
    """The files of the cases; returns for each kind of data the arguments of `hannan run` before the learner."""
    draw = random.Random(7)
    known = {}
    for name, count in EXPERTS.items():
        rounds = 60 if name != "hard" else 120
        rows = [[round(draw.random() ** (1 + k % 3), 2) for k in range(count)] for _ in range(rounds)]
        if name == "hard":  # two that take turns
            rows = [[t % 2, 1 - t % 2] if t else [0.5, 0] for t in range(rounds)]
        write(folder / f"{name}.csv", rows)
        known[name] = ["experts", "-d", f"{name}.csv"]
    write(folder / "long.csv", [[int(draw.random() < 0.45 + 0.02 * k) for k in range(3)] for _ in range(700)])
    known["long"] = ["experts", "-d", "long.csv"]
    write(folder / "killer.csv", [[t % 2, 1 - t % 2] if t else [0.5, 0] for t in range(1500)])
    known["killer"] = ["experts", "-d", "killer.csv"]
    write(folder / "money.csv", [[round(draw.uniform(-30, 50), 2) for _ in range(4)] for _ in range(60)])
    known["money"] = ["experts", "--param", "range=unknown", "-d", "money.csv"]
    for name, high in (("sleepers", 1), ("nap", 40)):
        rows = [[round(high * draw.random(), 2) if draw.random() < 0.7 else "" for _ in range(4)] for _ in range(60)]
        write(folder / f"{name}.csv", rows)
        more = ["--param", "range=unknown"] if high > 1 else []
        known[name] = ["experts", "--param", "missing=sleep", *more, "-d", f"{name}.csv"]
    rewards = [[0.1, 0.7, 0.4], [0.9, 0.2, 0.3], [0.35, 0.45, 0.85]]
    (folder / "game.json").write_text(json.dumps({"rewards": rewards}))
    write(folder / "game.csv", [[draw.randrange(3)] for _ in range(60)])
    known["game"] = ["finite-game", "--params", "game.json", "-d", "game.csv"]
    for name, bidders, levels, rule in (("reserves", 2, 6, "eager"), ("many", 7, 16, "lazy"), ("vague", 6, 16, "eager")):
        write(folder / f"{name}.csv", [[round(draw.random() ** 1.5, 2) for _ in range(bidders)]
                                       for _ in range(8 if name == "vague" else 24)])
        params = [f"bidders={bidders}", f"levels={levels}", f"rule={rule}"]
        known[name] = ["vcg-reserves", *(part for p in params for part in ("--param", p)), "-d", f"{name}.csv"]
    head = "land,device,a,b,c\n"
    lines = [f"{draw.choice(['de', 'fr', 'it'])},{draw.choice(['x', 'y'])},"
             f"{','.join(str(round(draw.random(), 2)) for _ in range(3))}\n" for _ in range(90)]
    (folder / "tree.csv").write_text(head + "".join(lines))
    known["tree"] = ["experts", "-d", "tree.csv", "--by", "land,device"]
    known["trees"] = ["experts", "-d", "tree.csv", "--by", "land", "--by", "device"]
    noise = [[round(draw.gauss(0, 1), 3) for _ in range(2)] for _ in range(61)]
    known["given"] = ["experts", "-d", "e4.csv", "--set", f"alpha={json.dumps(noise)}"]
    # One is always ahead and loses all the same: the noise grows and moves nothing, so that `moves_upper` is below M P.
    write(folder / "clear.csv", [[round(draw.uniform(0.3, 0.7), 2), 1, round(draw.uniform(0.9, 1), 2)] for _ in range(400)])
    known["clear"] = ["experts", "-d", "clear.csv"]
    # The leader is wrong in every round.
    write(folder / "turns.csv", [[1 - t % 2, t % 2] if t else [0.5, 0] for t in range(400)])
    known["turns"] = ["experts", "-d", "turns.csv"]
    write(folder / "swing.csv", [[-20, 80] if t % 2 else [80, -20] if t else [30, -20] for t in range(400)])
    known["swing"] = ["experts", "--param", "range=unknown", "-d", "swing.csv"]
    return known


def name_of(case):
    data, learner, settings = case
    return " ".join([data, learner, *settings])


def arguments(case, known, record):
    data, learner, settings = case
    args = ["run", *known[data], "-l", learner, "--record", record, "-q"]
    for setting in settings:
        args += ["--track", setting[6:]] if setting.startswith("track=") else ["--set", setting]
    return args


def fnv(text):
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return f"{value:016x}"


def dump(value):
    return json.dumps(value, separators=(",", ":"))


def run(program, args, folder, environment):
    return subprocess.run([program, *args], input="", capture_output=True, text=True, env=environment, timeout=PATIENCE,
                          cwd=folder)


def write_late_record(program, case, path, folder, environment):
    """Outcomes come up to three rounds late, and at times in the wrong order. Returns whether the program did it."""
    rows = [list(map(float, line.split(","))) for line in (folder / f"{case[0]}.csv").read_text().split()][:40]
    problem = {"kind": "experts", "params": {"experts": len(rows[0])}}
    asked = [{"op": "problem", "as": "p", **problem},
             {"op": "learner", "as": "l", "in": "p", "kind": "ada", "params": {"seed": 3, "delayed": True}}]
    waiting = []
    for t in range(1, len(rows) + 1):
        asked.append({"op": "act", "in": "l", "round": t})
        waiting.append(t)
        while len(waiting) > (3 if t % 5 else 1) and t < len(rows):
            place = waiting.pop(1 if t % 7 == 0 and len(waiting) > 1 else 0)
            asked.append({"op": "observe", "in": "l", "round": place, "outcome": rows[place - 1]})
    asked += [{"op": "observe", "in": "l", "round": t, "outcome": rows[t - 1]} for t in waiting]
    asked.append({"op": "report", "in": "l"})
    ran = subprocess.run([program, "pipe"], input="".join(dump(a) + "\n" for a in asked), capture_output=True, text=True,
                         env=environment, timeout=PATIENCE, cwd=folder)
    texts = ran.stdout.splitlines()
    answers = [json.loads(text) for text in texts]
    if ran.returncode or len(answers) != len(asked) or not all(answer["ok"] for answer in answers):
        return False
    version = run(program, ["--version"], folder, environment).stdout.split()[1]
    lines = [{"record": 1, "program": f"hannan {version}", "problem": problem,
              "learner": {"kind": "ada", "params": answers[1]["params"]}}]
    for question, answer in zip(asked[2:-1], answers[2:-1]):
        line = {"t": len(lines)}
        if question["op"] == "act":
            line |= {"decide": question["round"], "action": answer["action"], "multiplier": answer["multiplier"]}
        else:
            line |= {"observe": question["round"], "outcome": question["outcome"]}
            line |= {k: answer[k] for k in ("loss", "settled", "gaps", "stability", "total", "best", "oracle_calls")}
        lines.append(line)
    before = "".join(dump(line) + "\n" for line in lines)
    end = "{" + texts[-1].removeprefix('{"ok":true,')  # as the program writes it, without what only the pipe adds
    end = re.sub(r',"(?:best_proven|best_range|regret_range)":(?:\[[^]]*\]|true|false)', "", end)
    path.write_text(f'{before}{{"end":{end},"digest":"{fnv(before + end)}"}}\n')
    return True


def write_record(program, case, known, path, folder, environment):
    """Whether the program wrote the record of this case."""
    if case[2] == LATE:
        return write_late_record(program, case, path, folder, environment)
    return run(program, arguments(case, known, str(path)), folder, environment).returncode in (0, 1) and path.exists()
