// What a learner's rule demands of a recorded round, written a second time.
//
// A rule sees every round three times: `read` with the fields of the line that it alone has, `decided` with the totals
// as they were when the learner chose, and `observed` with the outcome in them. Rules keep only what the learner's own
// rule depends on; a value once checked is taken from the record, so that rounding does not add up over the rounds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "hannan/verify/bounds.hpp"
#include "hannan/verify/record_state.hpp"
#include "hannan/verify/sleeping_totals.hpp"

namespace hannan::detail {

// Where the fields of a learner's round stand: in a line of their own, or in a node of a line that several learners
// share, such as the segments of a context. A node has neither "gap" nor "switched", and its learner no certificate.
enum class Row { kLine, kNode };

// What a rule follows a learner with. All of it outlives the rule.
struct RuleInput {
  RecordState& record;
  const RecomputedTotals& recomputed;  // what the learner chooses by: with a discount, the discounted totals
  Row row = Row::kLine;
  std::uint64_t watched = 0;               // outcomes that were there before the learner's first round
  const SleepingTotals* asleep = nullptr;  // of experts that sleep, where they can
};

class RoundRule {
 public:
  explicit RoundRule(const RuleInput& in) : in_(in) {}
  virtual ~RoundRule() = default;
  // Fields of its own: "eta", null or a number, unless the rule has others.
  virtual void read(Fields& in);
  virtual void decided(const RecordedRound& round) = 0;
  virtual void observed(const RecordedRound&) {}
  // How often the outcome of the round counts: that of a look.
  void weigh(double weight) { weight_ = weight; }
  // Of learners that look: the fields of a line without an outcome, and what such a round changes.
  virtual void read_decision(Fields& in) { read(in); }
  virtual void skipped(const RecordedRound&) {}
  // What their certificate is made of: gaps, moves of the multiplier, of which the end may be `more`, and S.
  struct LookSums {
    double gaps = 0, moves = 0, more = 0, stability = 0;
    bool known = true;  // every gap was derived again
  };
  virtual LookSums look_sums() const { return {}; }
  virtual std::uint64_t oracle_calls() const = 0;
  // After the last round, before the bounds are asked for.
  virtual void finish() {}
  virtual BoundsLater bounds() const { return {}; }
  // Fields of the end that it alone has. `values` are those of the bounds, by name.
  using BoundValues = std::map<std::string, double>;
  virtual void end(Fields&, const BoundValues&) const {}

 protected:
  const RuleInput& input() const { return in_; }
  const RecordedSetting& setting() const { return in_.record.setting; }
  Claims& claims() const { return in_.record.claims; }
  const ListedActions& list() const { return in_.record.list; }
  DrawnNoise& noise() const { return in_.record.noise; }
  const RecomputedTotals& recomputed() const { return in_.recomputed; }
  bool is_node() const { return in_.row == Row::kNode; }

  struct Choice {
    const Json& action;
    std::optional<std::size_t> index;
    const char* field;
    bool counted = true;  // what it falls short of the best is in the gap that the end shows
    bool asked = true;    // the oracle was called for it, and not for the same before
  };
  // The place of an action, where actions are listed, and what it loses. Throws what is wrong with it.
  struct ScoredAction {
    std::optional<std::size_t> index;
    double loss;
  };
  ScoredAction scored_action(const Json& action, const char* field, const AnyOutcome& outcome) const;
  static Choice played_in(const RecordedRound& round) { return {round.action, round.index, "action"}; }
  // Totals with the noise of round t on them; nothing is known of the noise where scale is 0.
  struct Objective {
    const RecomputedTotals& on;
    std::uint64_t t = 0;
    double scale = 0;
  };
  // The choice leads on these totals, and is the smallest that does.
  void expect_leader(const Choice& choice, const RecomputedTotals& on) const;
  // The choice is the perturbed leader: of all listed actions, or, where they are not listed, no worse than what a new
  // search finds, while there is work left for it (search_budget.hpp), and then in the rounds 1, 2, 4, 8, ...
  void expect_perturbed(const Choice& choice, const Objective& at) const;
  // By how much the first action is above the second, and above the best of all; none where it is not computed.
  std::optional<double> above(const Choice& first, const Choice& second, const Objective& at) const;
  std::optional<double> above_best(const Choice& choice, const Objective& at) const;
  // No gap is larger than the range of losses, 1 or the largest range so far, times the weight of the outcome.
  double most_gap() const { return weight_ * recomputed().largest_loss(); }
  void expect_no_eta() const;
  // The part of the two that plays, as "regime" names it.
  void expect_regime(const std::string& found, std::string_view expected) const;
  // eta = min{1/gamma, C/sqrt(L*+1)}, C = c N^(1-1/p); where L* is not known, within what it may be.
  struct SmallLoss {
    double c;
    std::optional<double> best;
    std::uint64_t rounds;
  };
  void expect_small_loss(const SmallLoss& at) const;
  // The switch happened if `value` is clearly beyond `limit`, and did not if it is clearly within. Returns whether it
  // did, as recorded, or by the learner's own comparison where the line does not say.
  bool switches(std::optional<bool> recorded, double value, double limit) const;
  // Rounds that the learner played.
  std::uint64_t played() const { return in_.recomputed.rounds() - in_.watched; }

  std::optional<double> eta_;
  double weight_ = 1;

 private:
  struct Judged {
    const char* name;
    double unit;  // of tie windows
  };
  template <class Values>
  void judge(const Choice& choice, const Judged& rule, const Values& at) const;
  void hold(const Choice& choice, const Objective& at) const;
  void expect_searched(const Choice& choice, const Objective& at) const;
  double value_of(const AnyAction& x, const Objective& at) const;

  RuleInput in_;
};

}  // namespace hannan::detail
