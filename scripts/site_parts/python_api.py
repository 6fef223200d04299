"""The Python reference, from the docstrings of python/hannan: read as text, so that no module has to be built.

`public(root)` finds every name of __all__ with its definition, its methods, properties, fields and what __init__ puts on self;
`undocumented` finds those of which nothing is said, and a test demands that there are none. Why no mkdocstrings: docs/decisions/015."""
import ast
import inspect
import re
import textwrap

from .stage import write

MODULES = {"hannan": "__init__.py", "hannan.river": "river.py", "hannan.sklearn": "sklearn.py"}


class Named:
    """A public name: how it is written, what it says of itself, and its own public names."""

    def __init__(self, name, signature, text, members=(), bases=()):
        self.name, self.signature, self.text, self.members, self.bases = name, signature, text, list(members), list(bases)

    def inherit(self, classes, shown):
        """Takes over the names of its bases that have no place of their own in the reference (`shown`); a name without a
        docstring has that of the class below, as `help` shows it."""
        for base in self.bases:
            if base not in classes:
                continue
            classes[base].inherit(classes, shown)
            own = {member.name: member for member in self.members}
            for member in classes[base].members:
                if member.name in own:
                    own[member.name].text = own[member.name].text or member.text
                elif base not in shown:
                    self.members.append(member)


def arguments(function, is_method):
    """The parameters without those that begin with an underscore, and without self or cls."""
    copy = ast.parse(ast.unparse(function)).body[0]
    if is_method and copy.args.args and not any(getattr(d, "id", "") == "staticmethod" for d in function.decorator_list):
        copy.args.args.pop(0)
    returned = f" -> {ast.unparse(copy.returns)}" if copy.returns else ""
    return f"({ast.unparse(copy.args)}){returned}"


def is_property(function):
    return any(getattr(d, "id", getattr(d, "attr", "")) in ("property", "cached_property") for d in function.decorator_list)


def fields(node):
    """(name, kind, statement, text) of the fields of a class: the string below one, or a comment, says what it is."""
    for at, part in enumerate(node.body):
        target = part.target if isinstance(part, ast.AnnAssign) else part.targets[0] if isinstance(part, ast.Assign) else None
        if isinstance(target, ast.Name) and not target.id.startswith("_"):
            below = node.body[at + 1] if at + 1 < len(node.body) else None
            text = below.value.value if isinstance(below, ast.Expr) and isinstance(getattr(below, "value", None), ast.Constant) else None
            yield target.id, f": {ast.unparse(part.annotation)}" if isinstance(part, ast.AnnAssign) else "", part, text


def comment_of(statement, lines):
    """The comment behind a statement, or the lines of comment above it."""
    line = lines[statement.end_lineno - 1]
    if "#" in line:
        return line.split("#", 1)[1].strip()
    first = at = statement.lineno - 1
    while first > 0 and lines[first - 1].strip().startswith("#"):
        first -= 1
    return " ".join(line.strip("#: ") for line in lines[first:at])


def attributes(init, lines, said):
    """What __init__ puts on self for all to read. A comment says what it is, or the docstring of the class, `said`, names it."""
    found = {}
    for statement in ast.walk(init):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target] if isinstance(statement, ast.AnnAssign) else []
        for one in [part for target in targets for part in getattr(target, "elts", [target])]:
            if isinstance(one, ast.Attribute) and getattr(one.value, "id", "") == "self" and not one.attr.startswith("_"):
                kind = f": {ast.unparse(statement.annotation)}" if isinstance(statement, ast.AnnAssign) else ""
                sentences = re.split(r"(?<=[^.][.;])\s+|\n\n", said or "")
                named = next((" ".join(sentence.split()).rstrip(";.") + "." for sentence in sentences if f"`{one.attr}`" in sentence), "")
                text = comment_of(statement, lines) or named
                found.setdefault(one.attr, Named(one.attr, kind, text))
    return list(found.values())


def described(node, lines, is_method=False):
    """A definition as a Named. `lines` is the source, for comments behind fields."""
    text = ast.get_docstring(node) if not isinstance(node, ast.AnnAssign) else None
    if isinstance(node, ast.ClassDef):
        members = [Named(name, kind, below or comment_of(part, lines)) for name, kind, part, below in fields(node)]
        seen = set()
        made = ""
        for part in node.body:
            if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            if part.name == "__init__":
                made = arguments(part, True).removesuffix(" -> None")
                known = {getattr(other, "name", "") for other in node.body} | {member.name for member in members}
                members += [one for one in attributes(part, lines, text) if one.name not in known]
            if part.name.startswith("_") or part.name in seen:
                continue
            setter = any(getattr(d, "attr", "") in ("setter", "deleter") for d in part.decorator_list)
            if not setter:
                seen.add(part.name)
                members.append(described(part, lines, True))
        return Named(node.name, made, text, members, [ast.unparse(base) for base in node.bases])
    if is_property(node):
        returned = f": {ast.unparse(node.returns)}" if node.returns else ""
        return Named(node.name, returned, text)
    return Named(node.name, arguments(node, is_method), text)


