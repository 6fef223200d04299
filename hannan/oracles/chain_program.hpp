// Exact minimisation of a sum of tables over the words of a finite automaton.
//
//   minimise  sum_c cost_c(d_c)   over the accepted words d_0 d_1 ... d_(n-1)
//
// Backward pass: ahead(c, q) = the least cost of accepted endings from state q at stage c,
//   ahead(c, q) = min over d of cost_c(d) + ahead(c+1, next(c, q, d)),   ahead(n, q) = 0 if q accepts.
// Costs may have any sign; an infinite one forbids its letter. The automaton is deterministic, so a word is one path:
// look-ahead is exact for every prefix, and the k best words come out of one forward sweep that keeps k prefixes. Cost:
// O(sum_c states * domain(c)) for the backward pass, O(k * sum_c domain(c)) for the sweep.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "hannan/core/evidence.hpp"
#include "hannan/core/interruption.hpp"

namespace hannan::detail {

inline constexpr std::size_t kDead = std::numeric_limits<std::size_t>::max();

template <class A>
concept Automaton = requires(const A& a, std::size_t c, std::size_t state, std::size_t d) {
  { a.stages() } -> std::convertible_to<std::size_t>;
  { a.states() } -> std::convertible_to<std::size_t>;
  { a.domain(c) } -> std::convertible_to<std::size_t>;  // letters of stage c: 0..domain-1
  { a.start() } -> std::convertible_to<std::size_t>;
  { a.accepts(state) } -> std::convertible_to<bool>;
  { a.next(c, state, d) } -> std::convertible_to<std::size_t>;  // kDead where the letter is not allowed
};

template <Automaton A>
class ChainProgram {
 public:
  using Word = std::vector<int>;

  // Keeps a reference to the automaton. costs[c] has domain(c) entries.
  ChainProgram(const A& automaton, std::vector<std::vector<double>> costs) : ChainProgram(automaton) {
    costs_ = std::move(costs);
    solve();
  }
  // To be solved when costs() are filled in, again and again in the same buffers.
  explicit ChainProgram(const A& automaton)
      : automaton_(automaton), states_(automaton.states()), ahead_((automaton.stages() + 1) * states_, kNone) {
    for (std::size_t q = 0; q < states_; ++q) {
      if (automaton_.accepts(q)) ahead_[automaton.stages() * states_ + q] = 0;
    }
  }
  std::vector<std::vector<double>>& costs() { return costs_; }

  void solve() {
    // ahead_ has (stages + 1) rows of states_ numbers; row c is filled from row c + 1.
    const std::size_t stages = automaton_.stages();
    for (std::size_t c = stages; c-- > 0;) {
      interruption_point();
      const double* after = ahead_.data() + (c + 1) * states_;
      // The first stage has one state; the others are worth their time only if reached, but most are.
      const std::size_t first = c == 0 ? automaton_.start() : 0, last = c == 0 ? first + 1 : states_;
      for (std::size_t q = first; q < last; ++q) {
        double least = kNone;
        for (std::size_t d = 0; d < costs_[c].size(); ++d) {
          const std::size_t to = automaton_.next(c, q, d);
          if (to != kDead) least = std::min(least, costs_[c][d] + after[to]);
        }
        ahead_[c * states_ + q] = least;
      }
    }
  }

  // Infinite where no word is accepted.
  double least() const { return ahead(0, automaton_.start()); }

  double value(const Word& word) const {
    double sum = 0;
    for (std::size_t c = 0; c < word.size(); ++c) sum += costs_[c][static_cast<std::size_t>(word[c])];
    return sum;
  }

