"""The tables of docs/results.md: out of the output folders of `hannan experiment`, and back out of the page.

The page is its own store: every sentence on it is made from the tables on it, so that a sentence can only say what a table
shows. A table is found by plan, title and measure, a cell by learner and column; whatever is not there is an error."""
import dataclasses
import math
import re

PLANS = ("measured", "claims", "certificates", "codes", "growth", "draws")


class Missing(Exception):
    """The page has no such plan, table, learner or column."""


@dataclasses.dataclass(frozen=True)
class Value:
    mean: float
    error: float = 0.0  # standard error of the mean

    def __sub__(self, other):
        return Value(self.mean - other.mean, math.hypot(self.error, other.error))

    def beyond(self, errors=3):
        """Is it above nothing by more than so many standard errors?"""
        return self.mean > errors * self.error

    def __str__(self):
        return figure(self.mean)


def figure(x):
    """As many digits as a sentence needs."""
    return f"{x:,.0f}" if abs(x) >= 100 else f"{x:.1f}" if abs(x) >= 0.95 else f"{x:.2g}"


def span(numbers):
    """Several numbers as `least to most`."""
    low, high = figure(min(numbers)), figure(max(numbers))
    return low if low == high else f"{low} to {high}"


def value(text):
    found = re.fullmatch(r"(-?[\d.]+(?:e[+-]?\d+)?)(?: ± ([\d.]+))?", text)
    return Value(float(found[1]), float(found[2] or 0)) if found else None


def overview(text):
    """A tables.md one heading deeper, without the details and the title."""
    parts = re.split(r"^(?=### )", text.split("\n## ", 1)[1], flags=re.MULTILINE)
    kept = []
    for part in parts:
        if not part.startswith("### Details"):
            kept.append(part)
        elif "\n## " in part:  # the next section begins inside the last table of this one
            kept.append("## " + part.split("\n## ", 1)[1])
    text = "\n".join(line.rstrip() for line in ("## " + "".join(kept)).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"^(##+) ", r"#\1 ", text, flags=re.MULTILINE)).strip()


def marks(name):
    return f"<!-- begin {name} -->\n", f"\n<!-- end {name} -->"


def between(text, name):
    begin, end = marks(name)
    if begin not in text or end not in text:
        raise Missing(f"no part {name}")
    return text.split(begin, 1)[1].split(end, 1)[0]


class Tables:
    """All tables of one plan."""

    def __init__(self, page, plan):
        self.plan, self.found, self.runs = plan, {}, {}
        for section in re.split(r"^### ", between(page, plan), flags=re.MULTILINE)[1:]:
            title = section.split("\n", 1)[0]
            self.runs[title] = int(re.search(r"[Rr]uns (\d+)", section)[1])
            for part in re.split(r"^#### ", section, flags=re.MULTILINE)[1:]:
                rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in part.splitlines() if line.startswith("|")]
                self.found[title, part.split("\n", 1)[0]] = (rows[0], rows[2:])

    def titles(self):
        return list(dict.fromkeys(title for title, _ in self.found))

    def rows(self, title, measure="Regret"):
        if (title, measure) not in self.found:
            raise Missing(f"{self.plan}: no table {title}, {measure}")
        return self.found[title, measure]

    def columns(self, title, measure="Regret"):
        return self.rows(title, measure)[0][1:]

    def row(self, title, learner, measure="Regret"):
        """The values of a learner, column by column; None where the table has a dash."""
        header, rows = self.rows(title, measure)
        for cells in rows:
            if cells[0] == learner:
                return dict(zip(header[1:], map(value, cells[1:])))
        raise Missing(f"{self.plan}: no {learner} in {title}, {measure}")

    def cell(self, title, learner, column, measure="Regret"):
        found = self.row(title, learner, measure).get(column)
        if found is None:
            raise Missing(f"{self.plan}: no {learner} on {column} in {title}, {measure}")
        return found

    def learners(self, title, measure="Regret"):
        return [cells[0] for cells in self.rows(title, measure)[1] if cells[0] != "mean L*"]
