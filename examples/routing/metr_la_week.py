"""Highways of Los Angeles: speeds at 207 detectors every five minutes for a week.

    metr_la_week.py DATA OUT

Reads DATA/los_speed.csv (a column per detector) and DATA/los_adj.csv (a symmetric matrix, not 0 = linked) and writes
OUT/edges.csv and OUT/costs.csv. Both directions of a link are edges; their cost is 1 - (mean speed of the two ends) / 70 mph,
at least 0: what is lost against free flow. Lengths of the links are not in the data, so all count alike."""
import csv
import pathlib
import sys

import edge_tables

FREE_FLOW = 70.0  # miles per hour


def main(data, out):
    with open(pathlib.Path(data, "los_adj.csv"), newline="", encoding="utf-8") as file:
        linked = [[float(cell) != 0 for cell in row] for row in csv.reader(file)]
    with open(pathlib.Path(data, "los_speed.csv"), newline="", encoding="utf-8") as file:
        table = csv.reader(file)
        names = next(table)
        pairs = [(i, j) for i in range(len(names)) for j in range(len(names)) if i != j and linked[i][j]]
        rows = ([float(cell) for cell in row] for row in table)
        edge_tables.write(out, [(names[i], names[j]) for i, j in pairs],
                          ([1 - (row[i] + row[j]) / 2 / FREE_FLOW for i, j in pairs] for row in rows))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
