"""The C++ reference: the public headers, which are hannan/hannan.hpp, hannan/problems.hpp and every header of ours that they
reach, each with its contract (the comment at its head), and every name that they declare in namespace hannan with its members
and what is said of it. What is in namespace detail, what is private, and bodies of functions are left out."""
import pathlib
import re

from .stage import write

INCLUDE = re.compile(r'^#include "(hannan/[^"]+)"', re.MULTILINE)
DOORS = ("hannan/hannan.hpp", "hannan/problems.hpp")
TITLES = {"core": "values, oracles, problems", "": "learners and problems in one place", "certify": "bounds", "noise": "laws of the noise",
          "schedules": "rates", "oracles": "oracles", "perturbations": "matrices", "problems": "problems", "learners": "rules of learners",
          "game": "games"}


def reached(root, doors=DOORS):
    """Every header that these reach, in the order of first mention."""
    found, waiting = [], [door for door in doors if (root / door).exists()]
    for header in waiting:
        if header not in found:
            found.append(header)
            waiting += INCLUDE.findall((root / header).read_text())
    return found


def head_of(text):
    """The comment at the top, without its marks."""
    lines = []
    for line in text.split("\n"):
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" "))
    return "\n".join(lines).strip()


def closing(text, at):
    """The place behind the brace that closes the one at `at`; strings, characters and comments are passed over."""
    depth = 0
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/|[{}]', re.DOTALL)
    for one in token.finditer(text, at):
        depth += {"{": 1, "}": -1}.get(one.group(), 0)
        if depth == 0:
            return one.end()
    raise SystemExit("found a brace that is not closed, expected a header that compiles")


def without_detail(text):
    """The text without namespaces detail and without what is said of namespaces."""
    while found := re.search(r"^namespace (?:hannan::)?detail\b[\w:]* \{", text, re.MULTILINE):
        end = closing(text, found.end() - 1)
        text = text[:found.start()] + text[end:].partition("\n")[2]
    return text


def without_bodies(text):
    """Functions end with a semicolon where their bodies stood."""
    out, at = [], 0
    opens = re.compile(r"(\)(?: const)?(?: noexcept)?(?: override)?(?:\s*->\s*[\w:<>,&* ]+)?(?:\s*requires[^{;]*)?(?:\n?\s*: [^;]*?[)}])?) \{")
    while found := opens.search(text, at):
        if "concept " in text[:found.start()].rpartition("\n\n")[2]:  # its braces hold requirements, no body
            out.append(text[at:found.end()])
            at = found.end()
            continue
        head = found.group(1)
        colon = re.search(r"\)(?: const)?(?: noexcept)?\s*\n?\s*: ", head)
        head = head[:colon.start() + 1] if colon else head
        out += [text[at:found.start()], head, ";"]
        at = closing(text, found.end() - 1)
    return "".join(out) + text[at:]


def without_private(text):
    """Classes end where their private part begins."""
    lines, hidden = [], None
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if re.fullmatch(r" *(?:private|protected):", line):
            hidden = indent
            continue
        if hidden is not None and (re.fullmatch(r" *public:", line) or (line.strip() and indent < hidden)):
            hidden = None
        if hidden is None:
            lines.append(line)
    return "\n".join(lines)


