// What a search over positions found, as an answer about actions.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "hannan/core/evidence.hpp"
#include "hannan/oracles/branch_bound.hpp"
#include "hannan/oracles/warm_start.hpp"

namespace hannan::detail {

struct GridRequest {
  std::size_t keep = 1;  // as Oracle::best understands it: 0 asks for the choice alone
  int lowest = 0;
  SearchLimits limits;
  WarmStart* warm = nullptr;  // what the last search of this history found, if it remembers
  double scale = 0;           // of the noise: plain and perturbed searches remember apart
};

// keep as Oracle::best understands it; action_at turns positions into an action of the same order.
template <class ActionAt>
auto answer_of(const SearchResult& found, std::size_t keep, ActionAt&& action_at) {
  Answer<decltype(action_at(found.pool.front().positions))> answer;
  answer.action = action_at(found.pool.front().positions);
  answer.value = found.pool.front().value;
  answer.floor = found.floor;
  answer.rest = keep == 0 ? found.floor : found.rest;
  answer.nodes = found.nodes;
  if (keep == 0) return answer;
  for (const auto& entry : found.pool) answer.pool.push_back({action_at(entry.positions), entry.value});
  return answer;
}

// Integer actions: the value of a coordinate is its position plus `lowest`. The model must have a
// feasible assignment, and its search must have met one.
template <BranchModel M>
Answer<std::vector<int>> grid_answer(M& model, const GridRequest& request) {
  SearchRequest search{.keep = request.keep, .limits = request.limits, .hints = {}};
  if (request.warm) search.hints = request.warm->hints(request.scale);
  const SearchResult result = branch_bound(model, search);
  if (request.warm) request.warm->remember(request.scale, result.pool);
  return answer_of(result, request.keep, [&](std::vector<int> positions) {
    for (int& position : positions) position += request.lowest;
    return positions;
  });
}

}  // namespace hannan::detail
