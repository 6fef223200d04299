// What ada and flipflop share: noise whose multiplier follows what it has cost (docs/theory.md, docs/theory-run.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hannan/verify/adaptive_forms.hpp"
#include "hannan/verify/certificates.hpp"

namespace hannan::detail {

// phi and a: when a flipflop leaves a part.
struct FlipConstants {
  double phi = 0, a = 0;
};
FlipConstants read_flip_constants(Fields& in);

// "pivot", "delta", "rho2", "credit_draws" and "gap", which is returned. M must be there.
forms::GapOf read_adaptive(Fields& in, RecordedSetting& s);

class AdaptiveRule : public CertifiedRule {
 public:
  // `flips` where there are two parts. It outlives the rule.
  AdaptiveRule(const RuleInput& in, forms::GapOf gap, const FlipConstants* flips = nullptr)
      : CertifiedRule(in), gap_rule_(gap), flips_(flips), flipping_(flips != nullptr) {}

  void read(Fields& in) override;
  void read_decision(Fields& in) override;
  void skipped(const RecordedRound& round) override;
  void decided(const RecordedRound& round) override;
  void observed(const RecordedRound& round) override;
  std::uint64_t oracle_calls() const override { return calls_; }

 private:
  bool observe_flip(const RecordedRound& round);
  bool observe_flop(const RecordedRound& round, double after_loss, std::optional<double> mix);
  void take_over() const;
  void expect_growth(double found, double before) const;

  // Of the line.
  double multiplier_ = 0;
  std::string regime_;
  Json after_;
  std::vector<double> stability_;
  std::optional<bool> switched_;  // none: the line does not say

  forms::GapOf gap_rule_;
  const FlipConstants* flips_;
  bool flipping_;
  bool known_ = false;  // the leader of the outcomes so far was asked for already
  double flip_ = 0;     // D_flip
  double cost_ = 0;     // S, or D_flop
  std::uint64_t calls_ = 0;
};

}  // namespace hannan::detail