def definitions(path):
    source = path.read_text()
    tree = ast.parse(source)
    found = {}
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found[node.name] = described(node, source.split("\n"))
        # options = _Options()
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name):
            made = found.get(getattr(node.value.func, "id", ""))
            if made:
                found[node.targets[0].id] = Named(node.targets[0].id, "", made.text, made.members)
    return tree, found


def names_of(tree, found):
    """__all__, or where there is none every public definition."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    return [name for name in found if not name.startswith("_")]


def all_classes(folder):
    """Every class of the package; those of the core by their names behind `_core.`."""
    found = {}
    for path in sorted(folder.glob("*.py")):
        found |= {name: one for name, one in definitions(path)[1].items() if one.bases is not None}
    return found | {f"_core.{name}": one for name, one in definitions(folder / "_core.pyi")[1].items()}


def public(root):
    """module -> its public names in order, each a Named."""
    folder = root / "python/hannan"
    result, classes = {}, all_classes(folder)
    for module, file in MODULES.items():
        tree, found = definitions(folder / file)
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
                path = folder / f"{node.module}.py"
                path = path if path.exists() else folder / f"{node.module}.pyi"
                _, inside = definitions(path)
                found |= {(one.asname or one.name): inside[one.name] for one in node.names if one.name in inside}
            # load = Learner.load
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute) and isinstance(node.targets[0], ast.Name):
                owner = found.get(getattr(node.value.value, "id", ""))
                found |= {node.targets[0].id: Named(node.targets[0].id, m.signature, m.text)
                          for m in (owner.members if owner else []) if m.name == node.value.attr}
        shown = names_of(tree, found)
        for one in found.values():
            one.inherit(classes, shown)
        result[module] = [found[name] for name in names_of(tree, found) if name in found]
        missing = [name for name in names_of(tree, found) if name not in found and not name.startswith("__")]
        if missing:
            raise SystemExit(f"{file}: found no definition of {', '.join(missing)}, expected one in python/hannan")
    return result


def undocumented(root):
    """module.name of every public name without a docstring."""
    names = []
    for module, all_of_it in public(root).items():
        for one in all_of_it:
            names += [f"{module}.{one.name}"] * (not one.text)
            names += [f"{module}.{one.name}.{member.name}" for member in one.members if not member.text]
    return names


def plain(text):
    """A docstring as Markdown: examples of the interpreter are code, and so are names that it refers to."""
    out, code = [], False
    for line in re.sub(r":(?:func|meth|attr|class):(?=`)", "", inspect.cleandoc(text or "")).split("\n"):
        begins = line.startswith((">>>", "..."))
        if begins and not code:
            out += ["", "```pycon"]
        if code and not line.strip():
            out.append("```")
        code = (code or begins) and bool(line.strip())
        out.append(line)
    return "\n".join(out + ["```"] * code)


def shown(one, level, owner=""):
    signature = f"{owner}{one.name}{one.signature}"
    if len(signature) > 100:
        signature = signature.replace("(", "(\n    ", 1).replace(", ", ",\n    ")
    return ["", f"{'#' * level} {owner}{one.name}", "", "```python", signature, "```", "", plain(one.text)]


def pages(root, target):
    """Writes reference/python/; returns the entries of the navigation."""
    entries, index = [], []
    for module, names in public(root).items():
        for group, is_class in (("functions", False), ("classes", True)):
            some = [one for one in names if (one.name[0].isupper()) == is_class]
            if not some:
                continue
            file = f"reference/python/{module.replace('.', '-')}-{group}.md"
            lines = [f"# {module}: {group}", "", f"Made from the docstrings of `{module}`. The guide: [python.md](../../docs/python.md)."]
            for one in some:
                lines += shown(one, 2)
                for member in one.members:
                    lines += shown(member, 3, f"{one.name}.")
            write(target, file, "\n".join(lines) + "\n")
            entries.append({f"{module} {group}": file})
            index += [f"| [`{module}.{one.name}`]({file.rsplit('/', 1)[1]}#{one.name.lower()}) | "
                      f"{textwrap.shorten(' '.join((one.text or '').split()), 110).replace('|', chr(92) + '|')} |" for one in some]
    write(target, "reference/python/index.md", "# Python reference\n\n| name | what it is |\n|---|---|\n" + "\n".join(index) + "\n")
    return [{"All names": "reference/python/index.md"}, *entries]
