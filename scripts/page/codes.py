"""The comparison of codes and the growth with K, in a few lines made from their tables."""
from page.tables import Value, figure, span

FRIENDLY = ("lognormal", "switching")
HOSTILE = "adversarial"


def mean_of(row):
    values = list(row.values())
    return Value(sum(v.mean for v in values) / len(values), sum(v.error ** 2 for v in values) ** 0.5 / len(values))


def best(tables, title, setting):
    """The codes of a setting whose mean over the markets is within three errors of the least one's, best first."""
    means = {learner.split("perturbation=")[1]: mean_of(tables.row(title, learner)) for learner in tables.learners(title) if learner.startswith(setting + " ")}
    least = min(means.values(), key=lambda v: v.mean)
    return sorted((code for code, mean in means.items() if not (mean - least).beyond()), key=lambda code: means[code].mean), means


def codes(tables):
    lines = ["| auction | best code, c = 1 | best code, tuned | regret of that, c = 1 and tuned | `ada`, all codes | leader, friendly and hostile |", "|---|---|---|---:|---:|---:|"]
    for title in tables.titles():
        plain, plain_means = best(tables, title, "c=1")
        tuned, tuned_means = best(tables, title, "tuned")
        ada = [v.mean for learner in tables.learners(title) if learner.startswith("ada ") for v in tables.row(title, learner).values()]
        leader = tables.row(title, "leader")
        lines.append(f"| {title} | {', '.join(f'`{c}`' for c in plain)} | {', '.join(f'`{c}`' for c in tuned)} | {plain_means[plain[0]]}, {tuned_means[tuned[0]]} | {span(ada)} | "
                     f"{span([leader[m].mean for m in FRIENDLY])}, {leader[HOSTILE]} |")
    return "\n".join(lines)


def growth(tables):
    lines = []
    for title in tables.titles():
        columns = tables.columns(title)
        factor = tables.cell(title, "gftpl", columns[-1]).mean / tables.cell(title, "gftpl", columns[0]).mean
        last = {name: tables.cell(title, name, columns[-1]) for name in ("leader", "ada", "flipflop")}
        calls = [v.mean for name in tables.learners(title, "Oracle calls a round") for v in tables.row(title, name, "Oracle calls a round").values()]
        if max(calls) > 2:
            raise ValueError(f"{title}: more than two oracle calls a round")
        lines.append(f"- **{title}.** From 2^6 to 2^40 actions, where ln K grows by a factor 6.7, the regret of `gftpl` (c = 1) grows by {figure(factor)}. At 2^40 " +
                     ", ".join(f"`{name}` has {value}" for name, value in last.items()) + f" of 500 rounds. Oracle calls: {min(calls):.2f} to {max(calls):.2f} a round.")
    return "\n".join(lines)
