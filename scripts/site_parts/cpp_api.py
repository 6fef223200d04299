"""The C++ reference: the public headers, which are hannan/hannan.hpp, hannan/problems.hpp and every header of ours that they
reach, each with its contract (the comment at its head), and every name that they declare in namespace hannan with its members
and what is said of it. Doxygen reads the headers; what is in namespace detail and what is private is left out.

A comment behind a name or above it speaks of it. One above several names speaks of all of them, up to a blank line or the
next comment."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree

from .stage import write

INCLUDE = re.compile(r'^#include "(hannan/[^"]+)"', re.MULTILINE)
DOORS = ("hannan/hannan.hpp", "hannan/problems.hpp")
TITLES = {"core": "values, oracles, problems", "": "learners and problems in one place", "certify": "bounds", "noise": "laws of the noise",
          "schedules": "rates", "oracles": "oracles", "perturbations": "matrices", "problems": "problems", "learners": "rules of learners",
          "game": "games"}
SETTINGS = """
RECURSIVE = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
EXCLUDE_SYMBOLS = detail hannan::detail hannan::detail::* *::detail::*
MARKDOWN_SUPPORT = NO
AUTOLINK_SUPPORT = NO
QUIET = YES
WARNINGS = NO
INPUT = hannan
OUTPUT_DIRECTORY = doxygen
"""
NAMESPACES = ("hannan", "bounds", "schedules")  # the last two have no names that the first has


def lacking():
    """The package that is missing, or an empty word."""
    return "" if shutil.which("doxygen") else "doxygen"


def reached(root, doors=DOORS):
    """Every header that these reach, in the order of first mention."""
    found, waiting = [], [door for door in doors if (root / door).exists()]
    for header in waiting:
        if header not in found:
            found.append(header)
            waiting += INCLUDE.findall((root / header).read_text())
    return found


def public(root):
    """header -> its text."""
    return {header: (root / header).read_text() for header in reached(root)}


def comment_at(lines, at):
    """The comment whose last line is `at`, without its marks."""
    first = at
    while first >= 0 and lines[first].lstrip().startswith("//"):
        first -= 1
    return "\n".join(line.lstrip()[2:].removeprefix(" ") for line in lines[first + 1:at + 1])


def head_of(text):
    """The comment at the top."""
    lines = text.split("\n")
    return comment_at(lines, next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines)) - 1).strip()


def for_doxygen(text):
    """The text with its comments as doxygen takes them; lines keep their numbers. A comment above a blank line speaks of no name."""
    lines, below = [], ""
    for line in reversed(text.split("\n")):
        code, mark, said = line.partition("//")
        if mark and code.count('"') % 2 == 0 and not code.startswith("}"):
            said = re.sub(r'([\\@<>&#%$"])', r"\\\1", said).strip()
            if code.strip():  # of a class it stands above its name
                line = f"/** {said} */ {code}" if code.rstrip().endswith(("{", ">")) else f"{code}///< {said}"
            elif below and not re.match(r"#|//[^/]", below):
                line = f"{code}/// {said}"
        lines.append(line)
        below = line.strip()
    return "\n".join(reversed(lines))


class Name:
    """One public name: where it stands ("Box.size"), how it is declared, and what is said of it."""

    def __init__(self, path, declared, said, kind):
        self.path, self.declared, self.said, self.kind, self.members = path, declared, said, kind, []


def text_of(node, tag):
    found = node.find(tag)
    return " ".join("".join(found.itertext()).split()) if found is not None else ""


def said_of(node):
    return " ".join(text_of(node, f"{part}description") for part in ("brief", "detailed", "inbody")).strip()


def said_above(lines, line):
    """The comment that a name in this line (from 1) shares with those before it; bodies between them are passed over."""
    indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    inside = False
    for at in range(line - 2, -1, -1):
        text = lines[at]
        if text[indent:indent + 1].strip() and not text[:indent].strip():  # begins in the same column
            if text.lstrip().startswith("//") and not inside:
                return " ".join(comment_at(lines, at).split())
            inside = text.lstrip().startswith("}")
        if not inside and (not text.strip() or text[:indent].strip() or text.startswith(("#", "namespace"))):
            return ""
    return ""


def template_of(node):
    parameters = node.find("templateparamlist")
    if parameters is None:
        return ""
    words = [" ".join(filter(None, (text_of(one, "type"), text_of(one, "declname")))) for one in parameters]
    return f"template <{', '.join(words)}> "


def declared(node, kind):
    """A member as it is written."""
    if kind == "value":
        return f"{text_of(node, 'name')} {text_of(node, 'initializer')}".strip()
    definition = re.sub(rf"\bhannan::(?:\w+(?:< [^:]* >)?::)*(?={re.escape(text_of(node, 'name'))}(?: = |$))", "", text_of(node, "definition"))
    text = template_of(node) + definition.replace("= typedef ", "= ") + text_of(node, "argsstring")
    text += f" {text_of(node, 'initializer')}" * (kind == "field")
    for found, wanted in ((r"(?<!<)< ", "<"), (r" >", ">"), (r" ([&*]+) ?(?=\w)", r"\1 "), (r" ?=0$", " = 0")):
        text = re.sub(found, wanted, text)
    return text.strip() + ";"


def is_left_out(node):
    """Not public, a destructor, made by the compiler, a friend, or another word for what a base declares."""
    arguments = text_of(node, "argsstring")
    return (node.get("prot") != "public" or node.get("kind") == "friend" or text_of(node, "name").startswith("~")
            or node.find("reimplements") is not None or re.search(r"=\s*(?:default|delete)|\boverride\b", arguments))


KINDS = {"variable": "field", "typedef": "using", "function": "function", "enum": "enum"}


def members_of(compound, outer, texts):
    """(header, line, Name) of each member of a class or namespace."""
    for node in compound.iter("memberdef"):
        place = node.find("location")
        if is_left_out(node) or place.get("file") not in texts:
            continue
        lines, line = texts[place.get("file")].split("\n"), int(place.get("line"))
        kind = KINDS[node.get("kind")]
        name = Name(f"{outer}{text_of(node, 'name')}", declared(node, kind), said_of(node) or said_above(lines, line), kind)
        if kind == "enum":
            name.declared = f"enum class {text_of(node, 'name')}"
            name.members = [Name(f"{name.path}.{text_of(one, 'name')}", declared(one, "value"), said_of(one), "value") for one in node.findall("enumvalue")]
        yield place.get("file"), (line, int(place.get("column"))), name


def concept_text(lines, line):
    """A concept as it is written, with its comments, from its template to the semicolon outside brackets."""
    first = last = line - 1
    while first > 0 and lines[first - 1].startswith(("template", " ")):
        first -= 1
    while not lines[last].endswith(";") or sum(text.count("{") - text.count("}") for text in lines[first:last + 1]):
        last += 1
    return "\n".join(lines[first:last + 1])


def compounds(folder):
    for file in sorted(folder.glob("doxygen/xml/*.xml")):
        if file.name != "index.xml":
            yield from xml.etree.ElementTree.parse(file).getroot().iter("compounddef")


def names(root):
    """header -> the names that it declares, those of classes with their members."""
    if lacking():
        raise SystemExit("found no doxygen, expected what packages-site.txt names: run scripts/setup --site")
    texts = public(root)
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for header, text in texts.items():
            write(folder, header, for_doxygen(text))
        done = subprocess.run(["doxygen", "-"], input=SETTINGS, cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"doxygen: found exit status {done.returncode}, expected 0: {done.stderr}")
        return in_headers(list(compounds(folder)), texts)


def in_headers(all_compounds, texts):
    found, scopes = [], {}
    for one in all_compounds:
        kind, parts, place = one.get("kind"), text_of(one, "compoundname").split("::"), one.find("location")
        if parts[0] != "hannan" or one.get("prot", "public") != "public":
            continue
        if kind == "namespace":
            found += [(*entry, "") for entry in members_of(one, "", texts)]
        if kind not in ("class", "struct", "concept"):
            continue
        path = ".".join(part for part in parts if part not in NAMESPACES)
        lines, line = texts[place.get("file")].split("\n"), int(place.get("line"))
        written = concept_text(lines, line) if kind == "concept" else f"{template_of(one)}{kind} {path}"
        name = scopes[path] = Name(path, written, said_of(one) or said_above(lines, line), "concept" if kind == "concept" else "class")
        name.members = [member for _, _, member in sorted(members_of(one, f"{path}.", texts), key=lambda entry: entry[1])]
        found.append((place.get("file"), (line, 0), name, path.rpartition(".")[0]))
    for _, _, name, outer in found:
        if outer in scopes:
            scopes[outer].members.append(name)
    result = {header: [] for header in texts}
    for header, _, name, outer in sorted(found, key=lambda entry: entry[:2]):
        if not outer:
            result[header].append(name)
    return result


def untold(names, told):
    """The paths of names of which nothing is said, nor in the text `told`, the contract of the header."""
    found = []
    for one in names:
        last = one.path.rpartition(".")[2]
        mentioned = one.kind in ("field", "value") and re.search(rf"\b{re.escape(last)}\b", told)
        constructor = one.path.split(".")[-2:-1] == [last]
        if not one.said and not mentioned and not constructor:
            found.append(one.path)
        found += untold(one.members, f"{told} {one.said}")
    return found


def undocumented(root):
    """header -> its names of which nothing is said; headers without such names are left out."""
    texts = public(root)
    found = {header: untold(some, head_of(texts[header])) for header, some in names(root).items()}
    return {header: some for header, some in found.items() if some}


def flat(some):
    """Names and their members in one list."""
    return [one for name in some for one in (name, *flat(name.members))]


def cell(text):
    """In a cell of a table."""
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;")


def contract(text):
    """The head of a header as Markdown: what is indented is a table or code."""
    parts = re.split(r"(?<=\n\n)((?:  +\S.*(?:\n|$))+)", head_of(text))
    return "".join(f"```text\n{part.rstrip()}\n```\n" if part.startswith("  ") else part.replace("<", "&lt;") for part in parts)


def described(name):
    """A name with its members, as lines of a page."""
    lines = ["", f"### {name.path}", "", *([name.said.replace("<", "&lt;"), ""] if name.said else []), "```cpp", name.declared, "```"]
    members = flat(name.members)
    if members:
        lines += ["", "| member | what it is |", "|---|---|"]
        lines += [f"| `{cell(one.declared).replace('&lt;', '<')}` | {cell(one.said)} |" for one in members]
    return lines


def pages(root, target):
    """Writes reference/cpp/, a page a folder; returns the entries of the navigation."""
    groups = {}
    for header, text in public(root).items():
        folder = pathlib.PurePosixPath(header).parts[1] if header.count("/") > 1 else ""
        groups.setdefault(folder, []).append((header, text))
    entries, rows, index, known = [], [], [], names(root)
    for folder, headers in sorted(groups.items()):
        file = f"{folder or 'front'}.md"
        title = TITLES.get(folder, folder)
        lines = [f"# C++: {title}"]
        for header, text in sorted(headers):
            lines += ["", f"## {header}", "", contract(text)]
            anchor = re.sub(r"[^\w-]", "", header.lower())
            rows.append(f"| [{header}]({file}#{anchor}) | {cell(head_of(text).split(chr(10))[0])} |")
            for one in known[header]:
                lines += described(one)
                index.append(f"| `{one.path}` | [{header}]({file}#{anchor}) | {cell(one.said)[:120]} |")
        write(target, f"reference/cpp/{file}", "\n".join(lines) + "\n")
        entries.append({title: f"reference/cpp/{file}"})
    index = ["# C++ reference", "", "Examples: [a problem of your own](../../docs/guide.md#a-problem-of-your-own).", "",
             f"These {len(rows)} headers are all that is installed. `#include <hannan/hannan.hpp>` brings everything for a problem of your own,",
             "`#include <hannan/problems.hpp>` the built-in ones by name.", "",
             "## Headers", "", "| header | what it has |", "|---|---|", *sorted(rows), "",
             "## Names", "", "| name | header | what it is |", "|---|---|---|", *sorted(index, key=str.lower)]
    write(target, "reference/cpp/index.md", "\n".join(index) + "\n")
    return [{"All headers": "reference/cpp/index.md"}, *entries]
