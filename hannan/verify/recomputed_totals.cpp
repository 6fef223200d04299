#include "hannan/verify/recomputed_totals.hpp"

#include <algorithm>
#include <cmath>

namespace hannan::detail {

bool agree(double found, double expected) {
  if (std::isinf(found) || std::isinf(expected)) return found == expected;
  return std::abs(found - expected) <= 1e-9 * std::max(1.0, std::abs(expected));
}

std::size_t smallest_minimiser(std::span<const double> values) {
  const double least = *std::min_element(values.begin(), values.end());
  const double limit = least + tie_slack(least);
  return static_cast<std::size_t>(std::find_if(values.begin(), values.end(), [&](double v) { return v <= limit; }) -
                                  values.begin());
}

bool may_be_chosen(std::span<const double> values, std::size_t index) {
  const double least = *std::min_element(values.begin(), values.end());
  const double slack = tie_slack(least);
  if (values[index] > least + 2 * slack) return false;
  return std::none_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(index),
                      [&](double v) { return v <= least + slack / 2; });
}

ListedActions::ListedActions(const AnyProblem& problem, std::uint64_t most) {
  const Json facts = problem.describe();
  const Json& count = facts.at("actions");
  if (!count.is_number() || count.as_number() > static_cast<double>(most)) return;
  size_ = static_cast<std::size_t>(count.as_number());
  const Json first = problem.actions(1);
  if (first.at("actions")[0] == Json(0)) return;
  const Json all = problem.actions(size_);
  actions_ = all.at("actions").as_array();
  size_ = actions_.size();
  for (std::size_t k = 0; k < size_; ++k) places_.emplace(dump(actions_[k]), k);
}

Json ListedActions::action(std::size_t index) const { return actions_.empty() ? Json(index) : actions_[index]; }

std::optional<std::size_t> ListedActions::index(const Json& action) const {
  if (actions_.empty()) {
    if (!action.is_number()) return std::nullopt;
    const double k = action.as_number();
    const bool inside = k >= 0 && k < static_cast<double>(size_) && k == std::floor(k);
    return inside ? std::optional(static_cast<std::size_t>(k)) : std::nullopt;
  }
  const auto place = places_.find(dump(action));
  return place == places_.end() ? std::nullopt : std::optional(place->second);
}

void RecomputedTotals::add(const Json& outcome, std::span<const double> losses) {
  ++rounds_;
  if (totals_.empty()) {
    std::string text = dump(outcome);
    if (const auto found = places_.find(text); found != places_.end()) {
      tally_[found->second].second += 1;
    } else {
      // In two statements: the place of the new entry must be known before the entry is added.
      const std::size_t place = tally_.size();
      places_.emplace(tally_.emplace_back(std::move(text), 1.0).first, place);
    }
    return;
  }
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    sums_[k] += losses[k];
    totals_[k] = sums_[k].value();
  }
}

double RecomputedTotals::least() const { return *std::min_element(totals_.begin(), totals_.end()); }

RecomputedTotals::Search RecomputedTotals::search() const {
  if (rounds_ == 0) return {0, 0};
  Json data = Json::array();
  for (const auto& [outcome, weight] : tally_) {
    data.push_back(Json::object({{"weight", weight}, {"outcome", parse_json(outcome)}}));
  }
  const Json best = problem_.best({.data = data, .oracle = oracle_, .keep = 1});
  return {best.at("value").as_number(), best.at("floor").as_number()};
}

double RecomputedTotals::total_of(const Json& action) const {
  ExactTotal sum;
  for (const auto& [outcome, weight] : tally_) {
    sum += weight * problem_.loss(action, parse_json(outcome)).loss;
  }
  return sum.value();
}

}  // namespace hannan::detail
