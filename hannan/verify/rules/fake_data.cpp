// fake-data: the rule of classical.hpp, the noise being outcomes that never came, each with a geometric weight.
#include "hannan/core/error.hpp"
#include "hannan/verify/rules/classical.hpp"

namespace hannan::detail {
namespace {

struct FakeData {
  static constexpr RuleFacts kFacts{.name = "fake-data", .noise = NoiseOn::kOutcomes};
  void read(Fields& in, RecordedSetting& s) {
    const double chance = read_tuning(in, s, "epsilon").value_or(1);
    if (chance > 1)
      throw Error(Code::kOutOfRange, "found " + number_text(chance) + ", expected a number in (0,1]", in.at("epsilon"));
    s.noise.law = DrawnLaw::geometric(chance);
  }
};

}  // namespace

RuleRow fake_data_rule() { return rule_row<FakeData, ClassicalRule>(); }

}  // namespace hannan::detail
