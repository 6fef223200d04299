#!/bin/sh
# A relay or the direct line? Round-trip times between personal computers (docs/stories/seattle.md).
#   seattle.sh [DATA] [OUT]     DATA holds seattle_rtt/seattle_rtt_24nodes.tsv
#
# Two pairs of computers: 11 to 0, of all 552 the one for which a fixed relay gains most, and 20 to 11, for which none gains.
. "$(dirname "$0")/story.sh"

if at_hand seattle_rtt/seattle_rtt_24nodes.tsv; then
  python3 "$here/../routing/seattle_rtt.py" "$data/seattle_rtt" "$out"
else
  (echo from,to
   for a in 0 1 11 20 23; do for b in 0 1 11 20 23; do [ "$a" = "$b" ] || echo "$a,$b"; done; done) > "$out/edges.csv"
  "$hannan" simulate routing --from "$out/edges.csv" --param source=11 --param target=0 --param hops=3 --stream switching --period 200 --rounds 688 -o "$out/costs.jsonl"
  (tail -n +2 "$out/edges.csv" | tr , '>' | paste -s -d , -
   tr -d '[]' < "$out/costs.jsonl") > "$out/costs.csv"
fi
# pair FROM TO; a cost of 1 is 2 seconds, and a loss of 1 is three lines of cost 1
pair() {
  echo "== from $1 to $2; a line of cost 1 takes 2 s, a loss of 1 is three of them, 6 s"
  direct=$(($(grep -n "^$1,$2\$" "$out/edges.csv" | cut -d : -f 1) - 2))
  from="--from $out/edges.csv --param source=$1 --param target=$2 --param hops=3 -d $out/costs.csv"
  # shellcheck disable=SC2086 # the words of $from
  play "$out/$1_$2_run.jsonl" routing $from
  # shellcheck disable=SC2086
  "$hannan" compare routing $from -l flipflop -l ada -l gftpl --cap 2 --currency sec --fixed "direct=[$direct]" -o "$out/$1_$2_result.json"
}
pair 11 0
pair 20 11
page "A relay or the direct line?" "$out/11_0_result.json" "$out/11_0_run.jsonl" "$out/20_11_result.json" "$out/20_11_run.jsonl"
