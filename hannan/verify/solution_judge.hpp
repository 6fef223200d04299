// The checks of one solution (solution_check.hpp) and what they share: the file, its scenarios, losses less the bases.
//
// The two sides and the average are checked in solution_check.cpp, the other figures of the file in
// solution_figures.cpp. Tolerances are 1e-9 of the unit of losses, or of the number where that is larger.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/verify/solution_check.hpp"
#include "hannan/verify/solution_scenarios.hpp"

namespace hannan::detail {

[[noreturn]] void reject_field(const std::string& field, const std::string& message);
// The mean of the largest entries, which share 1, at most `cap` each.
double largest_mean(std::vector<double> values, double cap);
double product(const std::vector<double>& a, const std::vector<double>& b);

class SolutionJudge {
 public:
  // A sum that is known to an interval where bases are; both ends alike otherwise.
  struct Between {
    double low, high;
  };

  SolutionJudge(const Json& solution, const SolutionRows& rows);
  SolutionVerification run();

 private:
  static std::shared_ptr<const Game> game_of(const Json& solution);

  double window(double value) const { return 1e-9 * std::max(unit_, std::abs(value)); }
  bool agrees(double stated, const Between& own) const {
    return stated >= own.low - window(own.low) && stated <= own.high + window(own.high);
  }
  void expect(const std::string& field, double stated, const Between& own) const;

  // A file without one claims nothing of the kind; what the pipe answered has "ok" before it.
  void check_digest();

  void read_settings();

  // Weights on scenarios by name: above 0, none twice, none above cap, with the sum 1.
  std::vector<double> read_opponent(const Json& list, const std::string& field) const;
  // Actions of the problem, none twice, above 0, with the sum 1; `worst` and `average` are what the file says of
  // each alone, if it does.
  struct Mixture {
    std::vector<AnyAction> actions;
    std::vector<double> probabilities, worst, average;
  };
  Mixture read_mixture(const Json& list, const std::string& field) const;
  void read_mixtures();

  struct Search {
    double value, floor;
  };
  // The least of the weighted losses over all actions, or what a search proves of it.
  Search least(const std::vector<double>& weights) const;
  using WeightedOutcomes = std::vector<std::pair<AnyOutcome, double>>;
  Search least_of(const WeightedOutcomes& set) const;

  // With regret the least loss of each scenario is searched again.
  void find_bases();

  // Losses by scenario less the bases: the high ones, and the low ones.
  struct Losses {
    std::vector<double> low, high;
  };
  Losses less_bases(const std::vector<double>& losses) const;
  Between worst_of(const Losses& losses) const;
  Between average_of(const Losses& losses) const;
  void check_upper();
  void check_lower();
  void check_average();

  // What no single action is below, where they can be looked at.
  void check_single(const char* field, Losses& losses);
  void check_singles();
  void check_lists();
  void check_frontier();
  // The bounds of earlier rounds against those of the file, and against where a search with its tolerance ends.
  void check_trace();
  void check_work();
  // What says where the file came from: the program, the oracle with its claims, and money.
  void check_origin();
  void check_gain();
  void check_held(const Json& held);
  std::vector<double> mixed_losses(const Mixture& mixture) const;
  // On held rows, less the held bases.
  Losses held_losses(const Mixture& mixture) const;
  Losses less_held_bases(const std::vector<double>& losses) const;
  void find_held_bases();
  double own_errors() const;
  double own_fresh() const;
  void check_gap();

  Fields in_;
  const Json& file_;
  std::shared_ptr<const Game> game_;
  SolutionScenarios scenarios_;
  std::unique_ptr<const ActionTable> table_;
  std::shared_ptr<const GameOracle> oracle_;
  double cap_ = 1, tolerance_ = 0, slack_ = 0, unit_ = 1, lower_ = 0, upper_ = 0;
  bool regret_ = false;
  std::string stopped_;
  std::optional<double> last_round_;  // of the trace, where there is one
  Mixture strategy_;
  std::vector<Mixture> points_;  // of the frontier, where it has them
  std::vector<double> opponent_, low_, high_, held_low_, held_high_;
  Losses mixture_, single_, mean_;
  SolutionVerification found_;
};

}  // namespace hannan::detail
