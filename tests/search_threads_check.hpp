// A search by boxes has the same result, with all counts, and leaves the same frontier on any number of threads.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hannan/oracles/box_search.hpp"

namespace hannan::detail {

struct ThreadsTrial {
  SearchRequest request;
  std::size_t bytes = std::size_t{1} << 20;
};

inline void expect_same_points(const std::vector<Found>& found, const std::vector<Found>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].positions, expected[k].positions);
    EXPECT_EQ(found[k].value, expected[k].value);
  }
}

inline void expect_same_result(const SearchResult& found, const SearchResult& expected) {
  expect_same_points(found.pool, expected.pool);
  EXPECT_EQ(found.rest, expected.rest);
  EXPECT_EQ(found.floor, expected.floor);
  EXPECT_EQ(found.nodes, expected.nodes);
  EXPECT_EQ(found.lines, expected.lines);
  EXPECT_EQ(found.finished, expected.finished);
}

inline void expect_same_frontier(const Frontier& found, const Frontier& expected) {
  expect_same_points(found.points, expected.points);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_TRUE(std::ranges::equal(found.runs(k), expected.runs(k)));
    EXPECT_EQ(found.bound(k), expected.bound(k));
  }
}

// Searches alone, with a frontier, and from that frontier on for more of the best. Returns the nodes of one thread.
inline std::uint64_t expect_same_on_threads(BoxModel& model, const ThreadsTrial& trial) {
  struct Searched {
    SearchResult plain, kept, resumed;
    Frontier stopped, stopped_again;
  };
  const auto search = [&](unsigned threads) {
    Searched all;
    const BoxLimits limits{.bytes = trial.bytes, .threads = threads, .nodes_alone = 0};
    all.plain = box_search(model, trial.request, limits);
    all.kept = box_search(model, trial.request, limits, {.from = nullptr, .to = &all.stopped});
    if (all.stopped.empty()) return all;
    SearchRequest more = trial.request;
    more.keep += 3;
    all.resumed = box_search(model, more, limits, {.from = &all.stopped, .to = &all.stopped_again});
    return all;
  };
  const Searched one = search(1);
  for (const unsigned threads : {2U, 3U, 8U}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    const Searched many = search(threads);
    expect_same_result(many.plain, one.plain);
    expect_same_result(many.kept, one.kept);
    expect_same_result(many.resumed, one.resumed);
    expect_same_frontier(many.stopped, one.stopped);
    expect_same_frontier(many.stopped_again, one.stopped_again);
  }
  return one.plain.nodes;
}

}  // namespace hannan::detail
