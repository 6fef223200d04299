#!/bin/sh
# Bidding for three ad slots at once, of which one is enough (docs/stories/ipinyou.md).
#   ipinyou.sh [DATA] [OUT]     DATA holds ipinyou_rtb/2997_test_theta_first50k.txt
#
# A line of the data is an impression that was won: click, market price (the highest bid of the others, in fen per
# thousand, at most 300), predicted click rate. Three that follow each other are taken as on sale at the same time. The first
# impression is worth 150 fen to us, a second one 40 more and a third 20 more: the same reader sees them. Bids are placed
# slot by slot, in steps of 10 fen, and never exceed what the slots are worth together.
. "$(dirname "$0")/story.sh"

cat > "$out/bidder.json" <<'END'
{"items": 3, "levels": 30, "valuation": [
  {"items": [0], "value": 15}, {"items": [1], "value": 15}, {"items": [2], "value": 15},
  {"items": [0, 1], "value": 19}, {"items": [0, 2], "value": 19}, {"items": [1, 2], "value": 19}, {"items": [0, 1, 2], "value": 21}]}
END
if at_hand ipinyou_rtb/2997_test_theta_first50k.txt; then
  awk '{print $2}' "$data/ipinyou_rtb/2997_test_theta_first50k.txt" > "$out/prices.txt"
else
  "$hannan" simulate second-price-bidding --params "$out/bidder.json" --stream lognormal --rounds 1000 -o "$out/market.jsonl"
  tr -d '[]' < "$out/market.jsonl" | tr , '\n' | awk '{printf "%.0f\n", 300 * $1}' > "$out/prices.txt"
fi
(echo round,slot,price
 awk '{print int((NR - 1) / 3) + 1 ",slot" (NR - 1) % 3 + 1 "," $1}' "$out/prices.txt") > "$out/log.csv"

# The same flags for run and compare: the log is read as it is, and an item without a bid is not for sale.
log="-d $out/log.csv --format long --item slot --bid price --bidder none --names slot1,slot2,slot3 --rest drop --cap 300"
# shellcheck disable=SC2086 # the words of $log
play "$out/run.jsonl" second-price-bidding --params "$out/bidder.json" $log
# shellcheck disable=SC2086
"$hannan" compare second-price-bidding --params "$out/bidder.json" $log -l flipflop -l ada -l gftpl --hedge-most 2000 \
    --fixed 'one slot, full value=[15,0,0]' --fixed 'a third for each=[7,7,7]' -o "$out/result.json"
page "Bidding for three ad slots" "$out/result.json" "$out/run.jsonl"
