// What a search over a product grid claims, held against the list of all assignments.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "hannan/core/tolerance.hpp"
#include "hannan/oracles/search_result.hpp"

namespace hannan::detail {

// `all` is in order and not empty. Bounds may be above what they bound by `rounding`.
inline void expect_enumerated(const SearchResult& result, const std::vector<Found>& all, std::size_t keep,
                              double rounding) {
  const double least = std::ranges::min_element(all, {}, &Found::value)->value;
  EXPECT_LE(result.floor, least + rounding);
  ASSERT_LE(result.pool.size(), std::max<std::size_t>(keep, 1));
  for (const auto& found : all) {
    const auto in = std::ranges::find(result.pool, found.positions, &Found::positions);
    if (in == result.pool.end()) {
      EXPECT_LE(result.rest, found.value + rounding);
    } else {
      EXPECT_EQ(in->value, found.value);
    }
  }
  if (!result.finished) return;
  const auto choice =
      std::find_if(all.begin(), all.end(), [&](auto& f) { return f.value <= least + tie_window(least); });
  EXPECT_EQ(result.pool[0].positions, choice->positions);  // `all` is in order, so the first is the smallest
  EXPECT_NEAR(result.floor, least, 1e-12);
  std::vector<double> values;
  for (const auto& f : all) values.push_back(f.value);
  std::sort(values.begin(), values.end());
  ASSERT_EQ(result.pool.size(), std::min(std::max<std::size_t>(keep, 1), all.size()));
  for (std::size_t i = 1; i < result.pool.size(); ++i) EXPECT_NEAR(result.pool[i].value, values[i], 2e-9);
  EXPECT_GE(result.rest, result.pool.back().value - 2e-9);
}

}  // namespace hannan::detail
