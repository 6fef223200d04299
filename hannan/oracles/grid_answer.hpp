// A search over positions as an answer about integer actions: the value of a coordinate is its
// position plus `lowest`, so the order of positions is that of the actions.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "hannan/core/answer.hpp"
#include "hannan/oracles/branch_bound.hpp"
#include "hannan/oracles/warm_start.hpp"

namespace hannan {

struct GridRequest {
  std::size_t keep = 1;  // as Oracle::best understands it: 0 asks for the choice alone
  int lowest = 0;
  SearchLimits limits;
  WarmStart* warm = nullptr;  // what the last search of this history found, if it remembers
  double scale = 0;           // of the noise: plain and perturbed searches remember apart
};

// The model must have a feasible assignment, and its search must have met one.
template <BranchModel M>
Answer<std::vector<int>> grid_answer(M& model, const GridRequest& request) {
  SearchRequest search{.keep = request.keep, .limits = request.limits, .hints = {}};
  if (request.warm) search.hints = request.warm->hints(request.scale);
  SearchResult result = branch_bound(model, search);
  if (request.warm) request.warm->remember(request.scale, result.pool);
  for (auto& found : result.pool) {
    for (int& position : found.positions) position += request.lowest;
  }
  Answer<std::vector<int>> answer{.action = result.pool.front().positions, .value = result.pool.front().value,
                                  .floor = result.floor, .pool = {}, .rest = result.floor};
  if (request.keep == 0) return answer;
  answer.rest = result.rest;
  for (auto& found : result.pool) answer.pool.push_back({std::move(found.positions), found.value});
  return answer;
}

}  // namespace hannan