  // The first word, in lexicographic order, whose cost is at most `limit` >= least(): a letter is
  // right as soon as the best ending behind it stays within the limit.
  Word first_within(double limit) const {
    Word word;
    first_within(limit, word);
    return word;
  }
  void first_within(double limit, Word& word) const {
    word.clear();
    double spent = 0;
    std::size_t state = automaton_.start();
    for (std::size_t c = 0; c < automaton_.stages(); ++c) {
      std::size_t chosen = kDead;
      double lowest = kNone;  // rounding may put every letter a hair above the limit: then the lowest
      for (std::size_t d = 0; d < costs_[c].size(); ++d) {
        const std::size_t to = automaton_.next(c, state, d);
        if (to == kDead) continue;
        const double total = spent + (costs_[c][d] + ahead(c + 1, to));
        if (total < lowest) lowest = total, chosen = d;
        if (total <= limit) {
          chosen = d;
          break;
        }
      }
      word.push_back(static_cast<int>(chosen));
      spent += costs_[c][chosen];
      state = automaton_.next(c, state, chosen);
    }
  }

  // The `keep` words of least cost (fewer if there are fewer), ordered by cost, then word.
  std::vector<Ranked<Word>> best(std::size_t keep) const {
    // A prefix stands for all its words and its total is the least of them, so of any set of
    // disjoint prefixes only the `keep` lowest can lead to the `keep` lowest words.
    std::vector<Prefix> front{{.word = {}, .spent = 0, .total = least(), .state = automaton_.start()}};
    if (front[0].total == kNone) return {};
    for (std::size_t c = 0; c < automaton_.stages(); ++c) front = extend(c, front, keep);
    std::vector<Ranked<Word>> words;
    for (auto& prefix : front) words.push_back({std::move(prefix.word), prefix.spent});
    std::sort(words.begin(), words.end(), [](const auto& a, const auto& b) {
      return a.value != b.value ? a.value < b.value : a.action < b.action;
    });
    return words;
  }

 private:
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  struct Prefix {
    Word word;
    double spent;
    double total;  // with the best ending
    std::size_t state;
  };
  struct Child {
    double total;
    std::uint32_t parent;  // in lexicographic order, so (parent, letter) orders the children
    std::uint32_t letter;
  };

  double ahead(std::size_t c, std::size_t state) const { return ahead_[c * states_ + state]; }

  std::vector<Prefix> extend(std::size_t c, const std::vector<Prefix>& front, std::size_t keep) const {
    interruption_point();
    std::vector<Child> children;
    for (std::size_t i = 0; i < front.size(); ++i) {
      for (std::size_t d = 0; d < costs_[c].size(); ++d) {
        const std::size_t to = automaton_.next(c, front[i].state, d);
        if (to == kDead) continue;
        const double total = front[i].spent + (costs_[c][d] + ahead(c + 1, to));
        if (total < kNone) children.push_back({total, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(d)});
      }
    }
    const auto in_order = [](const Child& a, const Child& b) {
      return a.parent != b.parent ? a.parent < b.parent : a.letter < b.letter;
    };
    // Children beyond the keep lowest are dropped, the rest is put back in lexicographic order: parents stay sorted, so
    // that (parent, letter) orders words.
    if (children.size() > keep) {
      std::nth_element(
          children.begin(), children.begin() + static_cast<std::ptrdiff_t>(keep), children.end(),
          [&](const Child& a, const Child& b) { return a.total != b.total ? a.total < b.total : in_order(a, b); });
      children.resize(keep);
      std::sort(children.begin(), children.end(), in_order);
    }
    std::vector<Prefix> longer;
    longer.reserve(children.size());
    for (const Child& child : children) {
      const Prefix& parent = front[child.parent];
      Prefix prefix{.word = parent.word,
                    .spent = parent.spent + costs_[c][child.letter],
                    .total = child.total,
                    .state = automaton_.next(c, parent.state, child.letter)};
      prefix.word.push_back(static_cast<int>(child.letter));
      longer.push_back(std::move(prefix));
    }
    return longer;
  }

  const A& automaton_;
  std::vector<std::vector<double>> costs_;
  std::size_t states_;
  std::vector<double> ahead_;
};

}  // namespace hannan::detail
