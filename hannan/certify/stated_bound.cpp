// Which of the bounds of a certificate may be called the bound of a run (certificate.hpp, stated_bound).
#include <algorithm>

#include "hannan/certify/certificate.hpp"

namespace hannan::detail {

const BoundCheck* find_check(const std::vector<BoundCheck>& checks, std::string_view name) {
  const auto found = std::ranges::find(checks, name, &BoundCheck::name);
  return found == checks.end() ? nullptr : &*found;
}

std::optional<StatedBound> stated_bound(const std::vector<BoundCheck>& checks) {
  // Of is ordered path < limit < mean: the first kind present wins; within path and mean the least value, all being
  // proven.
  using Of = StatedBound::Of;
  std::optional<StatedBound> found;
  for (const auto& check : checks) {
    if (check.side != BoundCheck::Side::kUpper || check.kind == BoundCheck::Kind::kRun) continue;
    if (check.discounted || check.if_drawn) continue;
    const bool mean = check.covers == BoundCheck::Covers::kMean;
    const Of of = check.kind == BoundCheck::Kind::kLimit ? Of::kLimit : mean ? Of::kMean : Of::kPath;
    if (!found || of < found->of || (of == found->of && of != Of::kLimit && check.value < found->value))
      found = {.value = check.value, .of = of, .certainty = check.certainty, .name = check.name};
  }
  return found;
}

std::optional<double> stated_limit(const std::vector<BoundCheck>& checks) {
  const auto found = stated_bound(checks);
  return found && found->of != StatedBound::Of::kMean ? std::optional(found->value) : std::nullopt;
}

}  // namespace hannan::detail
