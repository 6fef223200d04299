#!/bin/sh
# Five bookmakers as experts, judged by the Brier score (docs/stories/football.md).
#   football.sh [DATA] [OUT]     DATA holds football_bookmakers/E0_*.csv
. "$(dirname "$0")/story.sh"

if at_hand football_bookmakers; then
  python3 "$here/football_losses.py" "$data/football_bookmakers" "$out/losses.csv"
else
  "$hannan" simulate experts --stream drift --experts 5 --rounds 2000 -o "$out/experts.csv"
  (echo B365,BW,IW,VC,WH; grep -v '[a-zA-Z]' "$out/experts.csv") > "$out/losses.csv"
fi
play "$out/run.jsonl" experts -d "$out/losses.csv"
"$hannan" compare experts -d "$out/losses.csv" -l flipflop -l ada -l gftpl -l adahedge -l leader \
    --fixed Bet365=0 --fixed Interwetten=2 --block 40 -o "$out/result.json"
page "Bookmakers as experts" "$out/result.json" "$out/run.jsonl"
