// The segments of a learner with contexts as its page shows them, from rows of its log: how often each came, what was
// decided there last, how much of the decision is taken at its level, and what the learner earned there beyond what the
// learner of all rounds would have, whose action every row has:
//
//   gain of a round = loss of the root's action - loss that was charged
//
// Bounded: at most kMostSegments are told apart; rounds of others are counted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hannan/bidlog/action_money.hpp"
#include "service/entry.hpp"
#include "service/money_scale.hpp"

namespace hannan::detail::service {

class SegmentRounds {
 public:
  void add(const Entry& entry, const Json& line);  // a row of the log
  // {columns, left_out, levels: {rounds, shares}, rows: [{path, rounds, gain, spread, one, share, amounts}]}; null
  // where there are no segments, or several orders of columns.
  Json json(const Entry& entry, const ActionMoney& money, const std::optional<MoneyScale>& scale) const;

  static constexpr std::size_t kMostSegments = 2'000;

 private:
  struct Sums {
    std::uint64_t rounds = 0;
    double gain = 0, squares = 0, one = 0;  // one: the loss of the root's action
    double share = 0;                       // of its last round
    Json action;                            // of its last round; null: it is not open
  };
  // Mean weights of the levels over a stretch of rounds.
  struct Stretch {
    std::uint64_t rounds = 0;
    std::vector<double> weights;
  };
  void add_levels(const std::vector<double>& weights);

  std::map<std::vector<std::string>, Sums> all_;
  std::uint64_t left_out_ = 0;
  std::vector<Stretch> stretches_;
  std::uint64_t stretch_ = 1;  // rounds of a full one
};

}  // namespace hannan::detail::service
