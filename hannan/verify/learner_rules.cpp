#include "hannan/verify/learner_rules.hpp"

#include <algorithm>
#include <array>

#include "hannan/verify/round_rule.hpp"

namespace hannan::detail {
namespace {

// A function, so that the rows exist whenever they are asked for.
const auto& table() {
#define HANNAN_RULE(file) file##_rule(),
  static const std::array kRows{
#include "hannan/verify/rules/all.hpp"
  };
#undef HANNAN_RULE
  return kRows;
}

}  // namespace

std::span<const RuleRow> learner_rules() { return table(); }

std::unique_ptr<LearnerRule> find_rule(std::string_view name) {
  const auto row = std::ranges::find(table(), name, [](const RuleRow& r) { return r.facts->name; });
  return row == table().end() ? nullptr : row->make();
}

}  // namespace hannan::detail
