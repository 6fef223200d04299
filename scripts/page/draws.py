"""What one set of Monte-Carlo draws decides for `off`: regret(set, noise) = mean + set + noise + the rest, by the usual
analysis of variance in two ways. The spread between sets is what a table with one set for all seeds hides."""
import collections
import csv
import statistics

HEADER = ("| stream | learner | mean | spread between sets | spread of the noise within one |", "|---|---|---:|---:|---:|")


def spreads(regret):
    """{set: {noise: regret}} -> mean, standard deviation between the means of sets, standard deviation over the noise in one set."""
    sets, noises = list(regret), list(next(iter(regret.values())))
    of_set = {s: statistics.mean(regret[s].values()) for s in sets}
    of_noise = {n: statistics.mean(regret[s][n] for s in sets) for n in noises}
    mean = statistics.mean(of_set.values())
    rest = sum((regret[s][n] - of_set[s] - of_noise[n] + mean) ** 2 for s in sets for n in noises) / ((len(sets) - 1) * (len(noises) - 1))
    between = max(0.0, statistics.variance(of_set.values()) - rest / len(noises)) ** 0.5
    within = statistics.mean(statistics.variance(regret[s].values()) for s in sets) ** 0.5
    return mean, between, within


def table(file):
    """Markdown, from the results.csv of plans/draws.toml."""
    regret = collections.defaultdict(lambda: collections.defaultdict(dict))
    with open(file, newline="") as lines:
        for row in csv.DictReader(lines):
            name, noise = row["learner"].rsplit(", noise ", 1)
            regret[row["stream"], name.replace(", 64 experts", "")][row["run"]][noise] = float(row["regret"])
    rows = [f"| {stream} | {learner} | " + " | ".join(f"{x:.2f}" for x in spreads(cells)) + " |" for (stream, learner), cells in regret.items()]
    return "\n".join(("### One set of Monte-Carlo draws", "", f"Runs {len(next(iter(regret.values())))}, sixteen draws of the noise in each.", "", "#### Spread", "", *HEADER, *rows))
