"""Each state of the table of forecast_tables.py by itself, root mean squared error: states_alone.py OUT. Needs NumPy.

Combined by the program ($HANNAN, or hannan on the PATH), and by MLpol of the R package opera (squared loss, gradients; models that are
missing sleep): w_k ~ max(R_k, 0) / v_k; r_k = 2 (p - y) (p - x_k); R += r; v_k += r_k^2 + the growth of the largest r^2 so far.
"""
import csv
import os
import pathlib
import subprocess
import sys

import numpy as np


def mlpol(said, actual):
    published, models = np.empty(len(actual)), said.shape[1]
    regrets, inverse, largest = np.zeros(models), np.zeros(models), 0.0
    for t, x in enumerate(said):
        awake = ~np.isnan(x)
        weights = np.where(awake, np.maximum(regrets, 0) / np.maximum(inverse, 1e-300), 0)
        weights = weights if weights.sum() > 0 else awake.astype(float)
        x = np.where(awake, x, 0)
        p = published[t] = float(weights @ x / weights.sum())
        r = np.where(awake, 2 * (p - actual[t]) * (p - x), 0)
        regrets += r
        most = max(largest, float((r * r).max()))
        inverse += r * r + most - largest
        largest = most
    return published


def main():
    out = pathlib.Path(sys.argv[1])
    with (out / "covid_states.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    ours, theirs, count = 0.0, 0.0, 0
    for place in sorted({row[1] for row in rows}):
        mine = [row for row in rows if row[1] == place]
        columns = [c for c in range(3, len(header)) if any(row[c] for row in mine)]
        table, combined = out / "state.csv", out / "state_combined.csv"
        with table.open("w", newline="") as file:
            csv.writer(file).writerows([header[0], header[2], *(header[c] for c in columns)] if row is None else
                                       [row[0], row[2], *(row[c] for c in columns)] for row in [None, *mine])
        subprocess.run([os.environ.get("HANNAN", "hannan"), "run", "forecasts", "-d", table, "--timestamp", "week", "-q", "-p", combined], check=True)
        with combined.open(newline="") as file:
            ours += sum(float(row["error"]) ** 2 for row in csv.DictReader(file))
        actual = np.array([float(row[2]) for row in mine])
        said = np.array([[float(row[c] or "nan") for c in columns] for row in mine])
        theirs += float(((mlpol(said, actual) - actual) ** 2).sum())
        count += len(mine)
    print(f"each state alone, root mean squared error: combined {(ours / count) ** 0.5:.1f}, MLpol {(theirs / count) ** 0.5:.1f}")


if __name__ == "__main__":
    main()
