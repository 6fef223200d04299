// What each learner's rule demands of a recorded round, written a second time.
//
// A rule sees every round twice: `decided` with the totals as they were when the learner chose, and
// `observed` with the outcome in them. Rules keep only what the learner's own rule depends on; a value
// once checked is taken from the record, so that rounding does not add up over the rounds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hannan/verify/claims.hpp"
#include "hannan/verify/drawn_noise.hpp"
#include "hannan/verify/recomputed_totals.hpp"
#include "hannan/verify/setting.hpp"

namespace hannan::detail {

// A line of the record, and what follows from it alone.
struct RecordedRound {
  std::uint64_t t = 0;
  Json action;
  std::optional<std::size_t> index;  // of the action, where actions are listed
  std::optional<double> eta;
  double multiplier = 0;
  std::string regime;
  const AnyOutcome* outcome = nullptr;
  std::span<const double> losses;     // of every action, where they are listed
  double loss = 0;                    // as recorded
  double action_loss = 0;             // of the action against the outcome
  std::optional<double> best_before;  // L* before and after the round: our own where actions are
  std::optional<double> best_after;   // listed, otherwise as recorded, if it was
  std::optional<Json> after;
  double after_loss = 0;
  std::optional<std::size_t> after_index;
  std::vector<double> stability;
  bool has_gap = false;       // the field is there
  std::optional<double> gap;  // its number; none: null
  double leader_estimate = 0, gftpl_estimate = 0;
  std::optional<bool> switched;  // none: the line does not say
};

struct RuleInput {
  const RecordedSetting& setting;
  const ListedActions& list;
  const RecomputedTotals& recomputed;  // what the learner chooses by: with a discount, the discounted totals
  DrawnNoise& noise;
  Claims& claims;
  KeepOutcomes keep;               // of totals that a rule has beside `recomputed`
  double most_work;                // losses to be looked at, all rounds together, where a round takes many searches
  std::uint64_t watched = 0;       // outcomes that were there before the learner's first round
  SearchBudget* budget = nullptr;  // of all searches of the record
};

class RoundRule {
 public:
  explicit RoundRule(const RuleInput& in) : in_(in) {}
  virtual ~RoundRule() = default;
  virtual void decided(const RecordedRound& round) = 0;
  virtual void observed(const RecordedRound&) {}
  virtual std::uint64_t oracle_calls() const = 0;

  virtual double leader_estimate() const { return 0; }  // off
  virtual double gftpl_estimate() const { return 0; }
  virtual double mixability() const { return 0; }  // adahedge's Delta

 protected:
  const RecordedSetting& setting() const { return in_.setting; }
  Claims& claims() const { return in_.claims; }
  const RecomputedTotals& recomputed() const { return in_.recomputed; }
  const ListedActions& list() const { return in_.list; }

  DrawnNoise& noise() const { return in_.noise; }
  const RuleInput& input() const { return in_; }

  struct Choice {
    const Json& action;
    std::optional<std::size_t> index;
    const char* field;
    bool counted = true;  // what it falls short of the best is in the gap that the end shows
    bool asked = true;    // the oracle was called for it, and not for the same before
  };
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
  // A recorded gap, if there is one, is the expected one, or at least in [0, most_gap()]. Returns the recorded one.
  std::optional<double> checked_gap(const RecordedRound& round, std::optional<double> expected) const;
  // No gap is larger than the range of losses: 1, or the largest range so far.
  double most_gap() const;
  void expect_no_eta(const RecordedRound& round) const;
  // eta = min{1/gamma, C/sqrt(L*+1)}, C = c N^(1-1/p); where L* is not known, within what it may be.
  void expect_small_loss(const RecordedRound& round, std::optional<double> best, std::uint64_t rounds) const;
  // The switch happened if `value` is clearly beyond `limit`, and did not if it is clearly within. Returns whether it
  // did, as recorded, or by the learner's own comparison where the line does not say.
  bool switches(const RecordedRound& round, double value, double limit) const;
  // Rounds that the learner played.
  std::uint64_t played() const { return in_.recomputed.rounds() - in_.watched; }

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

// By family, for the table of rules.
std::unique_ptr<RoundRule> make_leader_rule(const RuleInput& in);
std::unique_ptr<RoundRule> make_gftpl_rule(const RuleInput& in);
std::unique_ptr<RoundRule> make_off_rule(const RuleInput& in);
std::unique_ptr<RoundRule> make_adaptive_rule(const RuleInput& in);  // ada, flipflop
std::unique_ptr<RoundRule> make_mixture_rule(const RuleInput& in);   // hedge, adahedge, flipflop-hedge
std::unique_ptr<RoundRule> make_normal_hedge_rule(const RuleInput& in);
std::unique_ptr<RoundRule> make_classical_rule(const RuleInput& in);  // uniform-gftpl, fake-data
std::unique_ptr<RoundRule> make_fpl_rule(const RuleInput& in);

}  // namespace hannan::detail
