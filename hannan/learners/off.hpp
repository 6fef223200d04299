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

#include "hannan/core/learner.hpp"
#include "hannan/core/perturber.hpp"
#include "hannan/core/schedule.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/learners/off_estimate.hpp"

namespace hannan {

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

template <class P>
class Off final : public Learner<P> {
 public:
  using typename Learner<P>::Action;
  struct Parts {
    std::shared_ptr<const P> problem;
    std::shared_ptr<const AnyOracle<P>> oracle;
    Perturber<P> perturber;
    Schedule schedule;
    OffEstimate::Setting estimate;
    OffSwitching switching;
    Feed feed = Feed::kPlayed;
    MonteCarlo monte_carlo;
  };
  explicit Off(Parts parts)
      : Learner<P>(parts.problem, parts.oracle),
        perturber_(std::move(parts.perturber)),
        schedule_(std::move(parts.schedule)),
        estimate_(parts.estimate),
        kind_(parts.estimate.kind),
        switching_(parts.switching),
        feed_(parts.feed),
        monte_carlo_(std::move(parts.monte_carlo)),
        played_{SeenOutcomes<P>(parts.oracle), SeenOutcomes<P>(parts.oracle)},
        fed_{SeenOutcomes<P>(parts.oracle), SeenOutcomes<P>(parts.oracle)},
        alpha_(perturber_.matrix().columns()) {}

 private:
  enum Part : std::size_t { kLeader = 0, kGftpl = 1 };

  // What a part learns from: its own rounds, or what the literal rule feeds it.
  const SeenOutcomes<P>& data(Part part) const { return feed_ == Feed::kPlayed ? played_[part] : fed_[part]; }
  const Answer<Action>& leader_on_data(Part part) const {
    return this->leader_of(data(part), feed_ == Feed::kPlayed ? 1 + part : 3 + part);
  }
  const Answer<Action>& leader_on_played(Part part) const { return this->leader_of(played_[part], 1 + part); }

  void decide(Decision<Action>& decision) const override {
    if (part_ == kLeader) {
      const auto& lead = leader_on_data(kLeader);
      this->played_with_gap(lead.gap());
      decision.action = lead.action;
      decision.eta.reset();
      decision.regime = "leader";
      return;
    }
    if (draws_noise(kind_)) monte_carlo_.draws(draws_of(this->round()));  // refuses before anything changes
    const double best = data(kGftpl).rounds() == 0 ? 0.0 : leader_on_data(kGftpl).value;
    const double eta = schedule_({.round = data(kGftpl).rounds() + 1, .best = best});
    const auto& play = this->ask(data(kGftpl), perturber_.at(this->round()), 1 / eta);
    this->played_with_gap(play.gap());
    decision.action = play.action;
    decision.eta = eta;
    decision.regime = "gftpl";
  }

  void settle(const Decision<Action>& played, const typename P::Outcome& y, Step<Action>& step) override {
    const Part before = part_;
    if (part_ == kLeader) {
      played_[kLeader].add(y);
      const double best = leader_on_played(kLeader).value;
      leader_regret_ += step.loss - (best - leader_best_);
      leader_best_ = best;
      if (leader_regret_ > switching_.a * estimate_.value() + tie_window(leader_regret_)) part_ = kGftpl;
    } else {
      const double expected = draws_noise(kind_) ? expected_loss(*played.eta, y) : 0.0;
      played_[kGftpl].add(y);
      estimate_.played({.best = leader_on_played(kGftpl).value, .loss = step.loss, .expected = expected});
      if (estimate_.value() > switching_.b * leader_regret_ + tie_window(leader_regret_)) part_ = kLeader;
    }
    if (feed_ == Feed::kNext) fed_[part_].add(y);
    for (auto* records : {played_, fed_}) {
      for (std::size_t part : {kLeader, kGftpl}) records[part].settle();
    }
    step.estimates = Estimates{.leader = leader_regret_, .gftpl = estimate_.value()};
    step.switched = part_ != before;
  }

  // The round whose draws serve in this one.
  std::uint64_t draws_of(std::uint64_t round) const { return kind_ == OffEstimator::kReused ? 1 : round; }

  // Monte-Carlo mean of the loss gftpl would pay this round; y is not yet in its data.
  double expected_loss(double eta, const typename P::Outcome& y) {
    const std::uint64_t round = draws_of(this->rounds());
    const std::size_t n = monte_carlo_.draws(round);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      monte_carlo_.fill(round, i, alpha_);
      sum += this->problem().loss(this->ask(data(kGftpl), perturber_.with(alpha_), 1 / eta).action, y);
    }
    return n == 0 ? 0.0 : sum / static_cast<double>(n);
  }

  void state(Archive& a) override {
    a.choice("part", part_, kGftpl);
    a.field("leader_regret", leader_regret_);
    a.field("leader_best", leader_best_);
    a.open("estimate");
    estimate_.archive(a);
    a.close();
    const char* names[] = {"leader_played", "gftpl_played", "leader_fed", "gftpl_fed"};
    SeenOutcomes<P>* records[] = {&played_[0], &played_[1], &fed_[0], &fed_[1]};
    for (int i = 0; i < 4; ++i) {
      a.open(names[i]);
      records[i]->archive(a);
      a.close();
    }
  }

  mutable Perturber<P> perturber_;
  Schedule schedule_;
  OffEstimate estimate_;
  OffEstimator kind_;
  OffSwitching switching_;
  Feed feed_;
  MonteCarlo monte_carlo_;
  SeenOutcomes<P> played_[2];
  SeenOutcomes<P> fed_[2];  // used by the literal rule alone
  std::vector<double> alpha_;
  Part part_ = kLeader;
  double leader_regret_ = 0;  // summed mixability gaps of the leader's own rounds
  double leader_best_ = 0;    // L* of those rounds
};

}  // namespace hannan
