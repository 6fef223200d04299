"""The sources of the site in one folder: pages at the paths that they have in the repository, so that links between them stay.

Files that pages link to are copied beside them; a link to a folder leads to a page that lists it."""
import pathlib
import re
import shutil

PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*.md", "bench/README.md", "bench/arena/README.md")
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?\)")
CODE = re.compile(r"```.*?^ *```|`[^`\n]*`|\$[^$]*\$", re.DOTALL | re.MULTILINE)  # brackets in it are no link


def outside_code(text, change):
    """`change` done to all of the text but code and formulas."""
    out, at = [], 0
    for code in CODE.finditer(text):
        out += [change(text[at:code.start()]), code.group()]
        at = code.end()
    return "".join(out + [change(text[at:])])


def listing(folder, root):
    """A page for a link to a folder: its files."""
    title = folder.relative_to(root).as_posix()
    files = sorted(f for f in folder.iterdir() if f.is_file() and f.name != "index.md")
    pages = [f"- [{f.stem if f.suffix == '.md' else f.name}]({f.name})" for f in files]
    return f"# {title}\n\n" + "\n".join(pages) + "\n"


def stage(root, target):
    """Copies pages and what they link to from `root` into `target`, which must be empty."""
    pages = sorted({page for pattern in PAGES for page in root.glob(pattern)})
    for page in pages:
        place = target / page.relative_to(root)
        place.parent.mkdir(parents=True, exist_ok=True)

        def follow(link, page=page):
            head, path, anchor = link.group(1), link.group(2), link.group(3) or ""
            linked = (page.parent / path).resolve()
            if "://" in path or not linked.is_relative_to(root) or not linked.exists():
                return link.group()
            copy = target / linked.relative_to(root)
            if linked.is_dir():
                shutil.copytree(linked, copy, dirs_exist_ok=True)
                (copy / "index.md").write_text(listing(copy, target))
                return f"{head}{path.rstrip('/')}/index.md{anchor})"
            if linked.suffix != ".md":
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(linked, copy)
            return link.group()

        place.write_text(outside_code(page.read_text(), lambda text: LINK.sub(follow, text)))
    return [page.relative_to(root).as_posix() for page in pages]


def write(target, path, text):
    place = pathlib.Path(target, path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
