#!/bin/sh
# Will the price of electricity rise? Small trees on a stream that drifts (docs/stories/elec2.md).
#   elec2.sh [DATA] [OUT]     DATA holds elec2/elec.csv
#
# The label says whether the price is above its mean of the last day, and column nswprice is that price: it is played with and without.
# To repeat the last label is the rival to beat, and it is counted first.
. "$(dirname "$0")/story.sh"

if at_hand elec2/elec.csv; then
  log=$data/elec2/elec.csv
  rules=trees2
else
  log=$out/stream.csv
  rules=stumps  # so that it takes a second
  # Demand swings over the day and the price follows it, less so in the second half.
  "$hannan" simulate experts --stream drift --experts 3 --rounds 2000 -o "$out/noise.csv"
  (echo period,nswprice,nswdemand,class
   grep -v '[a-zA-Z]' "$out/noise.csv" | awk -F, '{t = NR % 12 / 12; demand = 0.5 - 0.3 * cos(6.2832 * t) + 0.1 * $1
     price = 0.2 * demand + 0.2 * $2 + (NR > 1000 ? 0.2 * $3 : 0); printf "%.2f,%.2f,%.1f,%d\n", t, price, demand, (price > 0.2)}') > "$log"
fi
awk -F, 'NR > 1 {if (NR > 2 && $NF != last) wrong++; last = $NF} END {printf "repeating the last label: %d mistakes in %d rounds\n", wrong, NR - 1}' "$log"
# learn NAME COLUMNS-TO-DROP
learn() {
  echo "== without $2"
  set -- "$1" classification --from "$log" --param label=class --param hypotheses=$rules --param bins=16 --param "drop=$2"
  name=$1
  shift
  play "$out/${name}_run.jsonl" "$@"
  "$hannan" compare "$@" -l flipflop -l leader --rivals none -o "$out/${name}_result.json"
}
learn all '[]'
learn fair '["nswprice"]'
page "Will electricity become more expensive?" "$out/fair_result.json" "$out/fair_run.jsonl" "$out/all_result.json" "$out/all_run.jsonl"
