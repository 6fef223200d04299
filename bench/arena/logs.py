"""Public logs of the arena: loaders with checksums. The data sets are not part of this repository.

A loader is given the folder of the data sets and returns a list of losses, a row for each round and a number in [0,1] for
each expert. `Absent` says which file to get from where; a file of other bytes than those of FILES is refused."""
import csv
import hashlib
import io

FOOTBALL = "https://github.com/jokecamp/FootballData, football-data.co.uk/england/SEASON/Premier.csv, as E0_SEASON.csv"
LOAD = "https://github.com/Dralliag/opera-python, data/"
RELAYS = ("https://github.com/uofa-rzhu3/NetLatency-Data, Seattle/SeattleData_1 to _688: the rows and columns of nodes 0-5, 7, 8, "
          "10-24 and 26, one block below another")
FILES = {  # path -> SHA-256, where it comes from
    "football_bookmakers/E0_2014-2015.csv": ("a6ea6712640b59c0b18ac2460eebd691fd5c28af2352814129a054c1ebf5e3ee", FOOTBALL),
    "football_bookmakers/E0_2015-2016.csv": ("ae88d59b3b1ad619075bac2f7123433ce0a7f58c1d53cd1dd22b00e726eb5df2", FOOTBALL),
    "football_bookmakers/E0_2016-2017.csv": ("9625a7652b5f98fbd3e2e4d378c851fc246693f3343e34a72428d5b6e864d3e0", FOOTBALL),
    "football_bookmakers/E0_2017-2018.csv": ("4f3389365ef3f7ac966764ed8ba67cf3b79f5aebed18dd224099c4b2c98bc67b", FOOTBALL),
    "football_bookmakers/E0_2018-2019.csv": ("7c096b3c2ecd54c6993d22eeea73450c2bde11e3457238b226b8f43c62dfc35e", FOOTBALL),
    "opera_load_experts/experts.csv": ("165af412cd2c5649e56fe5595fd36fd46cb832aa43ceb3ca8e3063325ab903ca", LOAD),
    "opera_load_experts/targets.csv": ("3da6e4a966cf01f0cf096906c5be7d50174cc0ee7b43050084d1d75b54c4396d", LOAD),
    "seattle_rtt/seattle_rtt_24nodes.tsv": ("1cc5a54c62c9b495b9e07b3102304f1ca09f865e75d5818dc4003a7a97137d3b", RELAYS),
}
BOOKMAKERS = ("B365", "BW", "IW", "VC", "WH")
RESULTS = ("H", "D", "A")


class Absent(Exception):
    """A data set is not here."""


def table(folder, path, encoding="utf-8", delimiter=","):
    """The rows of a file as dictionaries, its bytes checked."""
    digest, source = FILES[path]
    file = folder / path
    if not file.exists():
        raise Absent(f"{path} is not in {folder}; it comes from {source}")
    data = file.read_bytes()
    if hashlib.sha256(data).hexdigest() != digest:
        raise SystemExit(f"{file}: found other bytes than those of {source}, expected the SHA-256 digest {digest}")
    return list(csv.DictReader(io.StringIO(data.decode(encoding)), delimiter=delimiter))


def football(folder):
    """Five bookmakers on the matches of five seasons: half the Brier score of 1/odds, its margin divided out."""
    rows = []
    for path in (name for name in FILES if name.startswith("football")):
        for match in table(folder, path, "latin-1"):
            if not all(match.get(maker + result) for maker in BOOKMAKERS for result in RESULTS) or match["FTR"] not in RESULTS:
                continue
            row = []
            for maker in BOOKMAKERS:
                inverse = [1 / float(match[maker + result]) for result in RESULTS]
                row.append(sum((x / sum(inverse) - (match["FTR"] == result)) ** 2 for x, result in zip(inverse, RESULTS)) / 2)
            rows.append([round(loss, 6) for loss in row])
    return rows


def load(folder):
    """Three forecasts of the French electricity load, by the week: the absolute error in units of 10 GW."""
    actual = [float(row["x"]) for row in table(folder, "opera_load_experts/targets.csv")]
    forecasts = [[float(x) for x in row.values()] for row in table(folder, "opera_load_experts/experts.csv")]
    return [[round(min(1.0, abs(f - y) / 10_000), 6) for f in row] for row, y in zip(forecasts, actual)]


def relays(folder, source="11", target="0", longest=2.0):
    """The direct line between two computers, or one of 22 relays: round-trip times, each cut at 2 s, over 4 s."""
    slices = {}
    for row in table(folder, "seattle_rtt/seattle_rtt_24nodes.tsv", delimiter="\t"):
        slices.setdefault(int(row["slice"]), {})[row["source"]] = row
    nodes = [node for node in slices[1] if node not in (source, target)]

    def cost(one, a, b):
        return min(float(one[a]["to_" + b]), longest) / longest

    return [[round(x, 6) for x in [cost(one, source, target) / 2] +
             [(cost(one, source, r) + cost(one, r, target)) / 2 for r in nodes]] for _, one in sorted(slices.items())]
