// The default history: outcome -> weight, equal outcomes merged, kept in order.
//
// Linear by construction. Because outcomes are visited in their own order and not in that of their
// arrival, sums over a tally do not depend on the order of the rounds. Outcomes need an order (operator<). Cost:
// O(log of the number of different outcomes) a round, memory linear in that number. For one thread at a time.
#pragma once

#include <cmath>
#include <iterator>
#include <map>
#include <type_traits>

#include "hannan/core/archive.hpp"
#include "hannan/core/tolerance.hpp"

namespace hannan {

// The weights of the outcomes so far.
template <class Outcome>
class Tally {
 public:
  // An outcome of this weight, of any sign.
  void add(const Outcome& y, double weight) { weights_[y] += weight; }
  // Outcomes whose weight has become negligible are dropped: a history scaled in every round does not grow for ever.
  void scale(double factor) {
    for (auto at = weights_.begin(); at != weights_.end();) {
      at->second *= factor;
      at = std::abs(at->second) < kForgottenWeight ? weights_.erase(at) : std::next(at);
    }
  }
  // Back to no outcome.
  void clear() { weights_.clear(); }
  // How many different outcomes there are, and these in their order.
  bool empty() const { return weights_.empty(); }
  std::size_t size() const { return weights_.size(); }
  auto begin() const { return weights_.begin(); }  // pairs of outcome and weight
  auto end() const { return weights_.end(); }

  // Saves it, or reads it back; outcomes of your own need archive(Archive&, Outcome&).
  void archive(Archive& a) {
    const auto size = a.open_list("tally", weights_.size());
    if (a.reading()) {
      weights_.clear();
      for (std::uint64_t i = 0; i < size; ++i) {
        Outcome y{};
        double weight = 0;
        a.item();
        read_or_write(a, y, weight);
        if (!weights_.emplace(std::move(y), weight).second) a.refuse("outcome", "found this outcome twice");
      }
    } else {
      for (auto& [outcome, weight] : weights_) {
        Outcome y = outcome;
        a.item();
        read_or_write(a, y, weight);
      }
    }
    a.close_list();
  }

 private:
  static void read_or_write(Archive& a, Outcome& y, double& weight) {
    a.field("weight", weight);
    a.open("outcome");
    archive_value(a, y);
    a.close();
  }

  std::map<Outcome, double> weights_;
};

}  // namespace hannan
