#include "hannan/verify/recomputed_totals.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "hannan/core/error.hpp"

namespace hannan::detail {

bool agree(double found, double expected) {
  if (std::isinf(found) || std::isinf(expected)) return found == expected;
  return std::abs(found - expected) <= 1e-9 * std::max(1.0, std::abs(expected));
}

ListedActions::ListedActions(const AnyProblem& problem, std::uint64_t most)
    : game_(problem.game()), table_(game_.action_table(most)) {}

Json ListedActions::action(std::size_t index) const { return game_.action_json(table_->action(index)); }

std::optional<std::size_t> ListedActions::index(const Json& action) const {
  try {
    const AnyAction x = game_.parse_action(action, "action");
    // As the program writes it, not in another form that reads the same.
    if (dump(game_.action_json(x)) != dump(action)) return std::nullopt;
    return table_->place(x);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::shared_ptr<const AnyOracle<Game>> oracle_of(const Game& game, const std::string& named) {
  const auto oracles = game.oracles();
  const std::string name = named.substr(0, named.find(':'));
  const auto found =
      std::ranges::find(oracles, name, [](const auto& oracle) -> const std::string& { return oracle->name(); });
  const auto oracle = found == oracles.end() ? oracles.front() : *found;
  std::uint64_t work = 0;
  const char* end = named.data() + named.size();
  if (name.size() == named.size() || std::from_chars(named.data() + name.size() + 1, end, work).ptr != end)
    return oracle;
  const auto limited = oracle->limited(work);
  return limited ? limited : oracle;
}

RecomputedTotals::RecomputedTotals(const AnyProblem& problem, const ListedActions& list, std::string oracle,
                                   KeepOutcomes keep)
    : problem_(problem),
      list_(list),
      sums_(list.size()),
      totals_(list.size(), 0.0),
      oracle_(std::move(oracle)),
      keeps_outcomes_(!list.listed() || keep == KeepOutcomes::kAlways) {}

void RecomputedTotals::add(const AnyOutcome& outcome, std::span<const double> losses) {
  ++rounds_;
  if (keeps_outcomes_) keep(outcome);
  if (!list_.listed()) {
    sums_ = {};
    totals_ = {};
    return;
  }
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    sums_[k] += losses[k];
    totals_[k] = sums_[k].value();
  }
  least_ = least_value_of(totals_.size(), [&](std::size_t k) { return totals_[k]; });
}

void RecomputedTotals::keep(const AnyOutcome& outcome) {
  const Game& game = problem_.game();
  const std::string text = dump(game.outcome_json(outcome));
  const std::size_t next = tally_.size();
  const auto [place, first] = places_.emplace(std::hash<std::string>{}(text), next);
  if (!first && dump(game.outcome_json(tally_[place->second].first)) == text) {
    tally_[place->second].second += 1;
  } else {
    tally_.emplace_back(outcome, 1.0);
  }
}

RecomputedTotals::Search RecomputedTotals::search() const {
  if (rounds_ == 0) return {0, 0};
  const auto oracle = oracle_of(problem_.game(), oracle_);
  const auto data = oracle->empty(), nothing = oracle->empty();
  pour(*data);
  const auto answer = oracle->best({*data, *nothing, 0.0}, 1);
  return {answer.value, answer.floor};
}

double RecomputedTotals::total_of(const AnyAction& action) const {
  ExactTotal sum;
  for (const auto& [outcome, weight] : tally_) sum += weight * problem_.game().loss(action, outcome);
  return sum.value();
}

void RecomputedTotals::pour(AnyHistory<Game>& into) const {
  for (const auto& [outcome, weight] : tally_) into.add(outcome, weight);
}

}  // namespace hannan::detail
