// uniform-gftpl: the rule of classical.hpp under noise that is uniform on (0, beta) for each column.
#include "hannan/verify/rules/classical.hpp"

namespace hannan::detail {
namespace {

struct UniformGftpl {
  static constexpr RuleFacts kFacts{.name = "uniform-gftpl", .noise = NoiseOn::kColumns};
  void read(Fields& in, RecordedSetting& s) { s.noise.law = DrawnLaw::uniform(read_tuning(in, s, "beta").value_or(1)); }
};

}  // namespace

RuleRow uniform_gftpl_rule() { return rule_row<UniformGftpl, ClassicalRule>(); }

}  // namespace hannan::detail
