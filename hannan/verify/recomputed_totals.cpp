// A round adds its loss to every listed action with its rounding kept (ExactTotal), or, where actions are not listed,
// to a list of distinct outcomes with their counts and to the history that searches are given. O(actions) or O(length
// of the outcome's text) a round; poured_ is all of tally_ but for unpoured_, wherever it is used.
#include "hannan/verify/recomputed_totals.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "hannan/core/error.hpp"
#include "hannan/core/text.hpp"

namespace hannan::detail {

// 1e-9 of the value, or of the unit where the value is small, is the tolerance of every check but that of an exact M;
// 1e-14 of the sizes that were added allows for sums in another order.
bool agree(double found, double expected, const Precision& precision) {
  if (std::isinf(found) || std::isinf(expected)) return found == expected;
  const double slack = precision.relative * std::max(precision.unit, std::abs(expected)) + 1e-14 * precision.size;
  return std::abs(found - expected) <= slack;
}

ListedActions::ListedActions(const Game& game, std::uint64_t most) : game_(game), table_(game_.action_table(most)) {}

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

std::shared_ptr<const GameOracle> oracle_of(const Game& game, const std::string& named) {
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

std::shared_ptr<const GameOracle> round_oracle_of(const Game& game, const std::string& named) {
  const auto oracle = oracle_of(game, named);
  const auto limited = named.find(':') == std::string::npos ? oracle->limited(kLearnerWork) : nullptr;
  return limited ? limited : oracle;
}

RecomputedTotals::RecomputedTotals(const Game& game, const ListedActions& list, Setting setting)
    : game_(game),
      list_(list),
      sums_(list.size()),
      totals_(list.size(), 0.0),
      setting_(std::move(setting)),
      any_range_(game.loss_range() == LossRange::kUnknown),
      keeps_outcomes_(!list.listed() || setting_.keep == KeepOutcomes::kAlways) {}

// The limits that the problem states may be wider than its losses; where all losses are at hand they must lie within
// them.
void RecomputedTotals::see_range(const AnyOutcome& outcome, std::span<const double> losses, double weight) {
  const LossSpread spread = game_.spread(outcome);
  const double low = spread.least, high = spread.most;
  const double rounding = 1e-9 * std::max(std::abs(low), std::abs(high));
  for (const double loss : losses) {
    if (loss >= low - rounding && loss <= high + rounding) continue;
    throw Error(Code::kRejected,
                "found a loss of " + number_text(loss) + ", expected losses in [" + number_text(low) + "," +
                    number_text(high) + "], as the problem says of this outcome",
                "range");
  }
  const double range = high - low;
  ranges_.largest = std::max(ranges_.largest, range);
  ranges_.squares += range * range;
  ranges_.least += low;
  size_ += weight * std::max(std::abs(low), std::abs(high));
  unit_ = grown_unit(unit_, weight * range);
}

void RecomputedTotals::add(const AnyOutcome& outcome, std::span<const double> losses, double weight) {
  ++rounds_;
  if (any_range_) {
    see_range(outcome, losses, weight);
  } else if (weight != 1) {
    unit_ = grown_unit(unit_, weight);
  }
  if (keeps_outcomes_) keep(outcome, weight);
  if (!list_.listed()) {
    sums_ = {};
    totals_ = {};
    return;
  }
  for (std::size_t k = 0; k < totals_.size(); ++k) {
    if (setting_.discount != 1) sums_[k] *= setting_.discount;
    sums_[k] += weight * losses[k];
    totals_[k] = sums_[k].value();
  }
  least_ = least_value_of(totals_.size(), [&](std::size_t k) { return totals_[k]; });
}

// Of two outcomes the older one counts discount as much: the newer is kept with 1/discount of its weight. Long before
// that overflows all are divided by it; what is then below the least double is far below every window.
void RecomputedTotals::age_kept() {
  newest_ /= setting_.discount;
  if (newest_ < 1e100) return;
  for (auto& [outcome, weight] : tally_) weight /= newest_;
  newest_ = 1;
}

void RecomputedTotals::keep(const AnyOutcome& outcome, double weight) {
  if (setting_.discount != 1) age_kept();
  const std::string text = dump(game_.outcome_json(outcome));
  const std::size_t next = tally_.size();
  const auto [place, first] = places_.emplace(std::hash<std::string>{}(text), next);
  const bool again = !first && dump(game_.outcome_json(tally_[place->second].first)) == text;
  if (again) {
    tally_[place->second].second += weight * newest_;
  } else {
    tally_.emplace_back(outcome, weight * newest_);
  }
  if (poured_) unpoured_.emplace_back(again ? place->second : next, weight);
}

const RecomputedTotals::Search& RecomputedTotals::search(Effort effort) const {
  if (of_ == rounds_ && (found_.proven || effort == effort_)) return found_;
  const auto of_end = effort == Effort::kEnd ? oracle_of(game_, setting_.oracle) : nullptr;
  const auto all = of_end ? of_end->empty() : nullptr;
  if (all) pour(*all);
  const GameOracle& oracle = of_end ? *of_end : round_oracle();
  const auto answer = oracle.best({all ? *all : poured(), *oracle.empty(), 0.0}, 1);
  searched(answer.nodes);
  const bool ours = oracle.claims().empty();
  // Of an oracle of the user's own only what it found is known: no loss is below the least of its round.
  const double least = any_range_ ? ranges_.least.value() : 0.0;
  found_ = {.value = unit() * answer.value,
            .floor = ours ? unit() * answer.floor : least,
            .action = answer.action,
            .proven = ours && answer.proven()};
  if (rounds_ == 0) found_.value = found_.floor = 0;
  of_ = rounds_;
  effort_ = effort;
  return found_;
}

double RecomputedTotals::total_of(const AnyAction& action) const {
  ExactTotal sum;
  for (const auto& [outcome, weight] : tally_) sum += weight / newest_ * game_.loss(action, outcome);
  return sum.value();
}

const GameOracle& RecomputedTotals::round_oracle() const {
  if (!round_oracle_) round_oracle_ = round_oracle_of(game_, setting_.oracle);
  return *round_oracle_;
}

const GameHistory& RecomputedTotals::poured() const {
  if (!poured_ || setting_.discount != 1 || poured_unit_ != unit()) {
    poured_ = round_oracle().empty();
    pour(*poured_);
    poured_unit_ = unit();
  } else {
    for (const auto& [place, weight] : unpoured_) poured_->add(tally_[place].first, weight / unit());
  }
  unpoured_.clear();
  return *poured_;
}

void RecomputedTotals::pour(GameHistory& into) const {
  constexpr double kForgotten = 1e-40;  // 10^15 of them are below every window
  for (const auto& [outcome, weight] : tally_) {
    if (weight / newest_ > kForgotten) into.add(outcome, weight / newest_ / unit());
  }
}

}  // namespace hannan::detail
