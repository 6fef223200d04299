"""Bids of real auctions as rounds of vcg-reserves: real_bids.py ebay|worldbank FILE.csv [OUT.jsonl]

ebay       the eBay auctions of "Modeling Online Auctions" (auctionid, bid, bidtime, bidder, item): one round an auction, the
           highest bid of each of its last eight bidders, in the order of their first bids, over the item's 99 % quantile.
worldbank  bids for contracts of the World Bank (contract, evaluated.price.amount): one round a contract with at least two
           bids, 1 - price / (2 median price) of its first eight, within [0, 1].

Bids that are missing are 0. The files are not part of the project."""
import collections
import csv
import json
import statistics
import sys

BIDDERS = 8


def ebay(rows):
    highest = collections.defaultdict(dict)
    items = {}
    for row in rows:
        bids = highest[row["auctionid"]]
        bids[row["bidder"]] = max(bids.get(row["bidder"], 0.0), float(row["bid"]))
        items[row["auctionid"]] = row["item"]
    of_item = collections.defaultdict(list)
    for auction, bids in highest.items():
        of_item[items[auction]] += bids.values()
    cap = {item: sorted(bids)[int(0.99 * (len(bids) - 1))] for item, bids in of_item.items()}
    for auction, bids in highest.items():
        yield [min(1.0, bid / cap[items[auction]]) for bid in list(bids.values())[-BIDDERS:]]


def worldbank(rows):
    prices = collections.defaultdict(list)
    for row in rows:
        if row["evaluated.price.amount"] and float(row["evaluated.price.amount"]) > 0:
            prices[row["contract"]].append(float(row["evaluated.price.amount"]))
    for asked in prices.values():
        if len(asked) > 1:
            middle = statistics.median(asked)
            yield [min(1.0, max(0.0, 1 - price / (2 * middle))) for price in asked[:BIDDERS]]


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in ("ebay", "worldbank"):
        sys.exit(__doc__)
    out = open(sys.argv[3], "w", encoding="utf-8") if len(sys.argv) == 4 else sys.stdout
    with open(sys.argv[2], newline="", encoding="utf-8") as file, out:
        for bids in {"ebay": ebay, "worldbank": worldbank}[sys.argv[1]](csv.DictReader(file)):
            out.write(json.dumps(bids + [0.0] * (BIDDERS - len(bids))) + "\n")


if __name__ == "__main__":
    main()
