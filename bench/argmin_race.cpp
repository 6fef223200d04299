// The scan over one number per action against the machine's read bandwidth, measured beside it: both read the
// same array, in turns, so that a neighbour's load falls on both.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/oracles/argmin.hpp"

namespace hannan::detail::bench {
namespace {

// Reads every number; 16 sums hide the latency of one, so that memory is the limit.
double read_all(const std::vector<double>& data) {
  double sums[16] = {};
  std::size_t k = 0;
  for (; k + 16 <= data.size(); k += 16) {
    for (std::size_t i = 0; i < 16; ++i) sums[i] += data[k + i];
  }
  for (; k < data.size(); ++k) sums[0] += data[k];
  double sum = 0;
  for (const double s : sums) sum += s;
  return sum;
}

volatile double sink;  // what is measured must not be optimised away

}  // namespace

std::vector<Row> argmin_race(const Setting& setting) {
  const auto actions = setting.pick<std::size_t>(100'000'000, 100'000);
  const int times = setting.pick(7, 2);
  std::vector<double> data(actions), noise(actions);
  const KeyedRandom random(Key{.seed = 4}, Purpose::kTest, 1);
  random.fill_uniform(data);
  std::reverse_copy(data.begin(), data.end(), noise.begin());
  const double bytes = 8 * static_cast<double>(actions);

  const double infinite = std::numeric_limits<double>::infinity();
  double read = infinite, plain = infinite, perturbed = infinite, read_both = infinite;
  for (int i = 0; i < times; ++i) {
    setting.say(fmt::format("argmin: pass {} of {}", i + 1, times));
    read = std::min(read, least_seconds(1, [&] { sink = read_all(data); }));
    plain = std::min(plain, least_seconds(1, [&] { sink = argmin(data, {}, 0).value; }));
    read_both = std::min(read_both, least_seconds(1, [&] { sink = read_all(data) + read_all(noise); }));
    perturbed = std::min(perturbed, least_seconds(1, [&] { sink = argmin(data, noise, 0.5).value; }));
  }
  const Goal goal{.ratio = 0.8};
  return {{.name = "argmin/plain",
           .unit = "GB/s",
           .ours = bytes / plain / 1e9,
           .rival = bytes / read / 1e9,
           .goal = goal,
           .note = fmt::format("a sum over the same {} numbers", actions)},
          {.name = "argmin/perturbed",
           .unit = "GB/s",
           .ours = 2 * bytes / perturbed / 1e9,
           .rival = 2 * bytes / read_both / 1e9,
           .goal = goal,
           .note = "data and noise; a sum over both"}};
}

}  // namespace hannan::detail::bench
