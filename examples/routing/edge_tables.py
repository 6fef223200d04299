"""Writes what `hannan run routing --from edges.csv -d costs.csv` reads: a line per edge, and a column per edge."""
import pathlib


def write(folder, edges, rows):
    """Edges as (from, to) pairs; rows of costs in [0,1], one per edge, kept to four digits. Returns the rounds."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "edges.csv", "w", encoding="utf-8") as file:
        file.write("from,to\n" + "".join(f"{a},{b}\n" for a, b in edges))
    rounds = 0
    with open(folder / "costs.csv", "w", encoding="utf-8") as file:
        file.write(",".join(f"{a}>{b}" for a, b in edges) + "\n")
        for row in rows:
            costs = [min(1.0, max(0.0, cost)) for cost in row]
            if len(costs) != len(edges):
                raise SystemExit(f"round {rounds + 1}: found {len(costs)} costs, expected {len(edges)}")
            file.write(",".join(f"{cost:.4g}" for cost in costs) + "\n")
            rounds += 1
    print(f"{len(edges)} edges, {rounds} rounds in {folder}")
    return rounds
