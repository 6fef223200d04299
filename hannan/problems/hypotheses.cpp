#include "hannan/problems/hypotheses.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"

namespace hannan {

namespace {

// What a class asks of the points. The limits keep a call of the search near a second and memory small.
struct Shape {
  std::string_view name;
  std::size_t features;     // 0: any number
  std::size_t most_points;
  double most_work;         // of work_of below
};

constexpr Shape kShapes[] = {
    {kThresholds, 1, 900'000, 9e5},   // m: K <= m + 1 is listed
    {kStumps, 0, 100'000, 9e5},       // 2 m d: so is K <= 2 m d
    {kRectangles, 2, 2048, 1e4},      // the search is O(m^2 log m)
    {kHalfplanes, 2, 400, 1e4},       // listing is O(m^3)
    {kTrees, 0, 10'000, 1e8},         // (m d)^2, the search
};

double work_of(std::string_view name, double m, double d) {
  if (name == kStumps) return 2 * m * (d + 1);
  return name == kTrees ? m * d * m * d : m;
}

}  // namespace

HypothesesPtr make_hypotheses(std::string_view name, const Points& points, const std::string& path) {
  const auto shape = std::find_if(std::begin(kShapes), std::end(kShapes), [&](const Shape& s) { return s.name == name; });
  const std::size_t m = points.size(), d = points[0].size();
  const std::string who(name);
  if (shape->features > 0 && d != shape->features) {
    throw Error(Code::kOutOfRange, "found points of " + std::to_string(d) + " numbers, expected " + std::to_string(shape->features) +
                " for " + who, path);
  }
  if (m > shape->most_points || work_of(name, static_cast<double>(m), static_cast<double>(d)) > shape->most_work) {
    throw Error(Code::kOutOfRange, "found " + std::to_string(m) + " points of " + std::to_string(d) +
                " numbers, too many for the exact search of " + who + " (docs/problems/classification.md)", path);
  }
  if (name == kThresholds) return stump_hypotheses(points, Directions::kOne);
  if (name == kStumps) return stump_hypotheses(points, Directions::kBoth);
  if (name == kRectangles) return box_hypotheses(points);
  if (name == kHalfplanes) return halfplane_hypotheses(points);
  return tree_hypotheses(points);
}

}  // namespace hannan
