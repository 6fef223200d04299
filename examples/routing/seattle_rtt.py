"""Relays between personal computers: round-trip times between 24 of them, measured 688 times.

    seattle_rtt.py DATA OUT

Reads DATA/seattle_rtt_24nodes.tsv (columns slice, source, to_<node> ...) and writes OUT/edges.csv and OUT/costs.csv.
An edge per ordered pair of nodes; its cost is min(RTT, 2 s) / 2 s, since 1 % of the times are far above that."""
import csv
import pathlib
import sys

import edge_tables

LONGEST = 2.0  # seconds


def slices(path):
    """The list of lines of one time slice after another, each a dictionary."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = []
        for line in csv.DictReader(file, delimiter="\t"):
            if lines and line["slice"] != lines[0]["slice"]:
                yield lines
                lines = []
            lines.append(line)
        if lines:
            yield lines


def main(data, out):
    table = pathlib.Path(data, "seattle_rtt_24nodes.tsv")
    nodes = [line["source"] for line in next(slices(table))]
    edges = [(a, b) for a in nodes for b in nodes if a != b]

    def costs(lines):
        by_source = {line["source"]: line for line in lines}
        return [float(by_source[a]["to_" + b]) / LONGEST for a, b in edges]

    edge_tables.write(out, edges, (costs(lines) for lines in slices(table)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
