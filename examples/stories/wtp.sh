#!/bin/sh
# A price for a park, from what people said they would pay (docs/stories/wtp.md).
#   wtp.sh [DATA] [OUT]     DATA holds wtp_surveys/Kakadu.csv
#
# Each of 1,827 people was asked about one of two goods, sparing Kakadu a major or a minor damage by a mine (column major), and
# said yes or no to two amounts. What they would pay is known to lie between lower and upper. A price inside that range may sell or
# not, so the lower end is taken as the value: every sale counted would have been made. The upper end is played too, as the other
# limit; there 999 says that no limit is known, which is clipped to 250, the highest amount asked.
# The file is sorted by answers and has no time order, so the people come in a shuffled one.
. "$(dirname "$0")/story.sh"

if at_hand wtp_surveys/Kakadu.csv; then
  (head -n 1 "$data/wtp_surveys/Kakadu.csv"
   # 1831 is a prime above the number of rows, so every row gets a key of its own.
   awk 'NR > 1 {print NR * 7919 % 1831 "\t" $0}' "$data/wtp_surveys/Kakadu.csv" | sort -n | cut -f 2-) > "$out/survey.csv"
else
  "$hannan" simulate item-pricing --param items=2 --param levels=50 --stream lognormal --rounds 800 -o "$out/market.jsonl"
  (echo rownames,lower,upper,major
   sed 's/.*"bundle":\[\([01]\).*"value":\([0-9.e-]*\).*/\1 \2/' "$out/market.jsonl" |
   awk 'NF == 2 {low = int(25 * $2) * 10; print NR "," low "," low + 50 "," ($1 == 1 ? "yes" : "no")}') > "$out/survey.csv"
fi

# limit END: the survey with this end of the ranges as values; levels of 5 dollars
limit() {
  echo "== values: the $1 end of what people said"
  log="-d $out/survey.csv --format long --round rownames --bidder none --item major --names yes,no --rest drop --bid $1 --cap 250 --currency AUD"
  # shellcheck disable=SC2086 # the words of $log
  play "$out/$1_run.jsonl" item-pricing --param levels=50 $log
  # shellcheck disable=SC2086
  "$hannan" compare item-pricing --param levels=50 $log -l flipflop -l ada -l gftpl --hedge-most 2500 \
      --fixed 'ask 20=[4,4]' --fixed 'ask 50=[10,10]' --fixed 'ask 100=[20,20]' -o "$out/$1_result.json"
}
limit lower
limit upper
page "A price for Kakadu" "$out/lower_result.json" "$out/lower_run.jsonl" "$out/upper_result.json" "$out/upper_run.jsonl"
