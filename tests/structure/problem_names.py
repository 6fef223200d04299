"""Keeps the names of problems inside hannan/problems: all other code asks what a problem says of itself.

    problem_names.py ROOT

Reads the names from the lines `kKind = "..."` of hannan/problems, and refuses, outside that folder, a string that is one of them, a
longer string that has a name of two words in it, and an include of a problem's own header. Tests, comments and docstrings may name
problems, and so may commands that are shown: strings that begin with "hannan ", and what stands in `examples = {...}`.
"""

import ast
import pathlib
import re
import sys

PLACES = ("hannan", "cli", "service", "python")  # bench/ is left out: a race names what it races
KIND = re.compile(r'kKind\s*=\s*"([a-z-]+)"')
INCLUDE = re.compile(r'^\s*#\s*include\s+"(hannan/problems/[a-z_]+/[^"]+)"')

# Files that may name a problem, each with its reason.
EXCEPT = {
    "hannan/streams/loss_stream.hpp": "kStreamActions: the parameter of a stream that has the word in it",
    "python/hannan/sklearn.py": "an estimator over one problem, which it is made for",
    "python/hannan/river.py": "a model over one problem, which it is made for",
}

# A comment, a raw string, a string, a character.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((?P<raw>.*?)\)\1"|"(?P<plain>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)
EXAMPLES = re.compile(r"examples\s*=\s*\{")


def strings_of_cpp(text):
    """(line, string) of every string of C++ that is no example of a command."""
    end_of_examples, found = 0, []
    for token in TOKEN.finditer(text):
        string = token["raw"] if token["raw"] is not None else token["plain"]
        if string is None or token.start() < end_of_examples:
            continue
        begin = text.rfind("\n", 0, text.rfind("examples", 0, token.start()) + 1) + 1
        opened = EXAMPLES.search(text, begin, token.start())
        if opened and "}" not in TOKEN.sub("", text[opened.end():token.start()]):
            end_of_examples = closing(text, opened.end())
            continue
        found.append((text.count("\n", 0, token.start()) + 1, string))
    return found


def closing(text, start):
    """The place of the brace that closes the one before `start`."""
    depth, at = 1, start
    while at < len(text) and depth:
        token = TOKEN.match(text, at)
        if token:
            at = token.end()
            continue
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at


def strings_of_python(text):
    """The same of Python, without docstrings."""
    tree = ast.parse(text)
    docs = {id(node.body[0].value) for node in ast.walk(tree)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body and isinstance(node.body[0], ast.Expr)}
    return [(node.lineno, node.value) for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs]


def named_in(string, names):
    """The name that the string has no right to have; None where it has none."""
    if string.lstrip().startswith("hannan "):
        return None
    for name in names:
        if string == name or ("-" in name and re.search(rf"(?<![\w-]){name}(?![\w-])", string)):
            return name
    return None


def objections(path, text, names):
    """What is wrong with one file, as lines `path:line: reason`."""
    strings = strings_of_python(text) if path.endswith(".py") else strings_of_cpp(text)
    found = [f'{path}:{line}: the name "{name}" outside hannan/problems; ask the problem or its kind instead'
             for line, string in strings if (name := named_in(string, names))]
    for line, words in enumerate(text.splitlines(), 1):
        if not path.endswith(".py") and (include := INCLUDE.match(words)):
            found.append(f"{path}:{line}: {include[1]} belongs to one problem; ask its kind or its Game instead")
    return found


def names_of(root):
    return sorted({name for file in (root / "hannan/problems").rglob("*.hpp") for name in KIND.findall(file.read_text())})


def check(root):
    root = pathlib.Path(root)
    names, found, count = names_of(root), [], 0
    for place in PLACES:
        for file in sorted(f for f in (root / place).rglob("*") if f.suffix in (".cpp", ".hpp", ".py")):
            path = file.relative_to(root).as_posix()
            if path.startswith("hannan/problems/") or path.endswith("_test.cpp") or path in EXCEPT:
                continue
            count += 1
            found += objections(path, file.read_text(), names)
    return found, count, names


if __name__ == "__main__":
    found, count, names = check(sys.argv[1])
    print("\n".join(found) or f"{count} files name none of {len(names)} problems")
    sys.exit(1 if found or count == 0 or not names else 0)
