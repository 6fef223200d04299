// Values of bundles as JSON: a list of {"items": [0, 2], "value": 5}, every bundle once.
#pragma once

#include <string>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

struct BundleValuesShape {
  int items;
  int most;  // value of a bundle
};
// By bundle; the empty one may be left out.
std::vector<int> parse_bundle_values(const Json::Array& list, const std::string& path, BundleValuesShape shape);
Json bundle_values_json(const std::vector<int>& values, int items);

}  // namespace hannan::detail
