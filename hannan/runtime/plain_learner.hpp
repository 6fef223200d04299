// A learner whose outcomes come in order, with its ledger and its certificate.
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

  const Game& game() const override { return *game_; }
  const std::string& kind() const override { return kind_; }
  const Json& params() const override { return params_; }
  bool adapts_multiplier() const override { return row().adapts_multiplier; }
  bool switches() const override { return row().switches; }

  std::uint64_t rounds() const override { return learner_->rounds(); }

  void share(const AnyLearner& other) override {
    const auto* same = dynamic_cast<const PlainLearner*>(&other);
    if (same && same->game_ == game_) learner_->share(*same->learner_);
  }
  ActView act() override;
  Json action() override {
    decide();
    return game_->action_json(learner_->act().action);
  }
  bool action_row(std::vector<std::int32_t>& into) override {
    decide();
    return game_->action_row(learner_->act().action, into);
  }
  using AnyLearner::observe;
  // What can be refused is refused in decide(), before anything changes.
  ObserveView observe(const AnyOutcome& y) override;
  Json after() override { return game_->action_json(*after_); }
  bool certifies_run() const override { return row().certifies_run; }
  bool records_gap() const override {
    return row().certifies_run && row().proof != Proof::kLeader && !maker_.params().earlier;
  }

  RunFacts facts() override;

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

  ObserveView settle(const AnyOutcome& y);

  Ledger make_ledger() const;
  std::optional<ObserveView::Discounted> discounted_view() const;

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

  std::shared_ptr<const Game> game_;
  LearnerMaker maker_;
  bool can_fail_;  // an oracle of the user's own may
  std::unique_ptr<Learner> learner_;
  std::string kind_;
  Json params_;
  Ledger ledger_;
  RunAccount account_;
  // The trajectory bound is linear in M: followed at M = 0 and M = 1, known at any.
  bounds::TrajectoryBound base_;
  bounds::TrajectoryBound slope_;
  std::optional<Perturber> credit_noise_;
  std::optional<double> gap_;  // of the last round
  double best_before_ = 0;     // L* before the round, for a leader's gap
  bool regime_left_ = false;   // the last round was one of noise, and the next will not be
  bool square_known_ = false;
  std::optional<double> noise_square_;  // rho2
  std::optional<double> noise_size_;
  std::optional<AnyAction> after_;
  Stability stability_;
  Estimates estimates_;
};

}  // namespace hannan::detail
