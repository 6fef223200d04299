// Outcomes in any order, against a direct computation that lists all actions and keeps all outcomes.
#include "hannan/learners/delayed_ada.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hannan/game/game_of.hpp"
#include "hannan/io/json_archive.hpp"
#include "hannan/learners/ada.hpp"
#include "hannan/noise/laplace.hpp"
#include "hannan/noise/noise.hpp"
#include "hannan/problems/experts/experts_codec.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {
namespace delayed_ada_test {

using Losses = std::vector<double>;

struct Scene {
  std::uint64_t experts = 4;
  std::uint64_t seed = 0;
  std::size_t pool = 0;
  double noise_size = 1;
  std::shared_ptr<const Game> game =
      std::make_shared<const GameOf<Experts, Codec<Experts>>>(std::make_shared<const Experts>(experts));
  std::shared_ptr<const GameMatrix> matrix = game->perturbations().front();  // bits

  std::shared_ptr<const GameOracle> oracle() const {
    const auto plain = game->oracles().front();
    return pool == 0 ? plain : pooled(plain, pool);
  }
  Draw draw() const { return seeded(Laplace{}, Key{seed}); }
  DelayedAda delayed() const { return DelayedAda({game, oracle(), Perturber(oracle(), matrix, draw()), noise_size}); }
  Ada ada() const { return Ada({game, oracle(), Perturber(oracle(), matrix, draw()), noise_size, GapRule::kMix}); }
  // Quarters, so that ties happen.
  Losses outcome(std::uint64_t round) const {
    Dice dice(round, seed + 1000);
    Losses losses;
    for (std::uint64_t k = 0; k < experts; ++k) losses.push_back(dice.below(5) / 4.0);
    return losses;
  }
  std::vector<double> noise(std::uint64_t round) const {
    std::vector<double> alpha(matrix->columns()), row(matrix->columns()), all;
    draw().fill(round, alpha);
    for (std::uint64_t k = 0; k < experts; ++k) {
      matrix->row(AnyAction::of(k), row);
      double sum = 0;
      for (std::size_t j = 0; j < alpha.size(); ++j) sum += row[j] * alpha[j];
      all.push_back(sum);
    }
    return all;
  }
};

// The rule as docs/theory-run.md states it, all rounds kept.
class Direct {
 public:
  struct Round {
    std::uint64_t action, after = 0, missing = 0, open = 0;
    double z, value, gap = 0;
    bool arrived = false, settled = false;
  };
  explicit Direct(const Scene& scene) : scene_(scene) {}

  const Round& act() {
    Round next{.action = 0, .z = stability_ / scene_.noise_size, .value = 0};
    for (const Round& round : rounds_) {
      next.missing += round.arrived ? 0 : 1;
      next.open += round.settled ? 0 : 1;
    }
    const auto values = evidence([&](std::size_t s) { return rounds_[s].arrived; }, rounds_.size() + 1, next.z);
    next.action = least(values);
    next.value = values[next.action];
    rounds_.push_back(next);
    return rounds_.back();
  }
  void arrive(std::uint64_t number) {
    rounds_[number - 1].arrived = true;
    for (std::size_t s = 0; s < rounds_.size() && rounds_[s].arrived; ++s) {
      Round& round = rounds_[s];
      if (round.settled) continue;
      round.settled = true;
      const auto values = evidence([&](std::size_t r) { return r <= s; }, s + 1, round.z);
      const Losses y = scene_.outcome(s + 1);
      round.after = least(values);
      const double mix = round.value + y[round.action] - values[round.after];
      round.gap = std::max(0.0, round.missing == 0 ? mix : y[round.action] - y[round.after]);
      stability_ += round.gap;
    }
  }
  const std::vector<Round>& rounds() const { return rounds_; }
  double stability() const { return stability_; }

 private:
  std::vector<double> evidence(const std::function<bool(std::size_t)>& counts, std::uint64_t noise, double z) const {
    std::vector<double> values = scene_.noise(noise);
    for (double& value : values) value *= z;
    for (std::size_t s = 0; s < rounds_.size(); ++s) {
      const Losses y = scene_.outcome(s + 1);
      for (std::size_t k = 0; counts(s) && k < values.size(); ++k) values[k] += y[k];
    }
    return values;
  }
  static std::uint64_t least(const std::vector<double>& values) {
    std::uint64_t best = 0;
    for (std::uint64_t k = 1; k < values.size(); ++k) best = values[k] < values[best] - 1e-9 ? k : best;
    return best;
  }

