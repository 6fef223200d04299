#!/bin/sh
# Reserve prices on eBay auctions: from a bid log to a comparison in money and a price-floors file.
#   ebay.sh DATA [FOLDER]     DATA holds ebay_auctions/auction.csv; results go to FOLDER, or here
#
# eBay hides what the winner would have paid: the highest bid shown is the second plus an increment. Read
# as a value it would say that no reserve above it can ever earn more. So the top bidder of every auction is
# left out and the others, whose bids are real, are the auction; the figures are those of a market with
# one bidder fewer. Bidders hardly ever come back, so slots go by rank: a reserve for the highest, one for
# the second, ...
set -eu
data=${1:?the folder that holds ebay_auctions}
to=${2:-.}
hannan=${HANNAN:-hannan}
item() {  # name, item, cap in dollars
  echo "== $2"
  "$hannan" convert "$data/ebay_auctions/auction.csv" --round auctionid --where "item=$2" --timestamp bidtime \
      --slots rank -n 4 --drop-top 1 --least 1 --cap "$3" --currency USD -o "$to/$1.csv" --summary "$to/$1.json"
  "$hannan" compare vcg-reserves --param levels=40 -d "$to/$1.csv" --log "$to/$1.json" --block 10 \
      -o "$to/$1_result.json" --floors "$to/$1_floors.json"
}
item palm "Palm Pilot M515 PDA" 300
item xbox "Xbox game console" 300
item cartier "Cartier wristwatch" 2000
