// How a learner with partial feedback looks (docs/partial.md): which rounds are seen in full, by which coin, and what
// is played in them.
#pragma once

#include <optional>
#include <vector>

#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct LookParams {
  enum class Share {
    kAdaptive,  // min(1, max(1/sqrt(cost t), S/(range cost t))), S the learner's sum of gaps
    kFixed,
    kLogged,  // the share, and whether there was a look, come with each outcome
  };
  Json look;  // the action that is played in a look; null: the choice, and the outcome is asked for besides
  Share share = Share::kAdaptive;
  double chance = 1;                      // of kFixed
  double cost = 1;                        // of kAdaptive: what a look loses, as a part of the range
  enum class Coin { kLearner, kClient };  // who throws it; a client's decisions serve many rounds each
  Coin coin = Coin::kLearner;
  std::optional<std::vector<double>> coins;  // given ones, in place of draws
  std::optional<std::vector<Json>> against;  // actions; none: the one that is played in a look
};

inline constexpr Interval kLookChance{1e-6, 1};

// Of the fields besides "feedback". kMissingField without "look", kOutOfRange.
LookParams parse_looks(Fields& fields);
// The same fields, and "feedback".
void print_looks(const LookParams& params, Json& json);

}  // namespace hannan::detail