  const Scene& scene_;
  std::vector<Round> rounds_;
  double stability_ = 0;
};

// An order of events of so many rounds: t > 0 is the act of round t, -t its outcome.
std::vector<int> random_order(int rounds, std::uint64_t seed) {
  Dice dice(seed, 77);
  std::vector<int> events, waiting;
  const int patience = 1 + dice.below(6);  // about so many rounds are open
  for (int played = 0; played < rounds || !waiting.empty();) {
    if (played < rounds && (waiting.empty() || dice.below(patience + 1) >= static_cast<int>(waiting.size()))) {
      events.push_back(++played);
      waiting.push_back(played);
    } else {
      const auto at = waiting.begin() + dice.below(static_cast<int>(waiting.size()));
      events.push_back(-*at);
      waiting.erase(at);
    }
  }
  return events;
}

// Rounds in batches; the outcomes of a batch come together, the last one first.
std::vector<int> batches(int rounds, int length) {
  std::vector<int> events;
  for (int first = 1; first <= rounds; first += length) {
    const int last = std::min(rounds, first + length - 1);
    for (int t = first; t <= last; ++t) events.push_back(t);
    for (int t = last; t >= first; --t) events.push_back(-t);
  }
  return events;
}

void expect_direct(const Scene& scene, const std::vector<int>& events) {
  auto learner = scene.delayed();
  Direct direct(scene);
  std::vector<DelayedAda::SettledRound> settled;
  double total = 0;
  for (const int event : events) {
    const auto round = static_cast<std::uint64_t>(std::abs(event));
    if (event > 0) {
      const auto& wanted = direct.act();
      const auto& found = learner.act(round);
      ASSERT_EQ(found.action.get<std::uint64_t>(), wanted.action) << round;
      ASSERT_NEAR(*found.multiplier, wanted.z, 1e-9) << round;
      continue;
    }
    direct.arrive(round);
    const auto arrival = learner.observe(round, AnyOutcome::of(scene.outcome(round)));
    ASSERT_EQ(arrival.loss, scene.outcome(round)[direct.rounds()[round - 1].action]);
    settled.insert(settled.end(), arrival.rounds.begin(), arrival.rounds.end());
    ASSERT_EQ(settled.size(), learner.settled());
    ASSERT_NEAR(learner.stability(), direct.stability(), 1e-9);
  }
  std::uint64_t missing = 0, most = 0, open = 0;
  ASSERT_EQ(settled.size(), direct.rounds().size());
  for (std::size_t s = 0; s < settled.size(); ++s) {
    const auto& wanted = direct.rounds()[s];
    ASSERT_EQ(settled[s].after.get<std::uint64_t>(), wanted.after) << s;
    ASSERT_NEAR(settled[s].gap, wanted.gap, 1e-9) << s;
    total += settled[s].loss;
    missing += wanted.missing;
    most = std::max(most, wanted.missing);
    open = std::max(open, wanted.open);
  }
  EXPECT_EQ(learner.total(), total);
  EXPECT_EQ(learner.delays().missing_total, missing);
  EXPECT_EQ(learner.delays().missing_most, most);
  EXPECT_EQ(learner.delays().open_most, open);
  EXPECT_NEAR(learner.settled_multiplier(), direct.rounds().back().z, 1e-9);
  EXPECT_LE(learner.oracle_calls(), 2 * settled.size());
  EXPECT_EQ(scene.pool > 0 || learner.oracle_calls() == 2 * settled.size(), true);
}

TEST(DelayedAda, PlaysAndSettlesAsTheRuleSaysInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    expect_direct({.experts = 2 + seed % 4, .seed = seed, .pool = seed % 3, .noise_size = 0.5}, random_order(40, seed));
    if (HasFatalFailure()) return;
  }
}

TEST(DelayedAda, PlaysAndSettlesAsTheRuleSaysInBatches) {
  for (int length = 1; length <= 12; ++length) {
    SCOPED_TRACE(length);
    expect_direct({.seed = static_cast<std::uint64_t>(length), .noise_size = 0.25}, batches(50, length));
    if (HasFatalFailure()) return;
  }
}

TEST(DelayedAda, IsAdaBitForBitWhereNothingIsLate) {
  for (const std::size_t pool : {0, 3}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Scene scene{.experts = 5, .seed = seed, .pool = pool};
      auto late = scene.delayed();
      auto ada = scene.ada();
      for (std::uint64_t t = 1; t <= 60; ++t) {
        const AnyOutcome y = AnyOutcome::of(scene.outcome(t));
        const auto& found = late.act(t);
        ASSERT_EQ(found.action, ada.act().action);
        ASSERT_EQ(found.multiplier, ada.act().multiplier);
        const auto arrival = late.observe(t, y);
        const auto& step = ada.observe(y);
        ASSERT_EQ(arrival.rounds.size(), 1U);
        ASSERT_EQ(arrival.loss, step.loss);
        ASSERT_EQ(arrival.rounds[0].gap, *step.gap);
        ASSERT_EQ(arrival.rounds[0].after, *step.after);
        ASSERT_EQ(late.stability(), step.stability.value[0]);
        ASSERT_EQ(late.oracle_calls(), ada.oracle_calls());
        ASSERT_EQ(late.prefix().peek().value, ada.seen().peek().value);
      }
      EXPECT_GT(late.stability(), 0);
      EXPECT_EQ(late.delays().open_most, 0U);
    }
  }
}

