// Random evidence on a problem whose actions can be listed, and what every oracle must say about it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/io/json_archive.hpp"
#include "tests/dice.hpp"

namespace hannan::detail {

// One evidence three ways: as a plain list of values, and as the two histories of an oracle.
template <class P>
struct Scene {
  std::shared_ptr<const P> p;
  std::vector<double> values;  // by action
  double scale = 0;
  std::vector<std::pair<typename P::Outcome, double>> data, fakes;
  std::vector<std::vector<double>> tables;
};

// Weights of both signs, fake outcomes, and tables of noise that are coarse in half of the scenes: ties.
template <class P>
Scene<P> random_scene(std::shared_ptr<const P> p, Dice& dice,
                      const std::function<typename P::Outcome(const P&, Dice&)>& outcome) {
  Scene<P> s{.p = std::move(p)};
  s.scale = dice.below(3) * 0.75;
  const auto weight = [&] { return dice.below(4) == 0 ? -1.0 : dice.below(2) == 0 ? 1.0 : dice.real(); };
  for (int i = dice.below(8); i > 0; --i) s.data.emplace_back(outcome(*s.p, dice), weight());
  for (int i = dice.below(3); i > 0; --i) s.fakes.emplace_back(outcome(*s.p, dice), weight());
  const bool coarse = dice.below(2) == 0;
  for (std::size_t c = 0; c < s.p->coordinates(); ++c) {
    s.tables.emplace_back();
    for (std::size_t d = 0; d < s.p->domain(c); ++d) s.tables[c].push_back(coarse ? 0.5 * dice.below(3) : dice.real());
  }
  for (std::size_t k = 0; k < s.p->size(); ++k) {
    const auto x = s.p->action(k);
    double value = 0, noise = 0;
    for (const auto& [y, w] : s.data) value += w * s.p->loss(x, y);
    for (const auto& [y, w] : s.fakes) noise += w * s.p->loss(x, y);
    for (std::size_t c = 0; c < s.p->coordinates(); ++c) noise += s.tables[c][s.p->position(x, c)];
    s.values.push_back(value + s.scale * noise);
  }
  return s;
}

// The same for a problem whose outcomes can be listed: a weight for each of them, no tables.
template <class P>
Scene<P> weighted_scene(std::shared_ptr<const P> p, Dice& dice) {
  Scene<P> s{.p = std::move(p)};
  s.scale = dice.below(3) * 0.75;
  const auto weight = [&] {
    const int kind = dice.below(5);
    return kind == 0 ? 0.0 : kind == 1 ? 1.0 + dice.below(3) : kind == 2 ? -1.0 - dice.below(3) : 4 * dice.real();
  };
  for (const auto& y : s.p->outcomes()) {
    s.data.emplace_back(y, weight());
    s.fakes.emplace_back(y, weight());
  }
  for (std::size_t k = 0; k < s.p->size(); ++k) {
    double value = 0;
    for (std::size_t y = 0; y < s.data.size(); ++y) {
      value += (s.data[y].second + s.scale * s.fakes[y].second) * s.p->loss(s.p->action(k), s.data[y].first);
    }
    s.values.push_back(value);
  }
  return s;
}

template <class Outcome>
std::vector<double> weights_of(const std::vector<std::pair<Outcome, double>>& data) {
  std::vector<double> weights;
  for (const auto& [y, w] : data) weights.push_back(w);
  return weights;
}

// A history that was saved and read back answers as before.
template <class P>
void expect_to_go_on(const Scene<P>& s, const AnyOracle<P>& oracle) {
  const auto held = oracle.empty(), back = oracle.empty();
  for (const auto& [y, w] : s.data) held->add(y, w);
  if (!s.tables.empty()) held->add_table(0, s.tables[0]);
  JsonWriter writer;
  held->archive(writer);
  const Json state = writer.take();
  JsonReader reader(state, "state");
  back->archive(reader);
  const auto a = oracle.best({*held, *held, 0}, 2), b = oracle.best({*back, *back, 0}, 2);
  EXPECT_EQ(a.action, b.action);
  EXPECT_EQ(a.value, b.value);
}

// The smallest of the best, its value, the least value, a pool without repeats, and a rest below
// every action outside it.
template <class P>
void expect_answer(const Scene<P>& s, const AnyOracle<P>& oracle, std::size_t keep) {
  const auto data = oracle.empty(), noise = oracle.empty();
  for (const auto& [y, w] : s.data) data->add(y, w);
  for (const auto& [y, w] : s.fakes) noise->add(y, w);
  for (std::size_t c = 0; c < s.tables.size(); ++c) noise->add_table(c, s.tables[c]);
  const auto answer = oracle.best({*data, *noise, s.scale}, keep);
  const double least = *std::min_element(s.values.begin(), s.values.end());
  std::size_t first = 0;
  while (s.values[first] > least + tie_window(least)) ++first;
  EXPECT_EQ(answer.action, s.p->action(first)) << oracle.name();
  EXPECT_NEAR(answer.value, s.values[first], 1e-9);
  EXPECT_NEAR(answer.floor, least, 1e-9);
  ASSERT_EQ(answer.pool.size(), std::min(keep, s.values.size()));
  std::map<typename P::Action, double> pool;
  for (const auto& [x, value] : answer.pool) pool[x] = value;
  EXPECT_EQ(pool.size(), answer.pool.size());
  for (std::size_t k = 0; k < s.values.size(); ++k) {
    const auto at = pool.find(s.p->action(k));
    if (at == pool.end()) {
      EXPECT_LE(answer.rest, s.values[k] + 1e-9);
    } else {
      EXPECT_NEAR(at->second, s.values[k], 1e-9);
    }
  }
  EXPECT_TRUE(keep == 0 || answer.rest >= answer.pool.back().value - 3e-9);
}

}  // namespace hannan::detail
