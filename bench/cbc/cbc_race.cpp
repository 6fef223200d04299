// Our exact searches and COIN-OR Cbc on the same offline instances. Reads a line {"quick": 0 or 1}, answers with one:
// per family the calls a second of both, whose quotient is the median of the ratios, and a note.
//
// Cbc solves the models of tests/mip, which have the sharpest relaxation we know of. It works in a child process
// that is ended after a limit; such an instance counts with the processor time it had until then, so its ratio
// is a lower bound.
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#include "bench/stopwatch.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/io/json.hpp"
#include "hannan/problems/item_pricing/pricing_search.hpp"
#include "hannan/problems/vcg_reserves/vcg_oracle.hpp"
#include "tests/mip/pricing_mip.hpp"
#include "tests/mip/vcg_mip.hpp"

namespace hannan::detail::bench {
namespace {

constexpr double kTolerance = 1e-4;  // Cbc's own, summed over up to 1,000 profiles

struct Solved {
  double seconds = 0;
  double value = 0;
  bool optimal = false;
};

struct Pair {
  Solved ours, cbc;
  double limit = 0;
};

// The work in a child of its own, for at most so many seconds.
Solved solve_within(double limit, const std::function<Solved()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    const Solved solved = work();
    const bool written = write(ends[1], &solved, sizeof solved) == sizeof solved;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  pollfd wait{.fd = ends[0], .events = POLLIN, .revents = 0};
  Solved solved;
  const bool done = child > 0 && poll(&wait, 1, static_cast<int>(1000 * limit)) > 0 &&
                    read(ends[0], &solved, sizeof solved) == sizeof solved;
  rusage used{};
  if (child > 0) {
    // Also when it has answered: it has nothing left to do, and wait4 then never blocks.
    kill(child, SIGKILL);
    wait4(child, nullptr, 0, &used);
  }
  if (!done)
    solved = {.seconds = static_cast<double>(used.ru_utime.tv_sec) + 1e-6 * static_cast<double>(used.ru_utime.tv_usec)};
  close(ends[0]);
  return solved;
}

// The least of three times: the first call also fills caches.
template <class Call>
Solved timed_search(Call&& call) {
  Solved solved;
  solved.seconds = least_seconds(3, [&] {
    const auto answer = call();
    solved.value = answer.value;
    solved.optimal = answer.proven();
  });
  return solved;
}

struct Shape {
  int width, levels, rounds;  // bidders or items; profiles, or rounds of two buyers
};

// The same profiles for both: a search of ours and the model of tests/mip.
Pair race_reserves(const Shape& shape, double limit) {
  const KeyedRandom random(Key{.seed = 31}, Purpose::kTest,
                           static_cast<std::uint64_t>(shape.width * 100000 + shape.levels * 1000 + shape.rounds));
  const VcgReserves problem({.bidders = shape.width, .levels = shape.levels});
  ReserveSearch search;
  search.nodes = 100'000'000;
  auto data = search.empty(problem);
  const auto noise = search.empty(problem);
  mip::ReserveTask task{
      .levels = shape.levels,
      .profiles = {},
      .tables = std::vector<std::vector<double>>(static_cast<std::size_t>(shape.width),
                                                 std::vector<double>(static_cast<std::size_t>(shape.levels), 0.0))};
  std::uint64_t next = 0;
  for (int t = 0; t < shape.rounds; ++t) {
    std::vector<double> bids(static_cast<std::size_t>(shape.width));
    for (double& bid : bids) bid = random.uniform(next++);
    search.add(problem, data, bids, 1.0);
    task.profiles.emplace_back(bids, 1.0);
  }
  // A search leaves a warm start in the history: each measurement gets a copy that has seen none.
  const Solved ours = timed_search([&] {
    const auto cold = data;
    return search.best(problem, {cold, noise, 0.0}, 1);
  });
  const Solved cbc = solve_within(limit, [&] {
    const Stopwatch watch;
    const auto answer = mip::solve_reserves(task);
    return Solved{.seconds = watch.seconds(), .value = answer.value, .optimal = answer.optimal};
  });
  return {ours, cbc, limit};
}

// Values of both are losses; Cbc's model leaves the constant of a round out, which is added here.
Pair race_pricing(const Shape& shape, double limit) {
  constexpr int kBuyers = 2;
  const KeyedRandom random(Key{.seed = 32}, Purpose::kTest,
                           static_cast<std::uint64_t>(shape.width * 100000 + shape.levels * 1000 + shape.rounds));
  const ItemPricing problem({.items = shape.width, .levels = shape.levels, .buyers = kBuyers});
  BundleSearch search;
  search.nodes = 100'000'000;
  auto data = search.empty(problem);
  const auto noise = search.empty(problem);
  mip::PricingTask task{
      .levels = shape.levels,
      .buyers = {},
      .tables = std::vector<std::vector<double>>(static_cast<std::size_t>(shape.width),
                                                 std::vector<double>(static_cast<std::size_t>(shape.levels), 0.0))};
  std::uint64_t next = 0;
  for (int t = 0; t < shape.rounds; ++t) {
    ItemPricing::Outcome y(kBuyers);
    for (Buyer& buyer : y) {
      for (auto left = 1 + random.below(next++, 3); left > 0; --left) {
        buyer.bundle |= std::uint32_t{1} << random.below(next++, static_cast<std::uint64_t>(shape.width));
      }
      buyer.value = random.uniform(next++);
      task.buyers.push_back({buyer.bundle, buyer.value, 1.0 / kBuyers});
    }
    search.add(problem, data, y, 1.0);
  }
  const Solved ours = timed_search([&] {
    const auto cold = data;
    return search.best(problem, {cold, noise, 0.0}, 1);
  });
  const Solved cbc = solve_within(limit, [&] {
    const Stopwatch watch;
    const auto answer = mip::solve_pricing(task);
    return Solved{.seconds = watch.seconds(), .value = answer.value + shape.rounds, .optimal = answer.optimal};
  });
  return {ours, cbc, limit};
}

// The median instance stands for the family; an instance that Cbc did not finish counts with a lower bound of its
// ratio.
// Optima of both are compared, so that a race is also a test; `different` must be 0.
Json family(const std::vector<Shape>& shapes, Pair (*race)(const Shape&, double), double limit) {
  std::vector<std::pair<double, Pair>> pairs;
  int compared = 0, unproven = 0, different = 0;
  std::string each;
  for (const Shape& shape : shapes) {
    const Pair pair = race(shape, limit);
    compared += pair.cbc.optimal && pair.ours.optimal;
    unproven += !pair.ours.optimal;
    different += pair.cbc.optimal && pair.ours.optimal && std::abs(pair.cbc.value - pair.ours.value) > kTolerance;
    const double ratio = pair.cbc.seconds / pair.ours.seconds;
    pairs.emplace_back(ratio, pair);
    char text[96];
    std::snprintf(text, sizeof text, "%s%d/%d/%d %s%.0fx", each.empty() ? "" : ", ", shape.width, shape.levels,
                  shape.rounds, pair.cbc.optimal ? "" : ">=", ratio);
    each += text;
    std::fprintf(stderr, "%s: ours %.4f s, Cbc %.2f s\n", text, pair.ours.seconds, pair.cbc.seconds);
  }
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const Pair& middle = pairs[(pairs.size() - 1) / 2].second;  // of an even number the lower one
  std::string note = "the median of " + std::to_string(shapes.size()) + " instances; " + std::to_string(compared) +
                     " optima compared, " + std::to_string(different) + " differ; Cbc ended unproven after " +
                     std::to_string(static_cast<int>(limit)) + " s in " +
                     std::to_string(static_cast<int>(shapes.size()) - compared);
  if (unproven > 0) note += "; ours unproven in " + std::to_string(unproven);
  return Json::object({{"ours", 1 / middle.ours.seconds},
                       {"rival", 1 / middle.cbc.seconds},
                       {"note", note + "; width/levels/rounds: " + each}});
}

int run() {
  std::string line;
  std::getline(std::cin, line);
  const bool quick = parse_json(line).at("quick").as_number() != 0;
  const double limit = quick ? 5 : 15;
  const std::vector<Shape> reserves = quick
                                          ? std::vector<Shape>{{2, 6, 10}}
                                          : std::vector<Shape>{{4, 16, 200}, {4, 16, 500}, {4, 16, 1000}, {4, 32, 200},
                                                               {5, 16, 200}, {5, 32, 200}, {6, 16, 200}};
  // Instances small enough for Cbc to finish, so that the optima can be compared.
  const std::vector<Shape> small =
      quick ? std::vector<Shape>{{2, 4, 6}} : std::vector<Shape>{{4, 16, 20}, {4, 16, 40}, {3, 32, 40}};
  const std::vector<Shape> pricing =
      quick ? std::vector<Shape>{{2, 6, 5}}
            : std::vector<Shape>{{4, 16, 100}, {4, 16, 250}, {4, 32, 100}, {5, 16, 100}, {6, 16, 100}};
  const Json answer = Json::object({{"reserves", family(reserves, race_reserves, limit)},
                                    {"reserves-small", family(small, race_reserves, limit)},
                                    {"pricing", family(pricing, race_pricing, limit)}});
  std::puts(dump(answer).c_str());
  return 0;
}

}  // namespace
}  // namespace hannan::detail::bench

int main() { return hannan::detail::bench::run(); }
