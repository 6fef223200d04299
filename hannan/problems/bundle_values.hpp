// Values of bundles of items, for the problems of one bidder: a number for each of the 2^h sets of h items.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hannan::detail {

using ItemBundle = std::uint32_t;  // bit j = item j

// "[0,2]".
std::string list_items(ItemBundle bundle);

// One value per bundle of `items` items, 0 for the empty one, none below 0 or above `most`. kOutOfRange at `part`.
void expect_bundle_values(const std::vector<int>& values, int items, int most, const std::string& part);

}  // namespace hannan::detail
