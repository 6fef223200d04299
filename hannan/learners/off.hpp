// `off`, the oracle-efficient flip-flop (Algorithm 3): switches between leader and gftpl, each of
// which sees only the rounds it played itself.
//
//   leave leader when U_leader > a U_gftpl,   leave gftpl when U_gftpl > b U_leader.
//
// U_leader is the sum of mixability gaps of the leader's own rounds; U_gftpl an estimate
// (off_estimate.hpp). Feed::kNext is the paper's literal last line, which has linear regret: for
// study (docs/errata.md). Regret: docs/theory.md, off. Two oracle calls a round, plus the
// Monte-Carlo draws where the estimators `regret` and `reused` ask for them. Under Feed::kNext a round of gftpl takes
// three: its rate follows L* of the rounds it was fed and its estimate L* of the rounds it played, which are others.
#pragma once

#include <functional>
#include <vector>

#include "hannan/core/tolerance.hpp"
#include "hannan/game/learner.hpp"
#include "hannan/game/perturber.hpp"
#include "hannan/learners/off_estimate.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail {

enum class Feed { kPlayed, kNext };

struct OffSwitching {
  double a = 1;
  double b = 1;
};

// The draws of a round for the estimators `regret` and `reused`: draw i of n, filled into alpha.
struct MonteCarlo {
  std::function<std::size_t(std::uint64_t round)> draws;
  std::function<void(std::uint64_t round, std::size_t i, std::span<double> alpha)> fill;
};

class Off final : public Learner {
 public:
  struct Parts {
    std::shared_ptr<const Game> problem;
    std::shared_ptr<const GameOracle> oracle;
    Perturber perturber;
    Schedule schedule;
    OffEstimate::Setting estimate;
    OffSwitching switching;
    Feed feed = Feed::kPlayed;
    MonteCarlo monte_carlo;
  };
  explicit Off(Parts parts);

 private:
  enum Part : std::size_t { kLeader = 0, kGftpl = 1 };

  // What a part learns from: its own rounds, or what the literal rule feeds it.
  const SeenOutcomes& data(Part part) const { return feed_ == Feed::kPlayed ? played_[part] : fed_[part]; }
  const GameAnswer& leader_on_data(Part part) const {
    return leader_of(data(part), feed_ == Feed::kPlayed ? 1 + part : 3 + part);
  }
  const GameAnswer& leader_on_played(Part part) const { return leader_of(played_[part], 1 + part); }

  void decide(Decision& decision) const override;

  void settle(const Decision& played, const AnyOutcome& y, Step& step) override;

  // The round whose draws serve in this one.
  std::uint64_t draws_of(std::uint64_t round) const { return kind_ == OffEstimator::kReused ? 1 : round; }

  // Monte-Carlo mean of the loss gftpl would pay this round; y is not yet in its data.
  double expected_loss(double eta, const AnyOutcome& y);

  void state(Archive& a) override;

  mutable Perturber perturber_;
  Schedule schedule_;
  OffEstimate estimate_;
  OffEstimator kind_;
  OffSwitching switching_;
  Feed feed_;
  MonteCarlo monte_carlo_;
  SeenOutcomes played_[2];
  SeenOutcomes fed_[2];  // used by the literal rule alone
  std::vector<double> alpha_;
  Part part_ = kLeader;
  double leader_regret_ = 0;  // summed mixability gaps of the leader's own rounds
  double leader_best_ = 0;    // L* of those rounds
};

}  // namespace hannan::detail
