// The verifier's own totals: what every action has lost, or, where actions cannot be listed, the
// outcomes themselves, to be searched again when needed.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hannan/game/game.hpp"
#include "hannan/verify/choice_scan.hpp"
#include "hannan/verify/exact_total.hpp"
#include "hannan/verify/search_budget.hpp"

namespace hannan::detail {

// What two numbers that must agree may differ by: rounding. Losses and sums of them are measured in `unit`, that of tie
// windows, and a difference of two large totals has an error of its own, by their size.
struct Precision {
  double unit = 1;
  double size = 0;  // no total is larger; 0 where losses are in [0,1], whose totals are no larger than the rounds
  double relative = 1e-9;  // of the number, or of the unit where that is larger
};
bool agree(double found, double expected, const Precision& precision = {});

// The actions of a problem in order, where there are at most `most`.
class ListedActions {
 public:
  ListedActions(const Game& game, std::uint64_t most);
  bool listed() const { return table_ != nullptr; }
  std::size_t size() const { return table_ ? table_->size() : 0; }
  const ActionTable& table() const { return *table_; }
  Json action(std::size_t index) const;
  std::optional<std::size_t> index(const Json& action) const;
  // From here on they count as not listed: too many for so many rounds.
  void give_up() { table_.reset(); }

 private:
  const Game& game_;
  std::unique_ptr<const ActionTable> table_;
};

// The oracle that a header names, "name" or "name:limit"; the problem's first where there is no name.
std::shared_ptr<const GameOracle> oracle_of(const Game& game, const std::string& named);
// The same with the work limit of a learner's calls where the header names none: for the searches of single rounds.
std::shared_ptr<const GameOracle> round_oracle_of(const Game& game, const std::string& named);

// What RecomputedTotals keeps besides the totals of listed actions.
enum class KeepOutcomes { kWhereNotListed, kAlways };

// What the losses of a run whose range is unknown spread over, each round from its least to its largest.
struct RangesSeen {
  double largest = 0;
  double squares = 0;
  ExactTotal least;  // of the least losses
};

class RecomputedTotals {
 public:
  struct Setting {
    std::string oracle;  // searches where actions are not listed: the one of the run, with its work limit
    KeepOutcomes keep = KeepOutcomes::kWhereNotListed;
    double discount = 1;             // an outcome of age i counts discount^i
    SearchBudget* budget = nullptr;  // none: rounds 1, 2, 4, 8, ... alone are searched
  };
  RecomputedTotals(const Game& game, const ListedActions& list, Setting setting);
  RecomputedTotals(const RecomputedTotals&) = delete;  // views of one would look into the other

  // `losses` of every action where they are listed, otherwise empty. A weight other than 1 is that of a look.
  void add(const AnyOutcome& outcome, std::span<const double> losses, double weight = 1);
  void skip(std::uint64_t rounds = 1) { rounds_ += rounds; }  // rounds without an outcome
  std::uint64_t rounds() const { return rounds_; }

  // Listed actions only.
  std::span<const double> totals() const { return totals_; }
  double least() const { return least_; }
  std::size_t smallest_leader() const { return smallest_minimiser(totals_, unit()); }

  // Of tie windows; 1 where losses are in [0,1], or no range above 0 was seen.
  double unit() const { return unit_ > 0 ? unit_ : 1.0; }
  double slack(double value) const { return tie_slack(value, unit()); }
  Precision precision() const { return {unit(), size_}; }
  bool any_range() const { return any_range_; }
  const RangesSeen& ranges() const { return ranges_; }  // where any_range()
  // What one round can make of the difference of two actions.
  double largest_loss() const { return any_range_ ? ranges_.largest : 1.0; }

  // Kept outcomes only: the problem's own search over all of them, and the total of one action. What an oracle of the
  // user's own says is not proven.
  struct Search {
    double value = 0;
    double floor = 0;
    AnyAction action;
    bool proven = true;
  };
  enum class Effort { kRound, kEnd };  // with the work limit of a learner's calls, or all that the oracle has
  const Search& search(Effort effort = Effort::kRound) const;
  // Is there work left to search in round t?
  bool looks(std::uint64_t t) const { return setting_.budget ? setting_.budget->allows(t) : std::has_single_bit(t); }
  void searched(std::uint64_t nodes) const {
    if (setting_.budget) setting_.budget->spend(tally_.size(), nodes);
  }
  double total_of(const AnyAction& action) const;
  double total_of(const Json& action) const { return total_of(game_.parse_action(action, "action")); }
  // The oracle that searches single rounds, and the kept outcomes as it takes them, in units of unit(). Each is poured
  // once, unless a discount or a larger unit changes what those before it count.
  const GameOracle& round_oracle() const;
  const GameHistory& poured() const;

 private:
  void pour(GameHistory& into) const;
  void keep(const AnyOutcome& outcome, double weight);
  void age_kept();
  void see_range(const AnyOutcome& outcome, std::span<const double> losses, double weight);

  const Game& game_;
  const ListedActions& list_;
  std::vector<ExactTotal> sums_;  // of listed actions
  std::vector<double> totals_;    // their values
  double least_ = 0;              // of those
  Setting setting_;
  bool any_range_;
  bool keeps_outcomes_;
  RangesSeen ranges_;
  double unit_ = 0, size_ = 0;
  // Distinct outcomes in the order in which they came, and how often, in units of the newest: with a discount an older
  // one counts less, so a new one is added with a greater weight. Found again by a hash of their text; two with one
  // hash are both kept.
  std::vector<std::pair<AnyOutcome, double>> tally_;
  double newest_ = 1;
  std::unordered_map<std::uint64_t, std::size_t> places_;
  std::uint64_t rounds_ = 0;
  mutable std::shared_ptr<const GameOracle> round_oracle_;
  mutable std::unique_ptr<GameHistory> poured_;  // none before the first search
  mutable double poured_unit_ = 0;
  mutable std::vector<std::pair<std::size_t, double>> unpoured_;  // places in tally_ and weights, since then
  mutable Search found_;                                          // by the last search
  mutable std::optional<std::uint64_t> of_;                       // the rounds that it was over
  mutable Effort effort_ = Effort::kRound;
};

}  // namespace hannan::detail
