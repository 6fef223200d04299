#include "hannan/problems/classification/feature_cuts.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"

namespace hannan {

FeatureCuts::FeatureCuts(const PointTable& table)
    : ranks_(table.rows), categories_(table.categories), names_(table.names) {
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

Json FeatureCuts::json(Cut cut) const {
  Json json = Json::object({{"feature", names_.empty() ? Json(cut.feature) : Json(names_[cut.feature])}});
  if (!categorical(cut.feature)) return json.set("cut", ranks_.cut(cut.feature, cut.reach));
  const bool never = cut.reach >= ranks_.distinct(cut.feature);
  // The values of a categorical feature are the codes that occur.
  const auto code = never ? 0 : static_cast<std::size_t>(ranks_.cut(cut.feature, cut.reach));
  return json.set("is", never ? Json() : Json(categories_[cut.feature][code]));
}

Json FeatureCuts::stump_json(Cut cut, int says) const {
  return json(cut).set(categorical(cut.feature) ? "says" : "above", says);
}

Json FeatureCuts::constant_json(int says) const {
  return categorical(0) ? stump_json({0, ranks_.distinct(0)}, 1 - says) : stump_json({0, 0}, says);
}

Cut FeatureCuts::parse(Fields& fields) const {
  const Json& which = fields.need("feature");
  std::uint32_t f = 0;
  if (which.is_string() && !names_.empty()) {
    const auto found = std::find(names_.begin(), names_.end(), which.as_string());
    if (found == names_.end()) {
      throw Error(Code::kBadAction, "found \"" + which.as_string() + "\", expected the name of a column or its place",
                  fields.at("feature"));
    }
    f = static_cast<std::uint32_t>(found - names_.begin());
  } else {
    f = static_cast<std::uint32_t>(
        to_integer(which, fields.at("feature"), {0, static_cast<std::int64_t>(features()) - 1}));
  }
  if (!categorical(f)) return {f, ranks_.reach(f, fields.number("cut", kExtended))};
  const Json& is = fields.need("is");
  if (is.is_null()) return {f, ranks_.distinct(f)};
  const auto& names = categories_[f];
  const auto found = std::find(names.begin(), names.end(), to_word(is, fields.at("is")));
  if (found == names.end()) {
    throw Error(Code::kBadAction, "found \"" + is.as_string() + "\", expected a category of this column, or null",
                fields.at("is"));
  }
  const auto code = static_cast<double>(found - names.begin());
  const int reach = ranks_.reach(f, code);
  return {f, ranks_.cut(f, reach) == code ? reach : ranks_.distinct(f)};  // a category of no point never holds
}

int FeatureCuts::parse_says(Fields& fields, Cut cut) const {
  return static_cast<int>(fields.integer(categorical(cut.feature) ? "says" : "above", {0, 1}));
}

}  // namespace hannan
