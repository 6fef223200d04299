// Checks and names of bundles: bundle S is a number whose bit j says whether item j is in it, so 2^h values stand by
// index.
#include "hannan/problems/bundle_values.hpp"

#include "hannan/core/expect.hpp"

namespace hannan::detail {

std::string list_items(ItemBundle bundle) {
  std::string text = "[";
  for (int j = 0; bundle >> j != 0; ++j) {
    if ((bundle >> j & 1U) != 0) text += (text.size() > 1 ? "," : "") + std::to_string(j);
  }
  return text + "]";
}

void expect_bundle_values(const std::vector<int>& values, int items, int most, const std::string& part) {
  if (values.size() != std::size_t{1} << items) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(values.size()) + " values, expected one for every bundle, " +
                    std::to_string(std::size_t{1} << items),
                part);
  }
  for (std::size_t s = 0; s < values.size(); ++s) expect_whole(values[s], {0, s == 0 ? 0 : most}, path_of(part, s));
}

}  // namespace hannan::detail
