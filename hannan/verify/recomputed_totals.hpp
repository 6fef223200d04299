// The verifier's own totals: what every action has lost, or, where actions cannot be listed, the
// outcomes themselves, to be searched again when needed.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hannan/runtime/any_problem.hpp"
#include "hannan/verify/exact_total.hpp"

namespace hannan::detail {

// Two numbers that must agree may differ by rounding only.
bool agree(double found, double expected);

// Values this close are a tie, and ties go to the smallest action (docs/theory.md, conventions).
// Sums made in another order may differ a little, so what is asked of a recorded choice is: no value
// is clearly below its own, and no smaller action is clearly tied with the best.
inline double tie_slack(double value) { return 1e-9 + 1e-14 * (value < 0 ? -value : value); }
std::size_t smallest_minimiser(std::span<const double> values);
bool may_be_chosen(std::span<const double> values, std::size_t index);

// The actions of a problem in order, where there are at most `most`.
class ListedActions {
 public:
  ListedActions(const AnyProblem& problem, std::uint64_t most);
  bool listed() const { return size_ > 0; }
  std::size_t size() const { return size_; }
  Json action(std::size_t index) const;
  std::optional<std::size_t> index(const Json& action) const;

 private:
  std::size_t size_ = 0;
  std::vector<Json> actions_;  // empty where actions are their own indices
  std::unordered_map<std::string, std::size_t> places_;
};

class RecomputedTotals {
 public:
  // `oracle` searches where actions are not listed: the one of the run, with its work limit.
  RecomputedTotals(const AnyProblem& problem, const ListedActions& list, std::string oracle)
      : problem_(problem), sums_(list.size()), totals_(list.size(), 0.0), oracle_(std::move(oracle)) {}
  RecomputedTotals(const RecomputedTotals&) = delete;  // views of one would look into the other

  // `losses` of every action where they are listed, otherwise empty.
  void add(const Json& outcome, std::span<const double> losses);
  std::uint64_t rounds() const { return rounds_; }

  // Listed actions only.
  std::span<const double> totals() const { return totals_; }
  double least() const;

  // Unlisted ones: the problem's own search over all outcomes, and the total of one action.
  struct Search {
    double value;
    double floor;
  };
  Search search() const;
  double total_of(const Json& action) const;

 private:
  const AnyProblem& problem_;
  std::vector<ExactTotal> sums_;  // of listed actions
  std::vector<double> totals_;    // their values
  std::string oracle_;
  // Distinct outcomes as text, in the order in which they came, and how often; found again by their text. A deque
  // never moves its items, so the views stay good.
  std::deque<std::pair<std::string, double>> tally_;
  std::unordered_map<std::string_view, std::size_t> places_;
  std::uint64_t rounds_ = 0;
};

}  // namespace hannan::detail
