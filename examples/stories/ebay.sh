#!/bin/sh
# Reserve prices on eBay auctions: from a bid log to a comparison in money (docs/stories/ebay.md).
#   ebay.sh [DATA] [OUT]     DATA holds ebay_auctions/auction.csv
#
# eBay hides what the winner would have paid: the highest bid shown is the second plus an increment. Read
# as a value it would say that no reserve above it can ever earn more. So the top bidder of every auction is
# left out and the others, whose bids are real, are the auction; the figures are those of a market with
# one bidder fewer: their money is less than what was logged, which --accept-hidden accepts, and so nothing is
# recommended. Bidders hardly ever come back (3,388 of them in 628 auctions), so reserves by name
# would learn nothing: slots are the first, second and third to arrive, which a seller knows before the
# bid, and two for the highest of all who come later: two, so that the second price is never lost.
. "$(dirname "$0")/story.sh"

# item NAME ITEM CAP: one kind of good; CAP in dollars becomes 1
item() {
  echo "== $2"
  "$hannan" convert "$log" --round auctionid --where "item=$2" --timestamp bidtime \
      --slots order -n 3 --rest-slots 2 --drop-top 1 --accept-hidden --cap "$3" --currency USD -o "$out/$1.csv" --summary "$out/$1.json"
  play "$out/$1_run.jsonl" vcg-reserves --param levels=40 -d "$out/$1.csv" --log "$out/$1.json"
  "$hannan" compare vcg-reserves --param levels=40 -d "$out/$1.csv" --log "$out/$1.json" --block 10 -o "$out/$1_result.json"
}

if at_hand ebay_auctions/auction.csv; then
  log=$data/ebay_auctions/auction.csv
else
  log=$out/log.csv
  "$hannan" simulate vcg-reserves --param bidders=8 --param levels=10 --stream lognormal --rounds 500 -o "$out/market.jsonl"
  # Three of eight bidders come to an auction; the items take turns.
  (echo auctionid,bid,bidtime,bidder,item
   tr -d '[]' < "$out/market.jsonl" | awk -F, '{
     item = NR % 3 == 0 ? "Cartier wristwatch" : NR % 3 == 1 ? "Palm Pilot M515 PDA" : "Xbox game console"
     for (i = 1; i <= NF; i++) if ((NR * 7 + i * i * 5) % 11 < 5) printf "%d,%.2f,%d,u%d,%s\n", NR, 250 * $i, i, NR * 8 + i, item}') > "$log"
fi
item palm "Palm Pilot M515 PDA" 300
item xbox "Xbox game console" 300
item cartier "Cartier wristwatch" 2000
page "Reserve prices on eBay" "$out/palm_result.json" "$out/palm_run.jsonl" "$out/xbox_result.json" "$out/xbox_run.jsonl" \
    "$out/cartier_result.json" "$out/cartier_run.jsonl" --log "$out/palm.json" --log "$out/xbox.json" --log "$out/cartier.json"
