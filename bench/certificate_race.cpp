// What the certificates of a run cost: rounds with the account of the run (certify/run_account.hpp) over the same
// rounds of the same learner and ledger without. Decisions are the same; blocks of both are played in turns, and the
// figures are medians, so that a neighbour's burst falls on a few blocks of both.
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/certify/run_account.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/game/game_of.hpp"
#include "hannan/game/ledger.hpp"
#include "hannan/learners/ada.hpp"
#include "hannan/learners/flipflop.hpp"
#include "hannan/learners/gftpl.hpp"
#include "hannan/noise/laplace.hpp"
#include "hannan/problems/experts/experts.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::uint64_t kRacedExperts = 100;
constexpr std::uint64_t kRacedDeck =
    256;                     // outcomes, dealt round and round; few, so that both sides find them in cache
constexpr double kSize = 4;  // M as the learners take it; only their speed matters here

// One game for both sides: they share nothing that a round changes.
struct Parts {
  std::shared_ptr<const Game> problem = erased(std::make_shared<const Experts>(kRacedExperts));
  std::shared_ptr<const GameOracle> oracle = problem->oracles().front();
  std::shared_ptr<const GameMatrix> matrix = problem->perturbations().front();

  Perturber noise() const {
    return {oracle, matrix, Draw{[](std::uint64_t round, std::span<double> alpha) {
              Laplace{}.draw(KeyedRandom(Key{.seed = 31}, Purpose::kNoise, round), alpha, {});
            }}};
  }
};

enum class Account { kNone, kKept };

// A learner and its ledger, with or without the account of the run.
class Side {
 public:
  Side(std::unique_ptr<Learner> learner, Account account, std::optional<double> gamma) : learner_(std::move(learner)) {
    if (account == Account::kKept) account_.emplace(RunAccount::Setting{.gamma = gamma});
  }
  // Seconds of so many rounds.
  double play(std::span<const AnyOutcome> deck, std::uint64_t count) {
    const Stopwatch watch;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto& y = deck[next_++ % deck.size()];
      learner_->act();
      ledger_.before(*learner_, y);
      if (account_) account_->before(*learner_, y);
      const auto& played = learner_->act();
      const auto& step = learner_->observe(y);
      ledger_.after(*learner_, step.loss);
      if (account_) account_->after(played, step);
    }
    return watch.seconds();
  }
  double total() const { return ledger_.total(); }

 private:
  std::unique_ptr<Learner> learner_;
  Ledger ledger_{Track::kEvery};
  std::optional<RunAccount> account_;
  std::uint64_t next_ = 0;
};

struct Pair {
  std::string name;
  Side with, without;
  std::optional<Goal> goal;
  std::string note;
};

// One good expert among many, so that leaders change at first and settle later.
std::vector<AnyOutcome> losses() {
  std::vector<AnyOutcome> deck(kRacedDeck);
  for (std::uint64_t t = 0; t < kRacedDeck; ++t) {
    const KeyedRandom random(Key{.seed = 32}, Purpose::kStream, t);
    auto& row = deck[t].as<Experts::Outcome>();
    for (std::uint64_t k = 0; k < kRacedExperts; ++k)
      row.push_back(random.uniform(k) < (k == 0 ? 0.4 : 0.5) ? 1.0 : 0.0);
  }
  return deck;
}

// Also checks that both sides played the same: an account that changed a decision would be a fault.
Row raced(Pair pair, const std::vector<AnyOutcome>& deck, const Setting& setting) {
  const auto block = setting.pick<std::uint64_t>(1000, 20);
  const int blocks = setting.pick(101, 3);
  std::vector<double> with, without;
  // Each side is the first in every other block.
  for (int i = 0; i < blocks; ++i) {
    if (i % 2 == 0) with.push_back(pair.with.play(deck, block));
    without.push_back(pair.without.play(deck, block));
    if (i % 2 == 1) with.push_back(pair.with.play(deck, block));
  }
  const double scale = 1e9 / static_cast<double>(block);
  const bool same = pair.with.total() == pair.without.total();
  return {.name = "certificate/" + pair.name,
          .unit = "ns/round",
          .ours = scale * median(with),
          .rival = scale * median(without),
          .goal = pair.goal,
          .note = fmt::format("{}; K = {}, T = {}, L* every round, {}", pair.note, kRacedExperts, blocks * block,
                              same ? "same total loss" : "TOTAL LOSSES DIFFER")};
}

}  // namespace

// The goal is 10 %; gftpl-run has none, since its certificate needs one search more a round.
std::vector<Row> certificate_race(const Setting& setting) {
  const Parts p;
  const auto deck = losses();
  const Goal goal{.sense = Goal::Sense::kAtMost, .ratio = 1.1};
  const auto both = [](const std::function<std::unique_ptr<Learner>()>& make, std::optional<double> gamma) {
    return std::pair{Side(make(), Account::kKept, gamma), Side(make(), Account::kNone, gamma)};
  };
  const auto gftpl = [&](bool certified) {
    return std::make_unique<Gftpl>(Gftpl::Parts{.problem = p.problem,
                                                .oracle = p.oracle,
                                                .perturber = p.noise(),
                                                .schedule = schedules::small_loss({.gamma = 7, .c = 1}),
                                                .certified = certified});
  };
  const std::string plain = "the same learner and ledger without the account of the run";
  std::vector<Row> rows;
  const auto race = [&](const std::string& name, auto sides, std::optional<Goal> wanted, const std::string& note) {
    setting.say("certificate: " + name);
    rows.push_back(raced({name, std::move(sides.first), std::move(sides.second), wanted, note}, deck, setting));
  };
  race("ada",
       both(
           [&] {
             return std::make_unique<Ada>(
                 Ada::Parts{.problem = p.problem, .oracle = p.oracle, .perturber = p.noise(), .noise_size = kSize});
           },
           std::nullopt),
       goal, plain);
  race("flipflop",
       both(
           [&] {
             return std::make_unique<FlipFlop>(FlipFlop::Parts{.problem = p.problem,
                                                               .oracle = p.oracle,
                                                               .perturber = p.noise(),
                                                               .noise_size = kSize,
                                                               .constants = {}});
           },
           std::nullopt),
       goal, plain);
  race("gftpl", both([&] { return gftpl(false); }, 7.0), goal, plain);
  race("gftpl-run",
       std::pair{Side(gftpl(true), Account::kKept, std::nullopt), Side(gftpl(false), Account::kNone, std::nullopt)}, {},
       "certificate=run, one search more a round, over gftpl without certificates");
  return rows;
}

}  // namespace hannan::detail::bench
