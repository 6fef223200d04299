"""Bookmakers as experts: Brier losses of five of them on the matches of a folder of seasons.

    football_losses.py DATA OUT.csv

Reads DATA/E0_*.csv of football-data.co.uk in order and writes a column per bookmaker and a row per match. A bookmaker's
forecast is 1/odds for home, draw and away, divided by their sum, which takes its margin out; its loss is half the Brier score,
((p_home - home)^2 + (p_draw - draw)^2 + (p_away - away)^2) / 2, which is in [0,1]. Matches without the odds of all five, or without a
result, are left out and counted."""
import csv
import pathlib
import sys

BOOKMAKERS = ("B365", "BW", "IW", "VC", "WH")
RESULTS = ("H", "D", "A")


def losses(match):
    """One per bookmaker, or None where something is missing."""
    row = []
    for name in BOOKMAKERS:
        try:
            inverse = [1 / float(match[name + result]) for result in RESULTS]
        except (KeyError, TypeError, ValueError, ZeroDivisionError):
            return None
        chances = [x / sum(inverse) for x in inverse]
        row.append(sum((p - (match["FTR"] == result)) ** 2 for p, result in zip(chances, RESULTS)) / 2)
    return row if match.get("FTR") in RESULTS else None


def main(data, out):
    seasons = sorted(pathlib.Path(data).glob("E0_*.csv"))
    if not seasons:
        sys.exit(f"{data}: found no E0_*.csv")
    used = dropped = 0
    with open(out, "w", encoding="utf-8") as table:
        table.write(",".join(BOOKMAKERS) + "\n")
        for season in seasons:
            # Team names in these files are not all UTF-8; every byte is some letter in Latin-1.
            with open(season, newline="", encoding="latin-1") as file:
                for match in csv.DictReader(file):
                    if not match.get("Div"):
                        continue  # an empty line at the end
                    row = losses(match)
                    if row is None:
                        dropped += 1
                        continue
                    used += 1
                    table.write(",".join(f"{loss:.6f}" for loss in row) + "\n")
    print(f"{len(seasons)} seasons: {used} matches used, {dropped} left out for want of odds")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
