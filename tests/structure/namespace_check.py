"""Checks which names are public: what hannan/hannan.hpp reaches is in hannan, every other header in hannan::detail.

    namespace_check.py ROOT

Prints each header of the library or a program below ROOT that opens another namespace, and fails if there is one.
Namespaces below these two (hannan::bounds, hannan::detail::limits) are fine, and so are those of other libraries.
"""

import pathlib
import re
import sys

PUBLIC_HEADER = "hannan/hannan.hpp"
INCLUDE = re.compile(r'^\s*#\s*include\s+"(hannan/[^"]+)"', re.MULTILINE)
NAMESPACE = re.compile(r"^namespace (hannan[\w:]*) \{", re.MULTILINE)


def public_headers(texts):
    """The headers that a user's program sees. texts: path -> content."""
    found, waiting = set(), [PUBLIC_HEADER]
    while waiting:
        path = waiting.pop()
        if path not in found and path in texts:
            found.add(path)
            waiting += INCLUDE.findall(texts[path])
    return found


def objections(texts):
    """All that is wrong, as lines. texts: path of a header -> its content."""
    public = public_headers(texts)
    found = []
    for path, text in sorted(texts.items()):
        for name in NAMESPACE.findall(text):
            detail = (name + "::").startswith("hannan::detail::")
            if path in public and detail:
                found.append(f"{path}: {name}: {PUBLIC_HEADER} reaches it: its namespace is hannan")
            if path not in public and not detail:
                found.append(f"{path}: {name}: {PUBLIC_HEADER} does not reach it: its namespace is hannan::detail")
    return found


def check(root):
    """All that is wrong, and the number of headers read."""
    root = pathlib.Path(root)
    files = [f for place in ("hannan", "cli", "service", "python", "bench") for f in (root / place).rglob("*.hpp")]
    texts = {f.relative_to(root).as_posix(): f.read_text() for f in files}
    return objections(texts), len(texts)


if __name__ == "__main__":
    wrong, count = check(sys.argv[1])
    print("\n".join(wrong) or f"{count} headers, each in the namespace of its readers")
    sys.exit(1 if wrong or count == 0 else 0)
