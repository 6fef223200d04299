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

template <Enumerable P>
Answer<typename P::Action> listed_answer(const P& p, const ListedValues& values, std::size_t keep) {
  const Least least = argmin(values.data, values.noise, values.scale);
  Answer<typename P::Action> answer{.action = p.action(least.index), .value = least.value, .floor = least.floor,
                                    .pool = {}, .rest = least.floor};
  if (keep == 0) return answer;
  // The choice first, then by value and index; rest is the least value left outside.
  auto others = least_few(values.data, values.noise, values.scale, keep + 1);
  std::erase(others, least.index);
  answer.pool.reserve(std::min(keep, others.size() + 1));
  answer.pool.push_back({answer.action, least.value});
  const std::size_t inside = std::min(keep - 1, others.size());
  for (std::size_t i = 0; i < inside; ++i) answer.pool.push_back({p.action(others[i]), values[others[i]]});
  answer.rest = inside < others.size() ? values[others[inside]] : std::numeric_limits<double>::infinity();
  return answer;
}

}  // namespace hannan
