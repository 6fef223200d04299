// `ada` with `delayed` behind the run-time interface: the learner, the account of its settled rounds and its
// certificate. Its rounds are played by their numbers: outcomes come late and in any order.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/game/ledger.hpp"
#include "hannan/learners/delayed_ada.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/runtime/any_learner.hpp"

namespace hannan::detail {

class DelayedLearner final : public AnyLearner {
 public:
  DelayedLearner(std::shared_ptr<const Game> game, LearnerParams params);
  // For callers that play other kinds of turn.
  [[noreturn]] static void refuse(std::string_view path);

  std::uint64_t rounds() const override { return learner_.played(); }
  void check_rehearsal(std::string_view path) const override;  // never: outcomes come late

  // Rounds are counted from 1. The next one, which this opens, or an open one again; kOutOfRange at "round" for any
  // other.
  const Round& act(std::uint64_t round);
  Json action(std::uint64_t round) { return act(round).action_json(); }
  // The outcome, one that the problem has read, of a round that was played and has none; kOutOfRange at "round"
  // otherwise. The figures are of the settled rounds, but for the loss.
  const Round& observe(std::uint64_t round, const AnyOutcome& outcome);

  RunFacts facts() override;

 protected:
  ReportFacts report_facts() override;
  void archive(Archive& a) override { learner_.archive(a); }

 private:
  void settle(std::uint64_t round, const AnyOutcome& y);

  // L* of the settled rounds. Its search is not the learner's.
  double best() const { return learner_.settled() == 0 ? 0.0 : learner_.prefix().peek().value; }

  // M, exact or the upper end of its interval; what the user says where noise is given.
  double noise_size() {
    const LearnerParams& p = maker_.params();
    return p.alpha && p.noise_size ? *p.noise_size : maker_.measured_noise_size().high;
  }

  LearnerMaker maker_;
  DelayedAda learner_;
  std::vector<double> gaps_;  // of the last outcome
};

}  // namespace hannan::detail
