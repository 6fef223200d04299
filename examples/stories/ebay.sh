#!/bin/sh
# Reserve prices on eBay auctions: from a bid log to a comparison in money.
#   ebay.sh DATA [FOLDER]     DATA holds ebay_auctions/auction.csv; results go to FOLDER, or here
#
# eBay hides what the winner would have paid: the highest bid shown is the second plus an increment. Read
# as a value it would say that no reserve above it can ever earn more. So the top bidder of every auction is
# left out and the others, whose bids are real, are the auction; the figures are those of a market with
# one bidder fewer. Bidders hardly ever come back (3,388 of them in 628 auctions), so reserves by name
# would learn nothing: slots are the first, second and third to arrive, which a seller knows before the
# bid, and two for the highest of all who come
# later: two, so that the second price is never lost.
set -eu
data=${1:?the folder that holds ebay_auctions}
to=${2:-.}
hannan=${HANNAN:-hannan}
item() {  # name, item, cap in dollars
  echo "== $2"
  "$hannan" convert "$data/ebay_auctions/auction.csv" --round auctionid --where "item=$2" --timestamp bidtime \
      --slots order -n 3 --rest-slots 2 --drop-top 1 --cap "$3" --currency USD -o "$to/$1.csv" --summary "$to/$1.json"
  "$hannan" compare vcg-reserves --param levels=40 -d "$to/$1.csv" --log "$to/$1.json" --block 10 -o "$to/$1_result.json"
}
item palm "Palm Pilot M515 PDA" 300
item xbox "Xbox game console" 300
item cartier "Cartier wristwatch" 2000
