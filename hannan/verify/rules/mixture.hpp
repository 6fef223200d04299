// What learners that play a mixture share: the recorded loss is the mean under the weights, and the action is drawn
// from them by one uniform number a round. Experts that sleep have no weight; where none is awake nothing is played.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "hannan/verify/round_rule.hpp"
#include "hannan/verify/sleeping_totals.hpp"

namespace hannan::detail {

class MixtureRule : public RoundRule {
 public:
  explicit MixtureRule(const RuleInput& in) : RoundRule(in), weights_(in.record.list.size()) {}
  std::uint64_t oracle_calls() const override { return 0; }

 protected:
  // Null where none can.
  const SleepingTotals* asleep() const { return input().asleep; }
  static bool plays(const RecordedRound& round) { return round.index.has_value(); }
  // The action is the first whose weight, with those of all smaller ones, exceeds the uniform number of the round; the
  // last one with weight where rounding leaves the sum below it. `slack` is what rounding does to a weight.
  void expect_sample(const RecordedRound& round, double slack) const;
  double mean_loss(const RecordedRound& round) const;
  // A field of the end with a number for each expert.
  void check_list(Fields& end, const char* name, const std::function<double(std::size_t)>& value) const;

  std::vector<double> weights_;
};

}  // namespace hannan::detail
