// The learners for C++ users by name of function: each rule keeps its options and makes the learner once game, oracle
// and noise are known (learner.hpp); and a learner with its ledger, as the typed front holds it. No checks of theory
// are made here beyond what would fail later: a learner that needs noise is given some, one that lists actions can. The
// command line goes through LearnerMaker instead, which checks more.
#include "hannan/learner.hpp"

#include <string>
#include <utility>

#include "hannan/certify/noise_size.hpp"
#include "hannan/core/error.hpp"
#include "hannan/game/ledger.hpp"
#include "hannan/learners/ada.hpp"
#include "hannan/learners/classical.hpp"
#include "hannan/learners/flipflop.hpp"
#include "hannan/learners/gftpl.hpp"
#include "hannan/learners/hedge.hpp"
#include "hannan/learners/leader.hpp"

namespace hannan {
namespace {

detail::Perturber perturber(const LearnerParts& parts) {
  if (!parts.matrix || !parts.draw.fill)
    throw Error(Code::kUnavailable, "found no noise, expected a matrix and a draw: this learner plays by noise",
                "matrix");
  return {parts.oracle, parts.matrix, parts.draw};
}

// Learners that keep a weight for each action need actions by number.
std::unique_ptr<detail::Learner> mixture(const LearnerParts& parts, std::unique_ptr<detail::MixtureRate> rate,
                                         Key key) {
  if (!parts.game->numbers_actions())
    throw Error(Code::kUnavailable,
                "found a problem without size() and action(k), expected one: this learner keeps a "
                "number per action",
                "problem");
  return std::make_unique<detail::Hedge>(detail::Hedge::Parts{parts.game, parts.oracle, std::move(rate), key});
}

}  // namespace

Rule leader() {
  return [](const LearnerParts& parts) { return std::make_unique<detail::Leader>(parts.game, parts.oracle); };
}

Rule ada(AdaOptions options) {
  return [options](const LearnerParts& parts) {
    return std::make_unique<detail::Ada>(detail::Ada::Parts{.problem = parts.game,
                                                            .oracle = parts.oracle,
                                                            .perturber = perturber(parts),
                                                            .noise_size = options.noise_size,
                                                            .gap = options.gap,
                                                            .discount = options.discount});
  };
}

Rule flipflop(FlipFlopOptions options) {
  return [options](const LearnerParts& parts) {
    return std::make_unique<detail::FlipFlop>(detail::FlipFlop::Parts{.problem = parts.game,
                                                                      .oracle = parts.oracle,
                                                                      .perturber = perturber(parts),
                                                                      .noise_size = options.noise_size,
                                                                      .constants = options.constants,
                                                                      .gap = options.gap});
  };
}

Rule gftpl(Schedule schedule) {
  return [schedule = std::move(schedule)](const LearnerParts& parts) {
    return std::make_unique<detail::Gftpl>(detail::Gftpl::Parts{parts.game, parts.oracle, perturber(parts), schedule});
  };
}

Rule classical() {
  return [](const LearnerParts& parts) {
    return std::make_unique<detail::Classical>(detail::Classical::Parts{parts.game, parts.oracle, perturber(parts)});
  };
}

Rule hedge(Schedule schedule, Key key) {
  return [schedule = std::move(schedule), key](const LearnerParts& parts) {
    return mixture(parts, std::make_unique<detail::ScheduledRate>(schedule), key);
  };
}

Rule adahedge(Key key) {
  return [key](const LearnerParts& parts) {
    return mixture(parts, std::make_unique<detail::AdaHedgeRate>(parts.game->ln_size()), key);
  };
}

Rule flipflop_hedge(FlipFlopConstants constants, Key key) {
  return [constants, key](const LearnerParts& parts) {
    return mixture(parts, std::make_unique<detail::FlipFlopRate>(parts.game->ln_size(), constants), key);
  };
}

namespace detail {

struct LearnerWithLedger::Held {
  std::unique_ptr<Learner> learner;
  Ledger ledger;
};

LearnerWithLedger::LearnerWithLedger(const LearnerParts& parts, const Rule& rule, Track track)
    : held_(std::make_unique<Held>(Held{rule(parts), Ledger(track)})) {}
LearnerWithLedger::~LearnerWithLedger() = default;
LearnerWithLedger::LearnerWithLedger(LearnerWithLedger&& other) noexcept = default;
LearnerWithLedger& LearnerWithLedger::operator=(LearnerWithLedger&& other) noexcept = default;

const AnyAction& LearnerWithLedger::act() const { return held_->learner->act().action; }
std::span<const double> LearnerWithLedger::weights() const { return held_->learner->weights(); }

double LearnerWithLedger::observe(const AnyOutcome& y) {
  auto& [learner, ledger] = *held_;
  learner->act();
  ledger.before(*learner, y);
  const double loss = learner->observe(y).loss;
  ledger.after(*learner, loss);
  return loss;
}

std::uint64_t LearnerWithLedger::rounds() const { return held_->learner->rounds(); }
std::uint64_t LearnerWithLedger::oracle_calls() const { return held_->learner->oracle_calls(); }
double LearnerWithLedger::total() const { return held_->ledger.total(); }
std::optional<double> LearnerWithLedger::best() const { return held_->ledger.best(); }
std::optional<double> LearnerWithLedger::regret() const { return held_->ledger.regret(); }
std::optional<double> LearnerWithLedger::leader_regret() const { return held_->ledger.leader_regret(); }
const AnyAction& LearnerWithLedger::best_action() const { return held_->ledger.lead(*held_->learner).action; }

NoiseSize drawn_noise_size(const LearnerParts& parts, const Draw& draws) {
  return monte_carlo_noise_size({.oracle = parts.oracle, .matrix = parts.matrix, .draw = draws.fill});
}

}  // namespace detail

}  // namespace hannan
