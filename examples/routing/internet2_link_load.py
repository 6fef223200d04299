"""A research backbone: hourly traffic on every link for 15 days.

    internet2_link_load.py DATA OUT

Reads DATA/measurements/*.csv (source_id, target_id, throughput in bit/s; a file an hour) and DATA/links.txt (circuits as
I2-<from>-<to>-<capacity>-<number>) and writes OUT/edges.csv and OUT/costs.csv. The cost of a link is its load: throughput over
capacity, at most 1. Circuits between two places add up; a link without one in the list counts as 400 Gbit/s, as most are."""
import csv
import pathlib
import re
import sys

import edge_tables

USUAL = 400e9  # bit/s
CIRCUIT = re.compile(r"I2-(\w+)-(\w+)-(\d+)GE-")


def capacities(path):
    total = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        circuit = CIRCUIT.match(line)
        if circuit:
            pair = frozenset(circuit.group(1, 2))
            total[pair] = total.get(pair, 0) + float(circuit.group(3)) * 1e9
    return total


def loads(path):
    with open(path, newline="", encoding="utf-8") as file:
        return {(row["source_id"], row["target_id"]): float(row["throughput"]) for row in csv.DictReader(file)}


def main(data, out):
    hours = sorted(pathlib.Path(data, "measurements").glob("*.csv"))
    if not hours:
        sys.exit(f"found no file in {data}/measurements, expected one an hour")
    capacity = capacities(pathlib.Path(data, "links.txt"))
    edges = list(loads(hours[0]))

    def costs(hour):
        load = loads(hour)
        return [load[edge] / capacity.get(frozenset(edge), USUAL) for edge in edges]

    edge_tables.write(out, edges, (costs(hour) for hour in hours))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
