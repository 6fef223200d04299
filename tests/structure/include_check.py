"""Keeps the arrows between the rooms of the house: who may include whom.

    include_check.py ROOT

Reads every source and header under ROOT/hannan and ROOT/cli, prints each include that points the
wrong way, and fails if there is one. Tests (x_test.cpp) may look anywhere.
"""

import pathlib
import re
import sys

# A room sees itself, core, and these.
PARTS = ["noise", "schedules", "perturbations", "oracles", "learners"]
SEES = {
    "core": [],
    "certify": [],
    "io": [],
    **{part: [] for part in PARTS},
    "problems": ["io", "perturbations", "oracles"],
    "game": ["noise", "io", "problems"],
    "engine": [*PARTS, "certify", "io", "problems", "game"],
    "verify": ["engine", "io", "certify"],
    "report": ["verify", "io"],
    "cli": ["engine", "verify", "report", "io", "certify", "game"],
}
# The checker shares nothing with what it checks: of the engine it sees the face, of certify the formulas.
VERIFY_SEES = {"hannan/runtime/any_problem.hpp", "hannan/certify/bounds.hpp", "hannan/certify/emax.hpp"}

# Third-party types stay inside one source file, so none of these stands in a header.
FOREIGN = re.compile(r"<(nlohmann/|simdjson|zlib|expat|toml\+\+|coin/|Clp|Coin|Osi|Cbc|Random123/|CLI/|fmt/|hwy/|gtest/|rapidcheck)")

INCLUDE = re.compile(r'^\s*#\s*include\s+(<[^>]+>|"[^"]+")', re.MULTILINE)


def objection(path, target):
    """Why the file at `path` (relative to the root) must not include `target`; None where it may."""
    room = "cli" if path.startswith("cli/") else path.split("/")[1]
    if target.startswith("<"):
        if path.startswith("hannan/") and path.endswith(".hpp") and FOREIGN.match(target):
            return "a third-party header stays inside a .cpp"
        return None
    target = target.strip('"')
    if not target.startswith("hannan/"):
        return None if room == "cli" else "write it as hannan/room/file.hpp"
    if path.count("/") == 1 and room != "cli":  # hannan/hannan.hpp, the public face
        return None
    seen = target.split("/")[1]
    if seen == "hannan.hpp":
        return "the library does not include its own public face"
    if room not in SEES:
        return f"{room}/ is no room of the house"
    if seen not in [room, "core", *SEES[room]]:
        return f"{room} does not see {seen}"
    if room == "verify" and seen in ("engine", "certify") and target not in VERIFY_SEES and not path.endswith("_test.cpp"):
        return f"the checker does not see {target}"
    return None


def crossings(registered, includes):
    """Which registered problems reach another one, directly or through pieces they share.

    includes: header or source -> what it includes, both as hannan/problems/name.?pp.
    """
    found = []
    for problem in registered:
        reached, waiting = set(), [f"hannan/problems/{problem}{end}" for end in (".hpp", ".cpp")]
        while waiting:
            file = waiting.pop()
            if file not in reached:
                reached.add(file)
                waiting += includes.get(file, [])
        found += [f"hannan/problems/{problem}: reaches {other}.hpp: no problem includes another"
                  for other in registered if other != problem and f"hannan/problems/{other}.hpp" in reached]
    return found


def check(root):
    """All objections, as lines `path: target: reason`, and the number of files read."""
    root = pathlib.Path(root)
    files = sorted(f for place in ("hannan", "cli") for f in (root / place).rglob("*.?pp"))
    files = [f for f in files if not f.name.endswith("_test.cpp")]
    found, includes = [], {}
    for file in files:
        path = file.relative_to(root).as_posix()
        targets = INCLUDE.findall(file.read_text())
        found += [f"{path}: {target}: {reason}" for target in targets if (reason := objection(path, target))]
        includes[path] = [target.strip('"') for target in targets]
    registry = root / "hannan/problems/all.hpp"
    lines = registry.read_text() if registry.exists() else ""
    found += crossings(re.findall(r"^HANNAN_PROBLEM\((\w+),", lines, re.MULTILINE), includes)
    return found, len(files)


if __name__ == "__main__":
    objections, count = check(sys.argv[1])
    print("\n".join(objections) or f"{count} files, every arrow points one way")
    sys.exit(1 if objections or count == 0 else 0)
