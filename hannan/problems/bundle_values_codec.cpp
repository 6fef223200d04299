// Valuations of bundles from and to JSON: a list of {items, value}. All 2^h - 1 bundles but the empty one must be there
// once, in any order; the empty one is worth 0. Written in the order of bundle numbers. Cost: O(2^h h).
#include "hannan/problems/bundle_values_codec.hpp"

#include <optional>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/problems/bundle_values.hpp"

namespace hannan::detail {

std::vector<int> parse_bundle_values(const Json::Array& list, const std::string& path, BundleValuesShape shape) {
  std::vector<std::optional<int>> given(std::size_t{1} << shape.items);
  for (std::size_t i = 0; i < list.size(); ++i) {
    Fields entry(list[i], path_of(path, i));
    ItemBundle bundle = 0;
    for (const auto j : entry.integers("items", {0, shape.items - 1})) {
      if ((bundle >> j & 1U) != 0) {
        throw Error(Code::kOutOfRange, "found item " + std::to_string(j) + " twice, expected each item once",
                    entry.at("items"));
      }
      bundle |= ItemBundle{1} << j;
    }
    if (given[bundle]) {
      throw Error(Code::kOutOfRange, "found bundle " + list_items(bundle) + " twice, expected each bundle once",
                  entry.at("items"));
    }
    given[bundle] = static_cast<int>(entry.integer("value", {0, bundle == 0 ? 0 : shape.most}));
    entry.done();
  }
  std::vector<int> values{0};
  for (ItemBundle s = 1; s < given.size(); ++s) {
    if (!given[s]) {
      throw Error(Code::kMissingField, "found no value of bundle " + list_items(s) + ", expected one for every bundle",
                  path);
    }
    values.push_back(*given[s]);
  }
  return values;
}

Json bundle_values_json(const std::vector<int>& values, int items) {
  Json list = Json::array();
  for (ItemBundle s = 1; s < values.size(); ++s) {
    Json members = Json::array();
    for (int j = 0; j < items; ++j) {
      if ((s >> j & 1U) != 0) members.push_back(j);
    }
    list.push_back(Json::object({{"items", std::move(members)}, {"value", values[s]}}));
  }
  return list;
}

}  // namespace hannan::detail
