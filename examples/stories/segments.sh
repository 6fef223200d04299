#!/bin/sh
# A decision for every segment: a coupon per household, a bid per click rate, a route per time of the week, and a reserve per
# country of a log that is made here (docs/stories/segments.md).
#   segments.sh [DATA] [OUT]     DATA holds scanner_posted_prices, ipinyou_rtb and metr_la_week
. "$(dirname "$0")/story.sh"

# compare_by NAME COLUMNS: the losses of NAME.csv by its columns, in money where NAME.json says what a loss of 1 is.
compare_by() {
  echo "== $1"
  unit=1
  if [ -e "$out/$1.json" ]; then unit=$(sed 's/.*"unit": \([0-9.]*\).*/\1/' "$out/$1.json"); fi
  "$hannan" compare experts -d "$out/$1.csv" --by "$2" --cap "$unit" --track end -o "$out/$1_result.json"
}

if at_hand scanner_posted_prices/Yogurt.csv && at_hand ipinyou_rtb/2997_test_theta_first50k.txt && at_hand metr_la_week/los_speed.csv; then
  python3 "$here/../../scripts/context_streams" "$data" "$out" yogurt ctr metr
else
  "$hannan" simulate experts --experts 4 --best 0.4 --others 0.7 --rounds 800 --by household --fan 20 -o "$out/yogurt.csv" -q
  "$hannan" simulate experts --experts 6 --rounds 800 --by half,quarter,eighth,sixteenth --fan 2 --segments mixed -o "$out/ctr.csv" -q
  "$hannan" simulate experts --experts 6 --rounds 800 --by day,quarter,hours --fan 2 --segments void -o "$out/metr.csv" -q
fi
play "$out/yogurt_run.jsonl" experts -d "$out/yogurt.csv" --by household
compare_by yogurt household
compare_by ctr half,quarter,eighth,sixteenth
compare_by metr day,quarter,hours

# A log that is made here: one buyer an auction, which pays about three times as much in one country as in the other; the
# site says nothing.
awk 'BEGIN {
  print "auction,country,site,buyer,amount"
  for (t = 1; t <= 1200; ++t) {
    x = (t * t * 31 + t * 17) % 997 / 997
    country = t * 7 % 3 ? "de" : "fr"
    printf "%d,%s,s%d,dsp%d,%.2f\n", t, country, t * 13 % 5, 1 + t % 2, country == "de" ? 5 + 2 * x : 1.5 + x
  }
}' > "$out/log.csv"
echo "== a log"
"$hannan" compare vcg-reserves --param levels=20 -d "$out/log.csv" --format long --round auction --bidder buyer --bid amount \
    --cap 8 --currency EUR --by country,site -o "$out/log_result.json"
page "A decision for every segment" "$out/yogurt_result.json" "$out/yogurt_run.jsonl" "$out/ctr_result.json" "$out/metr_result.json" \
    "$out/log_result.json"
