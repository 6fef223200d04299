// Ranks of values by sorting: O(m log m) a feature. Equal values share a rank; `order` breaks ties by index, so that
// every machine visits points in the same order.
#include "hannan/problems/classification/feature_ranks.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace hannan::detail {

FeatureRanks::FeatureRanks(const std::vector<std::vector<double>>& points)
    : values(points[0].size()), rank(points[0].size()), order(points[0].size()) {
  for (std::size_t f = 0; f < values.size(); ++f) {
    for (const auto& point : points) values[f].push_back(point[f]);
    std::sort(values[f].begin(), values[f].end());
    values[f].erase(std::unique(values[f].begin(), values[f].end()), values[f].end());
    for (const auto& point : points) rank[f].push_back(reach(f, point[f]));
    order[f].resize(points.size());
    std::iota(order[f].begin(), order[f].end(), 0);
    const auto key = [&](int point) { return std::pair(rank[f][static_cast<std::size_t>(point)], point); };
    std::sort(order[f].begin(), order[f].end(), [&](int a, int b) { return key(a) < key(b); });
  }
}

int FeatureRanks::reach(std::size_t feature, double cut) const {
  const auto& all = values[feature];
  return static_cast<int>(std::lower_bound(all.begin(), all.end(), cut) - all.begin());
}

double FeatureRanks::cut(std::size_t feature, int at) const {
  return at < distinct(feature) ? values[feature][static_cast<std::size_t>(at)]
                                : std::numeric_limits<double>::infinity();
}

}  // namespace hannan::detail
