// Game (game/any_game.hpp) with everything that its functions take and give: JSON, rows, tables of actions, elements,
// draws of a market, lists of extreme outcomes. Inside the library this header is included; users of C++ need the first
// alone.
#pragma once

#include "hannan/core/extreme_outcomes.hpp"
#include "hannan/core/interval.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/game/action_table.hpp"
#include "hannan/game/any_game.hpp"
#include "hannan/game/elements.hpp"
#include "hannan/game/market_draws.hpp"
#include "hannan/io/json.hpp"
