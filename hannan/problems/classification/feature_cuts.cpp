// Cuts by feature and reach, with their order: numbers have reaches 1..distinct-1 (0 holds everywhere), categories
// 0..distinct-1; reach = distinct never holds. A feature of one value parts nothing and has no cuts.
#include "hannan/problems/classification/feature_cuts.hpp"

namespace hannan::detail {

FeatureCuts::FeatureCuts(const PointTable& table) : ranks_(table.rows), categories_(table.categories) {
  for (std::uint32_t f = 0; f < features(); ++f) {
    first_.push_back(all_.size());
    if (ranks_.distinct(f) < 2) continue;
    for (std::int32_t reach = categorical(f) ? 0 : 1; reach < ranks_.distinct(f); ++reach) all_.push_back({f, reach});
  }
}

FeatureCuts::Holds FeatureCuts::extent(Cut cut) const {
  const int distinct = ranks_.distinct(cut.feature);
  if (cut.reach >= distinct) return Holds::kNowhere;
  const bool everywhere = categorical(cut.feature) ? distinct == 1 : cut.reach == 0;
  return everywhere ? Holds::kEverywhere : Holds::kSomewhere;
}

CutRule FeatureCuts::describe(Cut cut) const {
  if (!categorical(cut.feature))
    return {.feature = cut.feature, .cut = ranks_.cut(cut.feature, cut.reach), .category = {}};
  if (cut.reach >= ranks_.distinct(cut.feature)) return {.feature = cut.feature, .cut = 0, .category = {}};
  // The values of a categorical feature are the codes that occur.
  return {.feature = cut.feature, .cut = 0, .category = static_cast<std::uint32_t>(ranks_.cut(cut.feature, cut.reach))};
}

StumpRule FeatureCuts::describe_constant(int says) const {
  if (categorical(0)) return {describe({0, ranks_.distinct(0)}), 1 - says};
  return {describe({0, 0}), says};
}

std::optional<Cut> FeatureCuts::find(const CutRule& rule) const {
  const std::uint32_t f = rule.feature;
  if (f >= features()) return std::nullopt;
  if (!categorical(f)) return Cut{f, ranks_.reach(f, rule.cut)};
  if (!rule.category) return Cut{f, ranks_.distinct(f)};
  if (*rule.category >= categories_[f].size()) return std::nullopt;
  const auto code = static_cast<double>(*rule.category);
  const int reach = ranks_.reach(f, code);
  return Cut{f, ranks_.cut(f, reach) == code ? reach : ranks_.distinct(f)};
}

}  // namespace hannan::detail
