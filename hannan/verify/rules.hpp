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
  Json outcome;
  std::vector<double> losses;         // of every action, where they are listed
  double loss = 0;                    // as recorded
  double action_loss = 0;             // of the action against the outcome
  std::optional<double> best_before;  // L* before and after the round: our own where actions are
  std::optional<double> best_after;   // listed, otherwise as recorded, if it was
  std::optional<Json> after;
  double after_loss = 0;
  std::optional<std::size_t> after_index;
  std::vector<double> stability;
  double leader_estimate = 0, gftpl_estimate = 0;
  bool switched = false;
};

// The choice under given noise: totals + scale * <row(x), noise>, for listed actions.
class NoiseCheck {
 public:
  NoiseCheck(const RecordedSetting& setting, const ListedActions& list);
  bool able() const { return !rows_.empty(); }
  // Valid until the next call.
  std::span<const double> objective(std::span<const double> totals, double scale, std::span<const double> noise);

 private:
  std::vector<std::vector<double>> rows_;
  std::vector<double> objective_;
};

struct RuleInput {
  const RecordedSetting& setting;
  const ListedActions& list;
  const RecomputedTotals& recomputed;
  Claims& claims;
};

class RoundRule {
 public:
  explicit RoundRule(const RuleInput& in) : in_(in), noise_(in.setting, in.list) {}
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

  struct Choice {
    const Json& action;
    std::optional<std::size_t> index;
    const char* field;
  };
  // The choice leads on these totals, and is the smallest that does.
  void expect_leader(const Choice& choice, const RecomputedTotals& on) const;
  // With given noise: the choice is the perturbed leader of round t. Without, nothing is known.
  void expect_perturbed(const Choice& choice, const RecomputedTotals& on, std::uint64_t t, double scale);
  void expect_no_eta(const RecordedRound& round) const;
  // eta = min{1/gamma, C/sqrt(L*+1)}, C = c N^(1-1/p); where L* is not known, within what it may be.
  void expect_small_loss(const RecordedRound& round, std::optional<double> best, std::uint64_t rounds) const;
  // The switch happened if `value` is clearly beyond `limit`, and did not if it is clearly within.
  void expect_switch(const RecordedRound& round, double value, double limit) const;
  std::span<const double> given(std::uint64_t t) const;
  NoiseCheck& noise() { return noise_; }

 private:
  RuleInput in_;
  NoiseCheck noise_;
};

// By family, for the table of rules.
std::unique_ptr<RoundRule> make_leader_rule(const RuleInput& in);
std::unique_ptr<RoundRule> make_gftpl_rule(const RuleInput& in);
std::unique_ptr<RoundRule> make_off_rule(const RuleInput& in);
std::unique_ptr<RoundRule> make_adaptive_rule(const RuleInput& in);   // ada, flipflop
std::unique_ptr<RoundRule> make_mixture_rule(const RuleInput& in);    // hedge, adahedge, flipflop-hedge
std::unique_ptr<RoundRule> make_classical_rule(const RuleInput& in);  // uniform-gftpl, fake-data
std::unique_ptr<RoundRule> make_fpl_rule(const RuleInput& in);

}  // namespace hannan::detail
