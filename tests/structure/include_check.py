"""Checks who includes whom: dependencies between folders point one way.

    include_check.py ROOT

Reads every source and header of the library and the programs below ROOT, follows includes of includes, prints each one
that points the wrong way with the chain of files that leads to it, and fails if there is one. Tests (x_test.cpp) may
include anything.
"""

import pathlib
import re
import sys

# From the lowest layer up. A folder includes itself and folders of lower layers; folders of one layer do not include
# each other.
LAYERS = [
    ["core"],
    ["io"],
    ["game"],
    ["noise", "schedules", "perturbations", "oracles", "certify"],
    ["contexts"],
    ["forecasts"],
    ["problems"],
    ["streams", "bidlog"],
    ["external", "check"],
    ["learners"],
    ["solve"],
    ["runtime"],
    ["play"],
    ["compare", "experiment", "fold", "verify"],
    ["report"],
    ["cli", "python"],
    ["service", "bench"],
]
LEVEL = {folder: level for level, folders in enumerate(LAYERS) for folder in folders}
PROGRAMS = ("cli", "python", "service", "bench")  # folders beside hannan/

# The verifier shares no code with what it checks. Besides core and io it includes the interface of problems: Game (what
# an action loses, the problem's matrices and its own search) and the function that makes one by name. What Game itself
# needs is reached through it; no other folder is reached at all, certify/ least of all: the formulas of the theorems
# are stated a second time in verify/.
VERIFY_SEES = {
    "hannan/game/game.hpp",
    "hannan/runtime/make_game.hpp",
}
VERIFY_REACHES = ("verify", "core", "io", "game", "runtime")

# Each third-party library stays inside one source file, and what only that one includes.
THIRD_PARTY = {
    "nlohmann/": "hannan/io/json.cpp",
    "simdjson": "hannan/io/bulk_json.cpp",
    "zlib": "hannan/io/bytes.cpp",
    "expat": "hannan/io/graph_xml.cpp",
    "toml++/": "hannan/io/toml.cpp",
    "coin/": "hannan/certify/clp.hpp",
    "openssl/": "hannan/core/sha256.cpp",
    "Random123/": "hannan/core/keyed_random.cpp",
    "hwy/": "hannan/oracles/argmin.cpp",
    "CLI/": "cli/parse.cpp",
    "boost/": ("service/http_server.cpp", "service/http_session.hpp", "service/http_listener.hpp", "service/http_text.hpp", "service/http_shared.hpp", "service/forwarder.cpp"),
    "sqlite3": "service/sqlite_connection.hpp",
    "libpq": "service/postgres_connection.hpp",
}
SOURCES_ONLY = ("fmt/",)  # text is formatted in many places: any source file, no header

INCLUDE = re.compile(r'^\s*#\s*include\s+(<[^>]+>|"[^"]+")', re.MULTILINE)


def folder_of(path):
    """The folder with a layer that a file belongs to; None for hannan/hannan.hpp."""
    parts = path.split("/")
    if parts[0] in PROGRAMS:
        return parts[0]
    return parts[1] if len(parts) > 2 else None


def problem_of(path):
    """The problem that a file belongs to; None for what problems share and for everything else."""
    parts = path.split("/")
    return parts[2] if parts[:2] == ["hannan", "problems"] and len(parts) > 3 else None


def third_party_objection(path, header):
    for name, places in THIRD_PARTY.items():
        if header.startswith(name) and path not in ([places] if isinstance(places, str) else places):
            return f"only {places} includes <{name}...>"
    if header.startswith(SOURCES_ONLY) and not path.endswith(".cpp"):
        return "a third-party header stays in source files"
    return None


def objection(path, target):
    """Why the file at `path` (relative to the root) must not reach `target`; None where it may."""
    folder, seen = folder_of(path), folder_of(target)
    if folder is None:  # the public header
        return None
    if seen is None and folder == "bench":  # measures the library as its users have it
        return None
    if seen is None:
        return "the library does not include its own public header"
    for name in (folder, seen):
        if name not in LEVEL:
            return f"{name}/ has no layer; add it to LAYERS"
    if folder != seen and LEVEL[folder] <= LEVEL[seen]:
        return f"{folder} does not include {seen}"
    if problem_of(path) and problem_of(target) and problem_of(path) != problem_of(target):
        return "no problem includes another"
    if folder == "verify" and seen not in VERIFY_REACHES:
        return f"the verifier shares nothing with {seen}"
    return None


def direct_objection(path, include):
    """What is wrong with one include as it is written; None where nothing is."""
    target = include[1:-1]
    if include.startswith("<"):
        return third_party_objection(path, target)
    if path.startswith("hannan/") and not target.startswith("hannan/"):
        return "write it as hannan/folder/file.hpp"
    if folder_of(path) == "verify" and folder_of(target) not in ("verify", "core", "io") and target not in VERIFY_SEES:
        return f"the verifier does not include {target}"
    return None


def resolved(path, target, includes):
    """The path of an included file; files beside a program's are included by their names alone."""
    beside = path.rsplit("/", 1)[0] + "/" + target
    return beside if path.startswith(PROGRAMS) and beside in includes else target


def chains(start, includes):
    """Every file that `start` reaches, with the shortest chain of includes that leads there."""
    found, waiting = {}, [[start]]
    for chain in waiting:  # grows while it is walked: breadth first
        for target in includes.get(chain[-1], []):
            if target not in found and target != start:
                found[target] = [*chain, target]
                waiting.append(found[target])
    return found


def objections(written):
    """All that is wrong, as lines. written: file -> its includes as written, with their brackets or quotes."""
    found = [f"{path}: {include}: {reason}" for path, all_of_it in written.items()
             for include in all_of_it if (reason := direct_objection(path, include))]
    includes = {path: [resolved(path, include[1:-1], written) for include in all_of_it if include.startswith('"')]
                for path, all_of_it in written.items()}
    for path in written:
        found += [f"{' -> '.join(chain)}: {reason}" for target, chain in chains(path, includes).items()
                  if target.startswith(("hannan/", *(f"{p}/" for p in PROGRAMS)))
                  and (reason := objection(path, target))]
    return found


def check(root):
    """All that is wrong, and the number of files read."""
    root = pathlib.Path(root)
    files = sorted(f for place in ("hannan", *PROGRAMS) for f in (root / place).rglob("*.?pp"))
    files = [f for f in files if not f.name.endswith("_test.cpp")]
    return objections({f.relative_to(root).as_posix(): INCLUDE.findall(f.read_text()) for f in files}), len(files)


if __name__ == "__main__":
    wrong, count = check(sys.argv[1])
    print("\n".join(wrong) or f"{count} files, every include points one way")
    sys.exit(1 if wrong or count == 0 else 0)
