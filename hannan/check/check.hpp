// `hannan check`: what a perturbation matrix promises, and whether it is true.
//
// checker.cpp computes gamma (by one programme over all rivals, or by cutting planes), holds the data sets against the
// columns they are to make, and measures M; check.cpp draws the conclusions: which noises are allowed, which bounds
// follow, and whether every condition holds.
//
// Up to 5000 actions are put in a table. Beyond, gamma is taken over a sample of pairs: an outcome, and the action that
// an oracle call picks for it under random noise, every other time the one that loses most. Against such a pair all
// rivals are considered, so the sampled gamma is a true lower bound.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/certify/certificate.hpp"
#include "hannan/certify/noise_size.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

struct CheckRequest {
  enum class Method { kAuto, kFull, kCuts };  // one programme with all rivals, or cutting planes
  std::string perturbation;                   // empty: the problem's first
  std::shared_ptr<const GameOracle> oracle;   // for cutting planes and M; null: the first that serves
  std::string noise = "laplace";              // of M and the bounds
  Json outcomes;                              // a list, not empty
  bool every_outcome = false;                 // and there are no others
  Method method = Method::kAuto;
  std::uint64_t pairs = 200;      // cutting planes look at this many (action, outcome) pairs; 0: all of them
  std::uint64_t seed = 0;         // of the sample of pairs
  std::optional<double> claimed;  // gamma, in place of what the matrix claims
  double c = 1;
  std::optional<std::uint64_t> rounds;  // T and L* of the bounds; none asked: no bounds
  std::optional<double> best;
  std::function<void(std::string_view what, std::size_t done, std::size_t of)> watch;  // may be empty
};

// gamma for one sign of s.
struct GammaFound {
  double low = 0;
  double high = 0;          // low < high: an oracle left a gap
  bool all_actions = true;  // false: over sampled pairs, so a lower bound of the maximum over all
  std::string_view method = "full";
  std::uint64_t pairs = 0;
  std::uint64_t calls = 0;  // of the oracle
  std::uint64_t cuts = 0;   // rivals that joined
  Json witness;             // null where gamma = 0
};

// The data sets that make plus or minus every column, with weights of any sign or none below 0.
struct SetsFound {
  int sign = 1;
  Weights weights = Weights::kAnySign;
  std::string_view by = "construction";  // or "linear programme"
  std::optional<std::size_t> missing;    // the first column that has none
  bool searched = true;                  // a missing one was looked for among the outcomes at hand
  double gap = 0;                        // the most that a set misses its column by, up to a constant
  std::size_t checked_on = 0;            // actions
  Json data;                             // per column a list of {weight, outcome}, or null
};

struct CheckFindings {
  std::string_view kind;
  std::string perturbation;
  std::optional<double> actions;  // K, where it is known
  std::size_t outcomes = 0;
  bool every_outcome = false;
  bool reward = false;
  std::optional<double> claimed;
  bool claimed_by_matrix = true;
  HedgeSign claimed_sign = HedgeSign::kMixed;
  std::array<GammaFound, 3> gamma;  // s free, s >= 0, s <= 0
  double delta = 0;
  std::size_t delta_rows = 0;  // actions it was computed on
  bool delta_of_all = true;
  std::array<SetsFound, 3> sets;    // plus with any weights, plus and minus with weights >= 0
  std::string one_sided_objection;  // what a learner would say against one-sided noise
  std::string centred_objection;
  std::optional<NoiseSize> size;  // M, where the noise is allowed
  RunFacts run;                   // the setting of the bounds: size, noise, c, rounds, best
};

// Throws what is wrong with the request.
Json check(std::shared_ptr<const Game> problem, const CheckRequest& request);

// The answer: facts, noises, bounds, and `holds` with the list of what fails.
Json check_json(const CheckFindings& found);

}  // namespace hannan::detail