Json saved(DelayedAda& learner) {
  JsonWriter writer;
  learner.archive(writer);
  return writer.take();
}

TEST(DelayedAda, SavedAtAnyStepItGoesOnAsIfItHadNotBeen) {
  for (const std::size_t pool : {0, 3}) {
    const Scene scene{.experts = 4, .seed = 9, .pool = pool, .noise_size = 0.5};
    auto whole = scene.delayed();
    auto resumed = std::make_unique<DelayedAda>(scene.delayed());
    for (const int event : random_order(30, 4)) {
      const std::string text = dump(saved(whole));
      ASSERT_EQ(dump(saved(*resumed)), text);
      const Json state = parse_json(text);
      resumed = std::make_unique<DelayedAda>(scene.delayed());
      JsonReader reader(state, "state");
      resumed->archive(reader);
      const auto round = static_cast<std::uint64_t>(std::abs(event));
      if (event > 0) {
        ASSERT_EQ(whole.act(round).action, resumed->act(round).action);
        ASSERT_EQ(whole.act(round).multiplier, resumed->act(round).multiplier);
      } else {
        const AnyOutcome y = AnyOutcome::of(scene.outcome(round));
        const auto a = whole.observe(round, y), b = resumed->observe(round, y);
        ASSERT_EQ(a.rounds.size(), b.rounds.size());
        for (std::size_t i = 0; i < a.rounds.size(); ++i) ASSERT_EQ(a.rounds[i].gap, b.rounds[i].gap);
      }
    }
    EXPECT_EQ(dump(saved(whole)), dump(saved(*resumed)));
    EXPECT_EQ(whole.settled(), 30U);
  }
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return code_name(e.code()) + " " + e.at();
  }
  return "";
}

TEST(DelayedAda, RefusesRoundsThatCannotBe) {
  const Scene scene;
  auto learner = scene.delayed();
  const auto act = [&](std::uint64_t round) { return refusal([&] { learner.act(round); }); };
  const auto observe = [&](std::uint64_t round) {
    return refusal([&] { learner.observe(round, AnyOutcome::of(scene.outcome(round))); });
  };
  EXPECT_EQ(act(0), "H105 round");
  EXPECT_EQ(act(2), "H105 round");
  EXPECT_EQ(observe(1), "H105 round");
  for (const std::uint64_t t : {1, 2, 3}) EXPECT_EQ(act(t), "");
  const std::string before = dump(saved(learner));
  EXPECT_EQ(observe(0), "H105 round");
  EXPECT_EQ(observe(4), "H105 round");
  EXPECT_EQ(act(5), "H105 round");
  EXPECT_EQ(act(2), "");  // again
  EXPECT_EQ(dump(saved(learner)), before);
  EXPECT_EQ(observe(2), "");
  EXPECT_EQ(observe(2), "H105 round");  // a second outcome of an open round
  EXPECT_EQ(act(2), "");                // it is not settled
  EXPECT_EQ(observe(1), "");
  EXPECT_EQ(learner.settled(), 2U);
  EXPECT_EQ(observe(1), "H105 round");  // of a settled one
  EXPECT_EQ(act(2), "H105 round");
  EXPECT_EQ(act(3), "");
}

// The certificate: E (S + M z - regret) >= 0. Two experts that take turns, which costs the leader most, outcomes two
// rounds late: 400 runs of 60 rounds with fixed seeds, so this passes or fails for good. The mean difference is 8.7;
// with a gap of 0 for rounds that missed an outcome it is -10.9, 65 of its standard errors below 0.
TEST(DelayedAda, ItsCertificateCoversTheMeanRegret) {
  double sum = 0, squares = 0;
  constexpr int kRuns = 400, kRounds = 60, kLate = 2;
  for (int run = 0; run < kRuns; ++run) {
    const Scene scene{.experts = 2, .seed = static_cast<std::uint64_t>(run), .noise_size = 0.5};  // M of one bit
    auto learner = scene.delayed();
    const auto outcome = [](int t) { return t % 2 == 1 ? Losses{t == 1 ? 0.5 : 1.0, 0.0} : Losses{0.0, 1.0}; };
    for (int t = 1; t <= kRounds + kLate; ++t) {
      if (t <= kRounds) learner.act(static_cast<std::uint64_t>(t));
      if (t > kLate) learner.observe(static_cast<std::uint64_t>(t - kLate), AnyOutcome::of(outcome(t - kLate)));
    }
    const double regret = learner.total() - learner.prefix().peek().value;
    const double spare = learner.stability() + scene.noise_size * learner.settled_multiplier() - regret;
    sum += spare;
    squares += spare * spare;
  }
  const double mean = sum / kRuns, error = std::sqrt((squares / kRuns - mean * mean) / kRuns);
  EXPECT_GT(mean, -3 * error);
}

}  // namespace delayed_ada_test
}  // namespace hannan::detail
