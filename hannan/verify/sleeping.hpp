// The record of a learner over experts that sleep, checked line by line (docs/record.md, docs/theory.md).
//
// Written a second time, with totals of its own: sleepers are booked with the learner's mean loss; rates, weights, the
// drawn expert, the mean loss, gaps, switches, the regret against every expert and the certificate follow from the
// outcomes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hannan/io/fields.hpp"
#include "hannan/verify/claims.hpp"
#include "hannan/verify/exact_total.hpp"
#include "hannan/verify/record_check.hpp"
#include "hannan/verify/setting.hpp"
#include "hannan/verify/verifier.hpp"

namespace hannan::detail {

// Do the experts of this problem sleep?
bool experts_sleep(const Game& game);

class SleepingCheck final : public RecordCheck {
 public:
  SleepingCheck(RecordedSetting setting, Claims& claims);
  void round(const Json& line) override;
  Verification end(const Json& report) override;

 private:
  bool normal() const { return s_.rule->stability == 0; }
  bool two_parts() const { return s_.rule->stability == 2; }
  double rate() const;
  void weigh(std::span<const double> losses);
  void weigh_normal(std::span<const double> losses);
  void expect_drawn(const Json& action, std::uint64_t t, bool anybody) const;
  void settle(std::span<const double> losses, double mean);
  double mix_loss() const;
  double limit(std::size_t k) const;
  std::vector<double> closed_limits() const;
  void check_bounds(const Json& bounds, double worst) const;
  void check_lists(Fields& end) const;

  RecordedSetting s_;
  Claims& claims_;
  std::uint64_t rounds_ = 0, skipped_ = 0;
  std::vector<double> booked_, weights_;
  std::vector<ExactTotal> regrets_;
  std::vector<double> awake_rounds_;
  std::vector<double> moved_;  // sum of |mean - loss|
  double grown_ = 0;           // of |mean - loss| / (moved before + 1)
  double best_before_ = 0, spread_before_ = 1, eta_ = 0;
  double flip_ = 0, cost_ = 0;
  bool flipping_;
  double unit_ = 0, size_ = 0, largest_ = 0, squares_ = 0;
  ExactTotal total_;
};

}  // namespace hannan::detail
