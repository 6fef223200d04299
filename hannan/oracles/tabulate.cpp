// What Tabulate asks of lists of numbers, compiled once: the scans of argmin.hpp and least_few.hpp.
#include "hannan/oracles/tabulate.hpp"

#include "hannan/core/interruption.hpp"
#include "hannan/oracles/argmin.hpp"
#include "hannan/oracles/least_few.hpp"

namespace hannan::detail {

ListedLeast least_listed(const ListedValues& values) {
  const Least least = argmin(values.data, values.noise, values.scale);
  return {least.index, least.value, least.floor};
}

std::vector<std::size_t> few_listed(const ListedValues& values, std::size_t few) {
  return least_few(values.data, values.noise, values.scale, few);
}

void listed_point() { interruption_point(); }

}  // namespace hannan::detail
