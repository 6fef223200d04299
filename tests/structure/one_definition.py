"""Finds classes of one name that are defined twice in one namespace.

    one_definition.py ROOT

Two such classes compile and link, and then the functions of one run on objects of the other, depending on the order in
which files are linked. Reads every source and header of the library, the program and the benchmarks, except tests,
prints each name that stands in more than one file, and fails if there is one.
"""

import collections
import pathlib
import re
import sys

# What decides where a definition stands: text to pass over, scopes that open, and scopes that close.
TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'"""
    r"""|(?P<space>\bnamespace\b\s*(?P<named>[\w:]*)\s*\{)"""
    r"""|(?P<kind>(?<![<,]\s)(?<!<)\b(?:class|struct|enum\s+class|enum)\s+\w+\b(?!::)[^;{}()<>,]*(?:<[^;{}]*>)?[^;{}()<>,]*\{)"""
    r"""|(?P<open>\{)|(?P<close>\})""",
    re.DOTALL)
NAME = re.compile(r"(?:class|struct|enum)\s+(?!class\b)(\w+(?:<[^<>{}]*>)?)")


def definitions(text):
    """The full names of classes and enumerations defined in named namespaces; specialisations with their arguments."""
    found, scopes = [], []
    for token in TOKEN.finditer(text):
        if token["space"]:
            scopes.append(token["named"] or None)
        elif token["kind"]:
            if scopes and all(scopes):
                found.append("::".join([*scopes, NAME.search(token["kind"])[1]]))
            scopes.append(None)
        elif token["open"]:
            scopes.append(None)
        elif token["close"] and scopes:
            scopes.pop()
    return found


def doubles(files):
    """files: path -> text. Lines `name: path, path` for every name defined in more than one file."""
    places = collections.defaultdict(set)
    for path, text in files.items():
        for name in definitions(text):
            places[name].add(path)
    return [f"{name}: {', '.join(sorted(where))}" for name, where in sorted(places.items()) if len(where) > 1], len(places)


def read(root):
    root = pathlib.Path(root)
    files = [file for place in ("hannan", "cli", "service", "python", "bench") for file in sorted((root / place).rglob("*.?pp"))]
    return {file.relative_to(root).as_posix(): file.read_text() for file in files if not file.name.endswith("_test.cpp")}


if __name__ == "__main__":
    twice, count = doubles(read(sys.argv[1]))
    print("\n".join(twice) or f"{count} classes, each defined once")
    sys.exit(1 if twice or count == 0 else 0)
