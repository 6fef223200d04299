// THE registry: one line per problem, HANNAN_PROBLEM(header and function name, type).
//
// From its line come a problem's name on the command line and in the pipe, its JSON, its help text,
// its row in the docs and the whole conformance suite. The build reads this file too and compiles
// each problem's run-time interface on its own.
HANNAN_PROBLEM(experts, Experts)
HANNAN_PROBLEM(finite_game, FiniteGame)
HANNAN_PROBLEM(vcg_reserves, VcgReserves)
HANNAN_PROBLEM(item_pricing, ItemPricing)
HANNAN_PROBLEM(multi_unit, MultiUnit)
HANNAN_PROBLEM(second_price_bidding, SecondPriceBidding)
HANNAN_PROBLEM(level_auction, LevelAuction)
HANNAN_PROBLEM(security_game, SecurityGame)
HANNAN_PROBLEM(threshold_bidding, ThresholdBidding)
HANNAN_PROBLEM(classification, Classification)
HANNAN_PROBLEM(routing, Routing)
HANNAN_PROBLEM(first_price_bidding, FirstPriceBidding)