def declarations(text):
    """What the header declares in namespace hannan, as written, without includes and the head."""
    body = text[text.index("#pragma once") + len("#pragma once"):]
    body = "\n".join(line for line in body.split("\n") if not line.startswith("#include"))
    body = without_private(without_bodies(without_detail(body)))
    body = re.sub(r"^(?:namespace hannan(?:::\w+)* \{|\}  // namespace.*)$", "", body, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", body).strip()


def public(root):
    """header -> its text."""
    return {header: (root / header).read_text() for header in reached(root)}


def names(root):
    """header -> the names that it declares, those of classes with their members."""
    return {header: names_of(declarations(text)) for header, text in public(root).items()}


def undocumented(text):
    """The names of a header of which nothing is said."""
    return untold(names_of(declarations(text)), head_of(text))


class Name:
    """One public name: where it stands ("Box.size"), how it is declared, and what is said of it."""
    def __init__(self, path, declared, said, kind):
        self.path, self.declared, self.said, self.kind, self.members = path, declared, said, kind, []


SCOPE = re.compile(r"(?:template <[^\n]*>[ \t]*(?://[^\n]*)?\s*(?:requires[^{;]*?)?)?(?:enum class|class|struct|enum) (\w+)[^;={(]*(?:: [^;{]*)?\{", re.DOTALL)
COMMENT = re.compile(r"\s*//[^\n]*")


def end_of(text, at):
    """The place behind the declaration that begins at `at`: its semicolon outside brackets, or the comma of an enumerator."""
    depth = 0
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|[{}()\[\];]')
    for one in token.finditer(text, at):
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(one.group(), 0)
        if depth == 0 and one.group() == ";":
            return one.end()
    return len(text)


def named(declared):
    """The name that a declaration declares; empty where it declares none that a reader looks for."""
    plain = re.sub(r"//[^\n]*", "", declared)
    plain = re.sub(r"^(?:\s*template <[^{;]*?>\s*(?=\S))+", "", plain).strip()
    if re.search(r"~\w+\(|= delete|= default|\boverride\b|^static_assert|^friend (?:bool|std::weak_ordering|auto) operator|^public:", plain):
        return ""
    for pattern in (r"^using (\w+) =", r"^(?:class|struct|enum class) (\w+);", r"concept (\w+) =", r"(operator\S+?)\("):
        if found := re.search(pattern, plain):
            return found[1]
    head = re.split(r"\(|\{|=", plain.rstrip(";"), maxsplit=1)[0]
    words = re.findall(r"\w+", head)
    return words[-1] if words else ""


def inside_enum(body):
    """(declaration, what is said) of each enumerator."""
    for line in body.split("\n"):
        code, _, said = line.partition("//")
        for one in (part.strip() for part in code.split(",")):
            if one:
                yield one, said.strip()


def names_of(declared, outer=""):
    """Every name of the declarations, those of classes with their members. What is said of a name is the comment behind it or
    above it; a comment speaks of all that follows without a blank line, up to the next comment."""
    found, at, above = [], 0, ""
    while at < len(declared):
        blank = re.match(r"(?:[ \t]*\n)+", declared[at:])
        if blank:
            above = "" if blank.group().count("\n") > (1 if at else 0) or declared[max(0, at - 1):at] == "\n" else above
            at += blank.end()
            continue
        comment = re.match(r"(?:[ \t]*//[^\n]*\n?)+", declared[at:])
        if comment:
            above = " ".join(line.strip()[2:].strip() for line in comment.group().strip().split("\n"))
            at += comment.end()
            continue
        if access := re.match(r"\s*(?:public|};?)\s*:?;?\s*", declared[at:]):
            if access.end() and re.match(r"\s*(?:public:|\};?)", declared[at:]):
                at += access.end()
                continue
        scope = SCOPE.match(declared, at + len(declared[at:]) - len(declared[at:].lstrip()))
        if scope:
            close = closing(declared, scope.end() - 1)
            head = declared[scope.start():scope.end()]
            said = " ".join([above, *re.findall(r"//([^\n]*)", head)]).strip()
            one = Name(f"{outer}{scope[1]}", re.sub(r"//[^\n]*", "", head[:-1]).strip(), said, "class")
            body = declared[scope.end():close - 1]
            if behind := re.match(r"[ \t]*//([^\n]*)", body):
                one.said, body = f"{said} {behind[1]}".strip(), body[behind.end():]
            if re.match(r"(?:template <.*?>\s*)?enum", one.declared):
                one.kind = "enum"
                one.members = [Name(f"{one.path}.{re.split(r'[ =]', text)[0]}", text, about, "value") for text, about in inside_enum(body)]
            else:
                one.members = names_of(body, f"{one.path}.")
            found.append(one)
            at = close + len(re.match(r";?[ \t]*(?://[^\n]*)?", declared[close:]).group())
            continue
        end = end_of(declared, at)
        text = declared[at:end]
        behind = re.match(r"[ \t]*//([^\n]*)", declared[end:])
        said = " ".join([above, *re.findall(r"//([^\n]*)", text), behind[1] if behind else ""]).strip()
        name = named(text)
        if name:
            found.append(Name(f"{outer}{name}", re.sub(r"\s+", " ", re.sub(r"//[^\n]*", "", text)).strip(), said, "field" if "(" not in text.split("=")[0] else "function"))
        at = end + (behind.end() if behind else 0)
    return found


def untold(names, told):
    """The paths of names of which nothing is said, nor in the text `told`, the contract of the header."""
    lacking = []
    for one in names:
        last = one.path.rpartition(".")[2]
        mentioned = one.kind in ("field", "value") and re.search(rf"\b{re.escape(last)}\b", told)
        constructor = one.path.split(".")[-2:-1] == [last]
        if not one.said and not mentioned and not constructor:
            lacking.append(one.path)
        lacking += untold(one.members, f"{told} {one.said}")
    return lacking


def flat(some):
    """Names and their members in one list."""
    return [one for name in some for one in (name, *flat(name.members))]


def cell(text):
    """In a cell of a table."""
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;")


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
    entries, rows, index = [], [], []
    for folder, headers in sorted(groups.items()):
        file = f"{folder or 'front'}.md"
        title = TITLES.get(folder, folder)
        lines = [f"# C++: {title}"]
        for header, text in sorted(headers):
            lines += ["", f"## {header}", "", head_of(text).replace("<", "&lt;")]
            anchor = re.sub(r"[^\w-]", "", header.lower())
            rows.append(f"| [{header}]({file}#{anchor}) | {cell(head_of(text).split(chr(10))[0])} |")
            for one in names_of(declarations(text)):
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
