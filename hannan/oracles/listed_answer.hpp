// The answer of an oracle that knows the value of every listed action: data[k] + scale * noise[k].
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include "hannan/core/answer.hpp"
#include "hannan/core/problem.hpp"
#include "hannan/oracles/argmin.hpp"
#include "hannan/oracles/least_few.hpp"

namespace hannan {

struct ListedValues {
  std::span<const double> data, noise;
  double scale;

  double operator[](std::size_t k) const { return scale == 0 ? data[k] : data[k] + scale * noise[k]; }
};

// Writes the choice alone and says which it is.
template <Enumerable P>
std::size_t choose_listed(const P& p, const ListedValues& values, Answer<typename P::Action>& answer) {
  const Least least = argmin(values.data, values.noise, values.scale);
  answer.value = least.value;
  answer.floor = answer.rest = least.floor;
  set_action(p, least.index, answer.action);
  return least.index;
}

template <Enumerable P>
Answer<typename P::Action> listed_answer(const P& p, const ListedValues& values, std::size_t keep) {
  Answer<typename P::Action> answer;
  const std::size_t choice = choose_listed(p, values, answer);
  if (keep == 0) return answer;
  // The choice first, then by value and index; rest is the least value left outside.
  auto others = least_few(values.data, values.noise, values.scale, keep + 1);
  std::erase(others, choice);
  answer.pool.reserve(std::min(keep, others.size() + 1));
  answer.pool.push_back({answer.action, answer.value});
  // least_few gave keep + 1 indices, or all: without the choice the one behind those of the pool is the rest. Where
  // ties left the choice out of them, one more is left over and the same index is right.
  const std::size_t inside = std::min(keep - 1, others.size());
  for (std::size_t i = 0; i < inside; ++i) answer.pool.push_back({p.action(others[i]), values[others[i]]});
  answer.rest = inside < others.size() ? values[others[inside]] : std::numeric_limits<double>::infinity();
  return answer;
}

}  // namespace hannan
