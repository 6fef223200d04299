"""How the site looks and what stands where: the settings of mkdocs with the Material theme."""
import logging
import re

START = [("Start", ["README.md", *(f"docs/walks/{name}.md" for name in ("README", "analyst", "researcher", "operator")), "docs/install.md", "docs/guide.md", "docs/glossary.md"]),
         ("Decide", ["docs/decide.md", "docs/judgement.md", "docs/logs.md", "docs/forecasts.md", "docs/portfolio.md", "docs/partial.md",
                     "docs/solve.md", "docs/contexts.md", "docs/report.md"]),
         ("Guides", ["docs/python.md", "docs/pipe.md", "docs/external-oracle.md", "docs/experiments.md", "docs/fold.md", "docs/check.md",
                     "docs/record.md", "docs/durability.md", "docs/errors.md"])]
SERVICE = ["docs/service.md", "docs/backup.md"]
CONTRIBUTING = ["CONTRIBUTING.md", "docs/architecture.md", "docs/stability.md", "CHANGELOG.md", "bench/README.md", "bench/arena/README.md"]
RESULTS = ["docs/results.md", "docs/errata.md"]

STYLE = """
.md-grid { max-width: 68rem; }
.md-typeset table:not([class]) { font-size: .68rem; }
.md-nav__link { overflow-wrap: anywhere; }
.md-typeset img { max-width: 100%; }
.md-typeset div.arithmatex, .katex-display { overflow-x: auto; overflow-y: hidden; }
.md-typeset span.arithmatex { display: inline-block; max-width: 100%; overflow-x: auto; overflow-y: hidden; vertical-align: bottom; }
.arithmatex, .katex { position: relative; }
.md-typeset code, .md-typeset p, .md-typeset h2 { overflow-wrap: anywhere; }
[data-md-color-scheme="slate"] { --md-typeset-a-color: #9fa8ff; }
@media print { .md-typeset pre > code { white-space: pre-wrap; overflow-wrap: anywhere; } }
@media print { .md-header, .md-tabs, .md-sidebar, .md-footer, .md-search, .headerlink { display: none !important; } }
"""

FORMULAS = """
document.addEventListener("DOMContentLoaded", () => renderMathInElement(document.body, {
  delimiters: [{left: "\\\\(", right: "\\\\)", display: false}, {left: "\\\\[", right: "\\\\]", display: true}], throwOnError: false }));
"""


def table_of_problems(root):
    """The problems with the question that each answers, from the README."""
    rows = re.findall(r"^\| (\[.*\]\(docs/problems/.*) \| (.*) \|$", (root / "README.md").read_text(), re.MULTILINE)
    lines = [f"| {names.replace('docs/problems/', '')} | {question} |" for names, question in rows]
    return "| problem | the question it answers |\n|---|---|\n" + "\n".join(lines) + "\n"


def navigation(pages, python, cpp, commands):
    """Every page has one place: what no section names stands under the last one."""
    left = [page for page in pages]

    def take(names):
        found = [name for name in names if name in left]
        for name in found:
            left.remove(name)
        return found

    def under(prefix):
        return take([page for page in pages if page.startswith(prefix)])

    parts = [{title: take(names)} for title, names in START]
    parts += [{"Problems": ["docs/problems/index.md", *under("docs/problems/")]}, {"Python reference": python}, {"C++ reference": cpp},
              {"Commands": commands}, {"Service": [*take(SERVICE), {"Routes": "reference/service.md"}]},
              {"Theory": under("docs/theory")}, {"Results": [*take(RESULTS), {"Stories": under("docs/stories/")}]}]
    last = take(CONTRIBUTING)
    decisions = under("docs/decisions/")
    return [*parts, {"Contributing": [*last, {"Decisions": decisions}, *left]}]


def settings(source, out, nav):
    import pymdownx.arithmatex
    fences = [{"name": "math", "class": "arithmatex", "format": pymdownx.arithmatex.arithmatex_fenced_format(which="generic")}]
    colours = [{"media": "(prefers-color-scheme: light)", "scheme": "default", "toggle": {"icon": "material/weather-night", "name": "Dark"}},
               {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "toggle": {"icon": "material/weather-sunny", "name": "Light"}}]
    return {"config_file": str(source.parent / "mkdocs.yml"), "site_name": "Hannan", "site_url": "", "docs_dir": str(source), "site_dir": str(out),
            "use_directory_urls": False, "strict": True, "nav": nav, "plugins": ["search"],
            "theme": {"name": "material", "font": False, "palette": colours, "language": "en",
                      "features": ["navigation.tabs", "navigation.indexes", "navigation.top", "search.highlight", "search.suggest"]},
            "extra": {"generator": False}, "extra_css": ["katex/katex.min.css", "site.css"],
            "extra_javascript": ["katex/katex.min.js", "katex/auto-render.min.js", "formulas.js"],
            "markdown_extensions": ["tables", "attr_list", "sane_lists", {"toc": {"permalink": True}}, "pymdownx.highlight",
                                    {"pymdownx.superfences": {"custom_fences": fences}}, {"pymdownx.arithmatex": {"generic": True}}]}


def build(source, out, nav):
    import mkdocs.config
    from mkdocs.commands import build as mkdocs_build
    logging.getLogger("mkdocs").setLevel(logging.WARNING)
    (source.parent / "mkdocs.yml").write_text("site_name: Hannan\n")
    config = mkdocs.config.load_config(**settings(source, out, nav))
    mkdocs_build.build(config)
