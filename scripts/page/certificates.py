"""The certificates of a run beside its regret, in a few lines made from their tables."""
from page.tables import Missing, figure, span

MEASURE = "Regret and certificates"
ADAPTIVE = ("ada", "flipflop")  # by the default rule
PROMISED = 95  # % of runs within the limit


def cells(tables, title, learners=None):
    """Rows as {column: text}; those of some learners alone, if given."""
    header, rows = tables.rows(title, MEASURE)
    found = [dict(zip(header, row)) for row in rows]
    chosen = [row for row in found if learners is None or row["learner"] in learners]
    if not chosen:
        raise Missing(f"{tables.plan}: no {learners} in {title}")
    return chosen


def numbers(rows, column):
    return [float(row[column].rstrip(" %")) for row in rows if row[column] != "-"]


def between(values):
    low, high = f"{min(values):.2f}", f"{max(values):.2f}"
    return low if low == high else f"{low} to {high}"


def ratios(tables, title):
    adaptive, gftpl = cells(tables, title, ADAPTIVE), [row for row in cells(tables, title) if row["learner"].startswith("gftpl")]
    said = lambda rows: f"{between(numbers(rows, 'run / regret'))} times the regret (closed forms: {span(numbers(rows, 'closed / regret'))} times)"
    return f"- **{title}.** The certificate of the run is, for `ada` and `flipflop`, {said(adaptive)}; for `gftpl` {said(gftpl)}."


def coverage(tables, title):
    rows = cells(tables, title)
    least = min(numbers(rows, "runs within it"))
    if least < PROMISED:
        raise ValueError(f"{title}: the limit covers {least} % of the runs, {PROMISED} % are promised")
    return (f"- **{title}.** Of {tables.runs[title]:,} runs of each learner on each of {len({row['stream'] for row in rows})} streams of two actions, where the conditional regret is known, at least {figure(least)} % "
            f"were at no round above the limit; {PROMISED} % are promised.")


def certificates(tables):
    friendly, hostile, limit = tables.titles()
    by_chance = [row["by chance"] for title in tables.titles() for row in cells(tables, title)]
    if "no" in by_chance:
        raise ValueError("certificates: a mean regret is above its certificate by more than chance")
    return "\n".join((ratios(tables, friendly), ratios(tables, hostile), coverage(tables, limit),
                      f"- In none of these {len(by_chance)} cells is the mean regret above the mean of the certificate by more than chance."))
