"""Names and formats that docs/stability.md promises, held against the lists beside this file: stable_test.py HANNAN [--write | --exact]

A list has a line for each name: of Python, error codes, routes, and of files and answers each field with its path. A name
that is gone fails the test. A new one is printed and allowed, for nothing that worked stops working; --exact, which a release
demands, fails on these too, and --write puts them into the lists."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
from site_parts import commands as site_commands  # noqa: E402
from site_parts import cpp_api, python_api  # noqa: E402

LOG = ["-d", ROOT / "examples/logs/exchange.csv", "--format", "long", "--round", "auction", "--bidder", "buyer", "--bid", "amount",
       "--timestamp", "time", "--currency", "USD"]
PRICES = ["vcg-reserves", "--prices", "linear:16:16"]


def paths(value, at=""):
    """Every field of a JSON value, as a.b[].c; the lists of numbers below one have no further names."""
    if isinstance(value, dict):
        for name, inside in value.items():
            yield f"{at}.{name}".lstrip(".")
            yield from paths(inside, f"{at}.{name}")
    elif isinstance(value, list):
        for inside in value:
            yield from paths(inside, f"{at}[]")


class Program:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder

    def run(self, *words, text=""):
        done = subprocess.run([self.binary, *map(str, words)], cwd=self.folder, input=text, capture_output=True, text=True, timeout=300)
        if done.returncode not in (0, 1):
            sys.exit(f"hannan {' '.join(map(str, words))}: found exit status {done.returncode}: {done.stderr}")
        return done.stdout

    def json(self, name):
        return json.loads((self.folder / name).read_text())

    def lines(self, name):
        return [json.loads(line) for line in (self.folder / name).read_text().splitlines()]


def python_names():
    for module, names in python_api.public(ROOT).items():
        for one in names:
            yield f"{module}.{one.name}"
            yield from (f"{module}.{one.name}.{member.name}" for member in one.members)


def cpp_names():
    for header, names in cpp_api.names(ROOT).items():
        yield f"#include <{header}>"
        yield from (f"{header}: {one.path}" for one in cpp_api.flat(names))


def error_codes():
    yield from re.findall(r"^\| (H\d{3}) \|", (ROOT / "docs/errors.md").read_text(), re.MULTILINE)


def routes():
    whole = json.loads((ROOT / "service/openapi.json").read_text())
    for path, methods in whole["paths"].items():
        for method, about in methods.items():
            if method == "parameters":
                continue
            yield f"{method.upper()} {path}"
            yield from (f"{method.upper()} {path} ?{one['name']}" for one in about.get("parameters", []) if one.get("in") == "query")
    for name, schema in whole["components"]["schemas"].items():
        yield from (f"{name}.{field}" for field in schema.get("properties", {}))


def commands(program):
    """Commands and the long names of their flags."""
    for name, _ in site_commands.names_of(program.run("--help")) + site_commands.KINDS:
        yield name
        yield from (f"{name} {flag}" for flag in re.findall(r"^  (?:-\w,)?(--[a-z][\w-]*)", program.run(*name.split(), "--help-all"), re.MULTILINE))


def run_files(program):
    """The formats of a run: record, state, summary."""
    program.run("simulate", "experts", "--rounds", "40", "--experts", "4", "-o", "losses.csv", "-q")
    program.run("run", "experts", "-d", "losses.csv", "--record", "run.jsonl", "--save", "state.json", "--summary", "summary.json", "-q")
    yield "record", (path for line in program.lines("run.jsonl") for path in paths(line))
    yield "state", paths(program.json("state.json"))
    yield "summary", paths(program.json("summary.json"))


def compared_files(program):
    """The formats of a comparison: result, decisions, price floors."""
    program.run("compare", *PRICES, *LOG, "-l", "flipflop", "-o", "result.json", "--decisions", "next.json", "--floors", "floors.json", "-q")
    # Names of players and series are no part of the format.
    yield "result", (re.sub(r"^(players|money|judgements)\.[^.\[]+", r"\1.*", path) for path in paths(program.json("result.json")))
    yield "decisions", paths(program.json("next.json"))
    yield "floors", (re.sub(r"^(values)\..*", r"\1.*", path) for path in paths(program.json("floors.json")))


def solved_file(program):
    program.run("solve", "experts", "-d", "losses.csv", "-o", "solution.json", "-q")
    yield "solution", paths(program.json("solution.json"))


def pipe_answers(program):
    lines = [{"op": "hello"}, {"op": "problem", "as": "p", "kind": "experts", "params": {"experts": 3}}, {"op": "actions", "in": "p"},
             {"op": "loss", "in": "p", "action": 0, "outcome": [1, 0, 0]}, {"op": "best", "in": "p", "data": [{"weight": 1, "outcome": [1, 0, 0]}], "keep": 2},
             {"op": "learner", "as": "me", "in": "p", "kind": "flipflop", "params": {"seed": 1}}, {"op": "act", "in": "me"},
             {"op": "observe", "in": "me", "outcome": [1, 0, 0]}, {"op": "report", "in": "me"}, {"op": "save", "in": "me"},
             {"op": "bound", "name": "emax_bits", "params": {"N": 3}}, {"op": "gone"}]
    said = program.run("pipe", text="".join(json.dumps(line) + "\n" for line in lines))
    for line, reply in zip(lines, said.splitlines(), strict=True):
        yield from (f"{line['op']}: {path}" for path in paths(json.loads(reply)) if not path.startswith("state."))


def found_now(binary):
    """list -> the names that there are."""
    found = {"python": python_names(), "errors": error_codes(), "http": routes()}
    if not cpp_api.lacking():
        found["cpp"] = cpp_names()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(binary, pathlib.Path(folder))
        found["commands"] = commands(program)
        found["pipe"] = pipe_answers(program)
        found = {name: set(names) for name, names in found.items()}
        for files in (run_files, compared_files, solved_file):
            found |= {name: set(names) for name, names in files(program)}
    return found


def main():
    binary, mode = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2] if len(sys.argv) > 2 else ""
    if cpp_api.lacking():
        print("cpp: left out, for doxygen is not installed: scripts/setup --site installs it")
        if mode:
            sys.exit(1)
    wrong = 0
    for name, now in found_now(binary).items():
        file = HERE / f"{name}.txt"
        if not now:
            sys.exit(f"{name}: found no name at all, expected some")
        if mode == "--write":
            file.write_text("".join(f"{one}\n" for one in sorted(now)))
            continue
        promised = set(file.read_text().splitlines())
        for one in sorted(promised - now):
            wrong += 1
            print(f"{name}: {one} is gone: keep it, or say so in CHANGELOG.md and docs/stability.md and run {' '.join(sys.argv[:2])} --write")
        for one in sorted(now - promised):
            wrong += mode == "--exact"
            print(f"{name}: {one} is new; --write puts it on the list")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
