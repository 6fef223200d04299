"""The C++ reference: the headers that hannan/hannan.hpp reaches and that declare names of namespace hannan, each with its
contract (the comment at its head) and its declarations as they are written. What is in namespace detail, what is private,
and bodies of functions are left out."""
import pathlib
import re

from .stage import write

INCLUDE = re.compile(r'^#include "(hannan/[^"]+)"', re.MULTILINE)
TITLES = {"core": "values, oracles, problems", "": "learners and problems in one place", "certify": "bounds", "noise": "laws of the noise",
          "schedules": "rates", "oracles": "oracles", "perturbations": "matrices", "problems": "problems", "learners": "rules of learners",
          "game": "games"}


def reached(root, start="hannan/hannan.hpp"):
    """Every header that the public one reaches, in the order of first mention."""
    found, waiting = [], [start]
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
    """header -> its text, of those that declare something for users."""
    texts = {header: (root / header).read_text() for header in reached(root)}
    return {header: text for header, text in texts.items()
            if re.search(r"^namespace hannan(?:::(?!detail)\w+)* \{", text, re.MULTILINE) or header.count("/") == 1}


def interface(root, start="hannan/hannan.hpp"):
    """The headers that users include by name: the public one, those that it includes, and those that its contract names.
    Everything else is reached through them."""
    text = (root / start).read_text()
    named = [f"hannan/{name}" for name in re.findall(r"\b([\w/]+\.hpp)\b", head_of(text))]
    return sorted({start, *INCLUDE.findall(text), *named})


def undocumented(declared):
    """The names that a header declares and says nothing of. A name is documented by a comment above it or behind it; a list
    of declarations without a blank line has one comment for all; the first name of a header is what its contract is about."""
    names = []
    groups = [group for group in declared.split("\n\n") if group.strip()]
    for place, group in enumerate(groups):
        lines = [line for line in group.split("\n") if line and not line.startswith((" ", "}"))]
        declares = [line for line in lines if not line.startswith(("//", "template", "static_assert", "using namespace"))]
        if place > 0 and declares and not any("//" in line for line in lines):
            names += [found[1] for found in [re.search(r"(\w+)(?:\(| =|;| \{|$| :| final)", declares[0])] if found]
    return names


def pages(root, target):
    """Writes reference/cpp/, a page a folder; returns the entries of the navigation."""
    groups = {}
    for header, text in public(root).items():
        folder = pathlib.PurePosixPath(header).parts[1] if header.count("/") > 1 else ""
        groups.setdefault(folder, []).append((header, text))
    entries, rows = [], []
    for folder, headers in sorted(groups.items()):
        file = f"{folder or 'front'}.md"
        title = TITLES.get(folder, folder)
        lines = [f"# C++: {title}"]
        for header, text in sorted(headers):
            lines += ["", f"## {header}", "", head_of(text).replace("<", "&lt;"), ""]
            declared = declarations(text)
            lines += ["```cpp", declared, "```"] if declared else []
            anchor = re.sub(r"[^\w-]", "", header.lower())
            rows.append(f"| [{header}]({file}#{anchor}) | {head_of(text).split(chr(10))[0].replace('|', chr(92) + '|').replace('<', '&lt;')} |")
        write(target, f"reference/cpp/{file}", "\n".join(lines) + "\n")
        entries.append({title: f"reference/cpp/{file}"})
    head = ["| header | what it has |", "|---|---|"]
    first = [row for row in sorted(rows) if row[3:].split("]")[0] in interface(root)]
    index = ["# C++ reference", "", "Examples: [a problem of your own](../../docs/guide.md#a-problem-of-your-own).", "",
             "## Headers to include", "", "`#include <hannan/hannan.hpp>` brings all of these; each can be included alone.", "", *head, *first, "",
             "## What they bring", "", "Reached through the headers above, and documented because their names are used; not to be included by name.",
             "", *head, *(row for row in sorted(rows) if row not in first)]
    write(target, "reference/cpp/index.md", "\n".join(index) + "\n")
    return [{"All headers": "reference/cpp/index.md"}, *entries]
