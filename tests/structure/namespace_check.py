"""Checks which names are public: what hannan/hannan.hpp and hannan/problems.hpp include is in hannan, what they do not even
reach in hannan::detail; a header between the two holds values that a user meets, or code that templates need. The tests of
x_test.cpp are in a namespace x_test of their own: several such files may be compiled as one.

    namespace_check.py ROOT

Prints each file of the library or a program below ROOT that opens another namespace, and fails if there is one.
Namespaces below these two (hannan::bounds, hannan::detail::limits) are fine, and so are those of other libraries.
"""

import pathlib
import re
import sys

PUBLIC_HEADER = "hannan/hannan.hpp"
LISTS = (PUBLIC_HEADER, "hannan/problems.hpp")  # a user includes these
INCLUDE = re.compile(r'^\s*#\s*include\s+"(hannan/[^"]+)"', re.MULTILINE)
NAMESPACE = re.compile(r"^namespace (hannan[\w:]*) \{", re.MULTILINE)
OWN_NAMESPACE = re.compile(r"^namespace (?:hannan[\w:]*::)?(\w+_test|) ?\{", re.MULTILINE)


def public_headers(texts):
    """The headers that a user's program sees: what the two reach. texts: path -> content."""
    found, waiting = set(), list(LISTS)
    while waiting:
        path = waiting.pop()
        if path not in found and path in texts:
            found.add(path)
            waiting += INCLUDE.findall(texts[path])
    return found


def listed_headers(texts):
    """The headers that a user is told of."""
    return {name for path in LISTS for name in INCLUDE.findall(texts.get(path, ""))}


def objections_to_tests(texts):
    """All that is wrong, as lines. texts: path of a test -> its content."""
    names = {path: pathlib.PurePosixPath(path).stem for path in texts}
    return [f"{path}: expected one namespace {name}, which holds all tests and no other file has"
            for path, name in sorted(names.items())
            if OWN_NAMESPACE.findall(texts[path]) != [name] or list(names.values()).count(name) > 1]


def objections(texts):
    """All that is wrong, as lines. texts: path of a header -> its content."""
    public, listed = public_headers(texts), listed_headers(texts)
    found = []
    for path, text in sorted(texts.items()):
        for name in NAMESPACE.findall(text):
            detail = (name + "::").startswith("hannan::detail::")
            if path in listed and detail:
                found.append(f"{path}: {name}: {PUBLIC_HEADER} lists it: its namespace is hannan")
            if path not in public and not detail:
                found.append(f"{path}: {name}: {PUBLIC_HEADER} does not reach it: its namespace is hannan::detail")
    return found


def texts_of(root, pattern, places):
    return {f.relative_to(root).as_posix(): f.read_text() for place in places for f in (root / place).rglob(pattern)}


def check(root):
    """All that is wrong, and the numbers of headers and tests read."""
    root = pathlib.Path(root)
    headers = texts_of(root, "*.hpp", ("hannan", "cli", "service", "python", "bench"))
    tests = texts_of(root, "*_test.cpp", ("hannan", "service", "tests"))
    return objections(headers) + objections_to_tests(tests), (len(headers), len(tests))


if __name__ == "__main__":
    wrong, (headers, tests) = check(sys.argv[1])
    print("\n".join(wrong) or f"{headers} headers, each in the namespace of its readers; {tests} tests, each in its own")
    sys.exit(1 if wrong or not headers or not tests else 0)
