"""same_bytes.py BINARY1 BINARY2: two builds of the program give the same bytes on a fixed set of runs.

The same seed must give the same decisions, records, states and reports whatever the compiler and its level
of optimisation, and on every architecture; this compares all of them.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.argv, BINARIES = sys.argv[:1], sys.argv[1:]
from program import LEARNERS, csv_text, losses  # noqa: E402  (program reads sys.argv)

STREAMS = ("iid", "small-loss", "drift", "elimination", "killer", "feed-killer", "branch-killer", "aimed", "aimed-trajectory", "aimed-regret", "adaptive", "infer")
# Games whose outcomes are not numbers in a table; some of them do not list their actions.
GAMES = (("vcg-reserves", "--param", "bidders=3", "--param", "levels=8"),
         ("item-pricing", "--param", "items=2", "--param", "levels=6"),
         ("multi-unit", "--param", "bidders=4", "--param", "units=40"),
         ("level-auction", "--param", "bidders=2", "--param", "levels=5", "--param", "thresholds=2"))
PIPE = b"""{"op":"problem","as":"p","kind":"experts","params":{"experts":9}}
{"op":"noise_size","in":"p","perturbation":"bits","noise":"laplace"}
{"op":"noise_size","in":"p","perturbation":"thermometer","noise":"lp:3"}
{"op":"problem","as":"g","kind":"finite-game","params":{"rewards":[[0,1,"1/3"],[1,0,"2/3"],["1/7",1,0]]}}
{"op":"conditions","in":"g","perturbation":"outcomes","outcomes":[0,1,2]}
{"op":"learner","as":"l","in":"g","kind":"fake-data","params":{"epsilon":0.2,"seed":4}}
{"op":"observe","in":"l","outcome":2}
{"op":"observe","in":"l","outcome":0}
{"op":"report","in":"l"}
{"op":"bound","name":"thm1_paper","params":{"K":64,"N":6,"gamma":6,"c":1,"best":100}}
{"op":"bound","name":"emax_identity","params":{"K":65}}
"""


def everything(binary, folder):
    """Name -> bytes of all that the runs print and write."""
    binary = str(pathlib.Path(binary).resolve())
    data = folder / "losses.csv"
    data.write_bytes(csv_text(losses(200, 9, seed=8)))
    found = {}

    def run(name, *args, stdin=b""):
        done = subprocess.run([binary, *args], cwd=folder, input=stdin, capture_output=True, timeout=300)
        if done.returncode != 0:
            sys.exit(f"{binary}: {name}: {done.stderr.decode()}")
        found[name] = done.stdout + done.stderr

    for learner in LEARNERS:
        run(f"run {learner}", "run", "experts", "-d", "losses.csv", *learner, "--seed", "11", "-p", "decisions", "--record",
            "record", "--save", "state")
        for kind in ("decisions", "record", "state"):
            found[f"{kind} {learner}"] = (folder / kind).read_bytes()
        run(f"report {learner}", "report", "record", "--json")
    for stream in STREAMS:
        run(f"stream {stream}", "simulate", "experts", "--stream", stream, "--rounds", "500", "--experts", "6", "--hits", "2",
            "--runs", "3", "--seed", "12", "-l", "flipflop", "-l", "gftpl", "-l", "hedge", "-l", "off:estimator=regret", "--json")
    for game in GAMES:
        run(f"outcomes {game[0]}", "simulate", *game, "--stream", "lognormal", "--rounds", "200", "--seed", "13", "-o",
            "outcomes.jsonl")
        found[f"outcomes {game[0]}"] = (folder / "outcomes.jsonl").read_bytes()
        run(f"run {game[0]}", "run", *game, "-d", "outcomes.jsonl", "--seed", "14", "--record", "record")
        found[f"record {game[0]}"] = (folder / "record").read_bytes()
        run(f"verify {game[0]}", "verify", "record")
    run("pipe", "pipe", stdin=PIPE)
    run("signature", "bench", "--only", "signature", "--json", "-q")
    found["signature"] = json.loads(found["signature"])["signature"].encode()
    return found


def main():
    results = []
    for binary in BINARIES:
        with tempfile.TemporaryDirectory() as folder:
            results.append(everything(binary, pathlib.Path(folder)))
    differing = [name for name in results[0] if results[0][name] != results[1][name]]
    for name in differing:
        print(f"differs: {name}")
        for one, other in zip(results[0][name].splitlines(), results[1][name].splitlines()):
            if one != other:
                print(f"  {one[:300]}\n  {other[:300]}")
                break
    print(f"{len(results[0])} outputs compared, {len(differing)} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    if len(BINARIES) != 2:
        sys.exit("usage: same_bytes.py BINARY1 BINARY2")
    sys.exit(main())
