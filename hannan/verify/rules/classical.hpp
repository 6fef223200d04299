// What uniform-gftpl and fake-data share: x_t = argmin L_{t-1} + n_t under noise of a fixed size, without a rate and
// without a bound. Cost of a round: what a choice costs (round_rule.hpp).
#pragma once

#include <cstdint>

#include "hannan/verify/round_rule.hpp"

namespace hannan::detail {

class ClassicalRule final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound& round) override {
    expect_no_eta();
    expect_perturbed(played_in(round), {recomputed(), round.t, 1});
  }
  std::uint64_t oracle_calls() const override { return recomputed().rounds(); }
};

}  // namespace hannan::detail
