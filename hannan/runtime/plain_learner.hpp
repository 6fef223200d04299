// A learner whose outcomes come in order, each before the next decision, with its ledger and its certificate.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "hannan/certify/bounds.hpp"
#include "hannan/certify/credit.hpp"
#include "hannan/certify/run_account.hpp"
#include "hannan/core/error.hpp"
#include "hannan/game/ledger.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/runtime/any_learner.hpp"

namespace hannan::detail {

class PlainLearner final : public AnyLearner {
 public:
  PlainLearner(std::shared_ptr<const Game> game, LearnerParams params);
  // For callers that play other kinds of turn.
  [[noreturn]] static void refuse(std::string_view path);

  std::uint64_t rounds() const override { return learner_->rounds(); }
  bool can_fail() const override { return can_fail_; }

  // Before the first round: both will be given the same outcomes, each after both have acted. Saves time where it can.
  void share(const PlainLearner& other) {
    if (&other.game() == &game()) learner_->share(*other.learner_);
  }
  const Round& act();
  Json action() {
    decide();
    return round_.action_json();
  }
  // What can be refused is refused in decide(), before anything changes.
  const Round& observe(const AnyOutcome& y);
  const Round& observe(const Json& outcome, std::string_view path) { return observe(read(outcome, path)); }

  RunFacts facts() override;
  bool has_looked() const override { return ledger_.best().has_value(); }

  std::optional<NoiseSize> known_noise_size() const override { return maker_.known_noise_size(); }
  void take_noise_size(const NoiseSize& size) override { maker_.take_noise_size(size); }

  // The mean over fresh draws of L* + z n(leader) - min (L + z n), z the multiplier of the last round.
  std::optional<double> credit() override;

 protected:
  ReportFacts report_facts() override;
  void archive(Archive& a) override;

 private:
  const LearnerKind& row() const { return *maker_.params().kind; }
  bool follows_path() const { return row().proof == Proof::kGftpl; }  // for its trajectory bound

  // An attempt that failed leaves no trace in the counts.
  void decide();

  void settle(const AnyOutcome& y);

  Ledger make_ledger() const;

  // The account of the round. A leader's gap is what it lost beyond the growth of L*.
  void certify(const Decision& played, const Step& step);

  // Draws first, first + 1, ... of those that belong to the last round.
  struct CreditDraws {
    std::uint64_t first;
    std::uint64_t count;
  };
  static constexpr std::uint64_t kMostCreditDraws = 1 << 20;  // of either use
  static constexpr std::uint64_t kMostCreditRounds = std::uint64_t{1}
                                                     << 34;  // beyond, draws have no place of their own
  static constexpr CreditDraws kSwitchDraws{kMostCreditDraws, 16};

  // A program of the user's own is asked for decisions alone: each of its answers may cost, or fail.
  // One draw for all rounds has no certificate of the run.
  bool draws_credits() const;

  double mean_credit(CreditDraws draws, double z);

  RunAccount::Setting account_setting() const;
  bool measures_no_gaps() const { return row().proof == Proof::kGftpl && !maker_.params().certified; }

  bounds::TrajectoryBound::Constants path_constants(double size) const {
    return {.M = size, .gamma = maker_.params().gamma.value_or(0.0), .c = maker_.params().c};
  }

  // M, exact or the upper end of its interval. Asked for once, and only when a certificate needs it: it may cost oracle
  // calls. Where noise is given there is no law, and M is what the user says.
  std::optional<double> noise_size();
  std::optional<double> noise_square();

  LearnerMaker maker_;
  bool can_fail_;  // an oracle of the user's own may
  std::unique_ptr<Learner> learner_;
  Ledger ledger_;
  RunAccount account_;
  // The trajectory bound is linear in M: followed at M = 0 and M = 1, known at any.
  bounds::TrajectoryBound base_;
  bounds::TrajectoryBound slope_;
  std::optional<Perturber> credit_noise_;
  double best_before_ = 0;    // L* before the round, for a leader's gap
  bool regime_left_ = false;  // the last round was one of noise, and the next will not be
  bool square_known_ = false;
  std::optional<double> noise_square_;  // rho2
  std::optional<double> noise_size_;
  Stability stability_;
  Estimates estimates_;
};

}  // namespace hannan::detail
