// Classes by name, with what each asks of the points; limits are stated as points, flips or steps, never as seconds.
#include "hannan/problems/classification/hypotheses.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"
#include "hannan/problems/classification/feature_ranks.hpp"

namespace hannan::detail {

namespace {

// What a class asks of the points. The limits keep a call of the search near a second and memory small.
struct Shape {
  std::string_view name;
  std::size_t features;  // 0: any number
  std::size_t most_points;
};

constexpr Shape kShapes[] = {
    {kThresholds, 1, 900'000},  // K <= m + 1 is listed
    {kStumps, 0, 900'000},      // and so are they, as far as stumps_fit
    {kRectangles, 2, 2048},     // the search is O(m^2 log m)
    {kHalfplanes, 2, 400},      // listing is O(m^3)
    {kTrees, 0, 200'000},       // and trees_fit
    {kDeepTrees, 0, 200'000},   // and deep_trees_fit
};

// All stumps are listed: 2 (values + 1) a feature, and about 2 m flips.
bool stumps_fit(const PointTable& points) {
  const double flips = 2 * static_cast<double>(points.points()) * static_cast<double>(points.features() + 1);
  if (flips > 0.9 * static_cast<double>(HypothesisWalk::kMostFlips)) return false;
  const FeatureRanks ranks(points.rows);
  std::size_t stumps = 0;
  for (std::size_t f = 0; f < ranks.features(); ++f) stumps += 2 * (static_cast<std::size_t>(ranks.distinct(f)) + 1);
  return stumps <= HypothesisWalk::kMostHypotheses;
}

// The limit on points first: the others are computed from sorted columns, which takes a while on very long tables.
bool fits(const Shape& shape, const PointTable& points) {
  if (points.points() > shape.most_points) return false;
  if (shape.name == kStumps) return stumps_fit(points);
  if (shape.name == kDeepTrees) return deep_trees_fit(points);
  return shape.name != kTrees || trees_fit(points);
}

}  // namespace

// Checks in the order of what a user can change most easily: the name, the width, categories, the number of points.
HypothesesPtr make_hypotheses(std::string_view name, const PointTable& points, const std::string& path) {
  const auto shape =
      std::find_if(std::begin(kShapes), std::end(kShapes), [&](const Shape& s) { return s.name == name; });
  const std::size_t m = points.points(), d = points.features();
  const std::string who(name);
  if (shape == std::end(kShapes)) {
    throw Error(
        Code::kUnknownName,
        "found \"" + who + "\", expected one of thresholds, stumps, rectangles, halfplanes, trees2, trees3, votes",
        "hypotheses");
  }
  if (shape->features > 0 && d != shape->features) {
    throw Error(Code::kOutOfRange,
                "found points of " + std::to_string(d) + " numbers, expected " + std::to_string(shape->features) +
                    " for " + who,
                path);
  }
  for (std::size_t f = 0; shape->features > 0 && f < d; ++f) {
    if (points.categorical(f))
      throw Error(Code::kOutOfRange,
                  "found categories in column " + std::to_string(f) + ", expected numbers for " + who, path);
  }
  if (!fits(*shape, points)) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(m) + " points of " + std::to_string(d) +
                    " entries, too many points or distinct values for the search of " + who +
                    " (docs/problems/classification.md; fewer bins help)",
                path);
  }
  if (name == kThresholds) return stump_hypotheses(points, Directions::kOne);
  if (name == kStumps) return stump_hypotheses(points, Directions::kBoth);
  if (name == kRectangles) return box_hypotheses(points.rows);
  if (name == kHalfplanes) return halfplane_hypotheses(points.rows);
  if (name == kDeepTrees) return deep_tree_hypotheses(points);
  return tree_hypotheses(points);
}

}  // namespace hannan::detail
