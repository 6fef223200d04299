"""Replays the vectors of games through `hannan pipe` and `hannan verify`: games_vectors.py BINARY FOLDER [FOLDER...].

`value`: both bounds against the exact value, the best single action, and the answer verifies. `check`: files that must be
accepted, or not. `refuse`: requests and their codes. Strings are exact fractions. The other kinds of the folder are
replayed by hannan/solve/solve_vectors_test.cpp.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
from fractions import Fraction

from core_vectors import Check
from pipe_client import Pipe, PipeError


def accepted(binary, solution):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "solution.json"
        path.write_text(json.dumps(solution))
        done = subprocess.run([binary, "verify", str(path)], capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def check_value(check, binary, pipe, vector):
    inputs, expected = vector["inputs"], vector["expected"]
    pipe.ask("problem", **{"as": "p", **inputs["problem"]})
    answer = pipe.ask("solve", of="p", scenarios=inputs["scenarios"], cap=inputs["cap"], regret=inputs["regret"])
    value, unit = float(Fraction(expected["value"])), answer["unit"]
    check.same("open", answer["open"], False)
    check.same("lower", answer["lower"] <= value + 1e-8 * unit, True)
    check.same("upper", answer["upper"] >= value - 1e-8 * unit, True)
    check.same("gap", answer["upper"] - answer["lower"] <= 2e-6 * unit, True)
    single = expected["best_single"]
    check.near("best single", answer["best_single"]["worst"], float(Fraction(single["worst"])))
    if single["count"] == 1:
        check.same("best single action", answer["best_single"]["action"], single["first"])
    verified, said = accepted(binary, {name: field for name, field in answer.items() if name != "ok"})
    check.same("verifies", (verified, said if not verified else ""), (True, ""))


def check_check(check, binary, unused, vector):
    verified, said = accepted(binary, vector["inputs"]["solution"])
    check.same("accepted " + said, verified, vector["expected"]["accepted"])


def check_refuse(check, unused, pipe, vector):
    request = dict(vector["inputs"])
    pipe.ask("problem", **{"as": "p", **request.pop("problem")})
    try:
        check.faults.append(f"answered {pipe.ask('solve', of='p', **request)}")
    except PipeError as e:
        check.same("code", e.error["code"], vector["expected"]["code"])


CHECKS = {"value": check_value, "check": check_check, "refuse": check_refuse}


def main(binary, folders):
    failed = played = 0
    with Pipe(binary) as pipe:
        for path in sorted(path for folder in folders for path in pathlib.Path(folder).glob("*.json")):
            file = json.loads(path.read_text())
            if file["kind"] not in CHECKS:
                continue
            for vector in file["vectors"]:
                check = Check()
                CHECKS[file["kind"]](check, binary, pipe, vector)
                played += 1
                failed += bool(check.faults)
                for fault in check.faults:
                    print(f"{path.name} {vector['id']}: {fault}")
    print(f"{played - failed} of {played} vectors hold")
    return 1 if failed or not played else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
