// The built-in problems for typed C++: no JSON, no names, just classes (examples/typed_reserves.cpp).
//
// A problem is made from its Parts, which its constructor checks (hannan::Error says what is wrong). Its perturbations
// and oracles come from static functions, the default first.
#pragma once

#include "hannan/problems/classification/classification.hpp"
#include "hannan/problems/experts/experts.hpp"
#include "hannan/problems/finite_game/finite_game.hpp"
#include "hannan/problems/first_price_bidding/first_price_bidding.hpp"
#include "hannan/problems/item_pricing/item_pricing.hpp"
#include "hannan/problems/level_auction/level_auction.hpp"
#include "hannan/problems/multi_unit/multi_unit.hpp"
#include "hannan/problems/routing/routing.hpp"
#include "hannan/problems/second_price_bidding/second_price_bidding.hpp"
#include "hannan/problems/security_game/security_game.hpp"
#include "hannan/problems/threshold_bidding/threshold_bidding.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves.hpp"
