"""Checks that the modules of the Python package import each other without a circle.

    python_imports.py ROOT

Imports inside functions and under TYPE_CHECKING count: they hide a circle from the interpreter, not from a reader.
Prints each circle as the modules along it, and fails if there is one.
"""

import ast
import pathlib
import sys


def imported(text):
    """The modules of the same package that a module imports, by name."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found |= {node.module.split(".")[0]} if node.module else {alias.name for alias in node.names}
    return found


def circles(imports):
    """One circle per module that closes one: lists of names that begin and end with the same module."""
    found, finished = [], set()

    def walk(name, chain):
        if name in chain:
            found.append([*chain[chain.index(name):], name])
        elif name not in finished:
            for target in sorted(imports.get(name, ())):
                walk(target, [*chain, name])
            finished.add(name)

    for name in sorted(imports):
        walk(name, [])
    return found


def main(root):
    package = pathlib.Path(root, "python", "hannan")
    files = [path for ending in ("*.py", "*.pyi") for path in sorted(package.glob(ending))]
    if not files:
        print(f"found no module in {package}")
        return 1
    found = circles({path.stem: imported(path.read_text()) - {path.stem} for path in files})
    for circle in found:
        print(" -> ".join(circle) + ": move what they share into a module below them")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
