"""Keeps what no compiler checks: lengths of files, names that say nothing, calls the library must not make.

    words_check.py ROOT
"""

import pathlib
import re
import sys

LONGEST = 400  # lines of a file

EVERYWHERE = {
    r"\bstd::\w+_distribution\b": "differs between compilers: draw from hannan::KeyedRandom",
    r"\bstd::(mt19937|minstd_rand|default_random_engine)": "draw from hannan::KeyedRandom",
    r"\b(TODO|FIXME|XXX)\b": "finish it, or leave it out",
}
REPEATABLE = {  # all but the service, whose names of nodes and ids must differ from run to run
    r"\bstd::random_device\b": "draw from hannan::KeyedRandom",
}
LIBRARY = {
    r"\bstd::(cout|cerr|clog)\b": "the library never prints",
    r"\b(std::)?(printf|puts|fputs)\(": "the library never prints",
    r"\bstd::(exit|abort|terminate|quick_exit)\(": "the library never exits: throw hannan::Error",
    r"\b(std::)?getenv\(": "the library never reads globals",
}
EMPTY_NAMES = re.compile(r"(^|_)(utils?|helpers?|manager|common|misc)(_|\.)")


def objections(path, text):
    """What is wrong with one file, as lines `path:line: reason`."""
    found = []
    if EMPTY_NAMES.search(path.rsplit("/", 1)[-1]):
        found.append(f"{path}: the name says nothing")
    lines = text.splitlines()
    if len(lines) > LONGEST:
        found.append(f"{path}: {len(lines)} lines, at most {LONGEST}")
    library = path.startswith("hannan/") and not path.endswith("_test.cpp")
    rules = EVERYWHERE | (LIBRARY if library else {}) | ({} if path.startswith("service/") else REPEATABLE)
    for number, line in enumerate(lines, 1):
        found += [f"{path}:{number}: {reason}" for rule, reason in rules.items() if re.search(rule, line)]
    return found


def check(root):
    root = pathlib.Path(root)
    files = sorted(f for place in ("hannan", "cli", "service", "python", "tests", "bench", "examples") for f in (root / place).rglob("*.?pp"))
    found = []
    for file in files:
        found += objections(file.relative_to(root).as_posix(), file.read_text())
    return found, len(files)


if __name__ == "__main__":
    found, count = check(sys.argv[1])
    print("\n".join(found) or f"{count} files, nothing to say")
    sys.exit(1 if found or count == 0 else 0)
