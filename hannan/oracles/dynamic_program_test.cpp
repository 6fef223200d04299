#include "hannan/oracles/dynamic_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hannan/core/keyed_random.hpp"

namespace hannan::detail {
namespace dynamic_program_test {

// Words over 0..letters-1 whose letters sum to `sum` modulo `states`: short, and easy to enumerate.
struct SumWords {
  std::size_t length, letters, modulus, sum;
  std::size_t stages() const { return length; }
  std::size_t states() const { return modulus; }
  std::size_t domain(std::size_t) const { return letters; }
  std::size_t start() const { return 0; }
  bool accepts(std::size_t q) const { return q == sum; }
  std::size_t next(std::size_t, std::size_t q, std::size_t d) const { return (q + d) % modulus; }
};

// Reward: the mean of y's entries at the word's letters, one row of entries per coordinate.
struct WordGame {
  using Action = std::vector<int>;
  using Outcome = std::vector<double>;
  SumWords words;
  const SumWords& chain() const { return words; }
  double normaliser() const { return static_cast<double>(words.length); }
  double ln_size() const { return 0; }
  std::size_t coordinates() const { return words.length; }
  std::size_t domain(std::size_t) const { return words.letters; }
  std::size_t position(const Action& x, std::size_t c) const { return static_cast<std::size_t>(x[c]); }
  double loss(const Action& x, const Outcome& y) const {
    double sum = 0;
    for (std::size_t c = 0; c < x.size(); ++c) sum += y[c * words.letters + static_cast<std::size_t>(x[c])];
    return 1 - sum / normaliser();
  }
  void gains(const Outcome& y, std::size_t c, std::span<double> out) const {
    for (std::size_t d = 0; d < out.size(); ++d) out[d] = y[c * words.letters + d];
  }
  void action_at(const std::vector<int>& word, Action& x) const { x = word; }
  std::vector<Action> all() const {
    std::vector<Action> list;
    Action x(words.length, 0);
    for (;;) {
      std::size_t sum = 0;
      for (int d : x) sum += static_cast<std::size_t>(d);
      if (sum % words.modulus == words.sum) list.push_back(x);
      std::size_t c = words.length;
      while (c > 0 && x[c - 1] + 1 == static_cast<int>(words.letters)) x[--c] = 0;
      if (c == 0) return list;
      ++x[c - 1];
    }
  }
};

TEST(ChainProgram, ReportsNoWordsWhenNoneIsAccepted) {
  const SumWords never{.length = 2, .letters = 1, .modulus = 2, .sum = 1};  // 0 + 0 is never odd
  const ChainProgram program(never, {{0.0}, {0.0}});
  EXPECT_TRUE(std::isinf(program.least()));
  EXPECT_TRUE(program.best(3).empty());
}

TEST(DynamicProgram, MatchesEnumerationOnThousandsOfRandomInstances) {
  const DynamicProgram<WordGame> oracle;
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    const KeyedRandom draw(Key{11}, Purpose::kTest, trial);
    std::uint64_t at = 0;
    const auto below = [&](std::size_t n) {
      return static_cast<std::size_t>(draw.uniform(at++) * static_cast<double>(n));
    };
    const std::size_t modulus = 1 + below(3);
    const WordGame game{
        {.length = 1 + below(4), .letters = modulus + below(3), .modulus = modulus, .sum = below(modulus)}};
    // Small integers make many exact ties; weights and tables of both signs.
    const auto coarse = [&] { return static_cast<double>(below(3)) / 2; };
    auto data = oracle.empty(game), noise = oracle.empty(game);
    const double scale = below(2) == 0 ? 0.0 : 0.5;
    const auto actions = game.all();
    std::vector<double> exact(actions.size(), 0.0);
    for (std::size_t i = 0; i < 4; ++i) {
      WordGame::Outcome y(game.words.length * game.words.letters);
      for (double& v : y) v = coarse();
      const double weight = static_cast<double>(below(5)) - 2;
      oracle.add(game, i < 2 ? data : noise, y, weight);
      for (std::size_t k = 0; k < actions.size(); ++k)
        exact[k] += (i < 2 ? 1 : scale) * weight * game.loss(actions[k], y);
    }
    for (std::size_t c = 0; c < game.words.length; ++c) {
      std::vector<double> table(game.words.letters);
      for (double& v : table) v = coarse() - 0.5;
      oracle.add_table(game, noise, c, table);
      for (std::size_t k = 0; k < actions.size(); ++k) exact[k] += scale * table[game.position(actions[k], c)];
    }
    const double least = *std::min_element(exact.begin(), exact.end());
    std::size_t first = 0;
    while (exact[first] > least + tie_window(least)) ++first;

    const std::size_t keep = below(6);
    const auto answer = oracle.best(game, {data, noise, scale}, keep);
    ASSERT_EQ(answer.action, actions[first]) << "trial " << trial;
    ASSERT_NEAR(answer.value, exact[first], 1e-12);
    ASSERT_NEAR(answer.floor, least, 1e-12);
    if (keep == 0) {
      ASSERT_TRUE(answer.pool.empty());
      ASSERT_EQ(answer.rest, answer.floor);
      continue;
    }
    ASSERT_EQ(answer.pool.size(), std::min(keep, actions.size()));
    ASSERT_EQ(answer.pool[0].action, answer.action);
    double outside = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < actions.size(); ++k) {
      const auto in =
          std::find_if(answer.pool.begin(), answer.pool.end(), [&](const auto& r) { return r.action == actions[k]; });
      if (in == answer.pool.end()) {
        outside = std::min(outside, exact[k]);
      } else {
        ASSERT_NEAR(in->value, exact[k], 1e-12);
      }
    }
    if (std::isinf(outside)) {
      ASSERT_TRUE(std::isinf(answer.rest));
    } else {
      ASSERT_NEAR(answer.rest, outside, 1e-12);  // the least value outside, not just a bound
    }
  }
}

}  // namespace dynamic_program_test
}  // namespace hannan::detail
