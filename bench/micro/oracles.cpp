// Single operations of the oracles by the nanosecond; sizes as arguments.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "hannan/core/keyed_random.hpp"
#include "hannan/game/game_of.hpp"
#include "hannan/game/pool.hpp"
#include "hannan/oracles/argmin.hpp"
#include "hannan/problems/experts/experts_codec.hpp"
#include "hannan/problems/multi_unit/multi_unit_codec.hpp"
#include "hannan/problems/routing/routing_codec.hpp"
#include "hannan/problems/vcg_reserves/vcg_oracle.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

namespace hannan::detail {
namespace {

// A number in (0,1) by round and column, the same in every run.
double number(std::uint64_t round, std::uint64_t column) {
  return KeyedRandom(Key{.seed = 41}, Purpose::kTest, round).uniform(column);
}

std::vector<double> numbers(std::size_t count, std::uint64_t round = 1) {
  std::vector<double> all(count);
  KeyedRandom(Key{.seed = 41}, Purpose::kTest, round).fill_uniform(all);
  return all;
}

template <class P>
std::shared_ptr<const P> parsed(const char* params) {
  const Json json = parse_json(params);  // fields look at it
  Fields fields(json, "micro");
  return Codec<P>::parse(fields);
}

void argmin_of_data(benchmark::State& state) {
  const auto data = numbers(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(argmin(data, {}, 0));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(0) * 8);
}
BENCHMARK(argmin_of_data)->Arg(100)->Arg(65536)->Arg(1 << 22);

void argmin_of_data_and_noise(benchmark::State& state) {
  const auto data = numbers(static_cast<std::size_t>(state.range(0))), noise = numbers(data.size(), 2);
  for (auto _ : state) benchmark::DoNotOptimize(argmin(data, noise, 0.5));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * state.range(0) * 16);
}
BENCHMARK(argmin_of_data_and_noise)->Arg(100)->Arg(65536)->Arg(1 << 22);

void tabulate_adds_experts(benchmark::State& state) {
  const auto size = static_cast<std::uint64_t>(state.range(0));
  const auto problem = std::make_shared<const Experts>(size);
  const auto history = Experts::oracles(problem).front()->empty();
  const auto losses = numbers(size);
  for (auto _ : state) history->add(losses, 1.0);
}
BENCHMARK(tabulate_adds_experts)->Arg(100)->Arg(65536);

// Eager reserves over the whole list of K = m^n.
void tabulate_adds_reserves(benchmark::State& state) {
  const auto problem =
      std::make_shared<const VcgReserves>(VcgReserves::Parts{.bidders = 4, .levels = static_cast<int>(state.range(0))});
  for (const auto& oracle : VcgReserves::oracles(problem)) {
    if (oracle->name() != "tabulate") continue;
    const auto history = oracle->empty();
    std::uint64_t t = 0;
    for (auto _ : state) history->add(numbers(4, ++t), 1.0);
  }
}
BENCHMARK(tabulate_adds_reserves)->Arg(8)->Arg(16);

// One call on `profiles` different ones, nothing known beforehand.
void search_of_reserves(benchmark::State& state) {
  const VcgReserves problem({.bidders = 4, .levels = 16});
  const ReserveSearch search;
  auto data = search.empty(problem);
  const auto noise = search.empty(problem);
  for (std::int64_t t = 1; t <= state.range(0); ++t)
    search.add(problem, data, numbers(4, static_cast<std::uint64_t>(t)), 1.0);
  for (auto _ : state) {
    const auto cold = data;
    benchmark::DoNotOptimize(search.best(problem, {cold, noise, 0.0}, 0));
  }
}
BENCHMARK(search_of_reserves)->Arg(50)->Arg(200)->Arg(1000)->Unit(benchmark::kMicrosecond);

// A call of the oracle of that name after 100 rounds of `outcome`.
template <class P, class Outcome>
void call_of(benchmark::State& state, const std::shared_ptr<const P>& problem, const char* name, Outcome&& outcome) {
  for (const auto& oracle : P::oracles(problem)) {
    if (oracle->name() != name) continue;
    const auto data = oracle->empty(), noise = oracle->empty();
    for (std::uint64_t t = 1; t <= 100; ++t) data->add(outcome(t), 1.0);
    for (auto _ : state) benchmark::DoNotOptimize(oracle->best({*data, *noise, 0.0}, 0));
    return;
  }
  state.SkipWithError("no such oracle");
}

void separable_call(benchmark::State& state) {
  call_of(state, parsed<VcgReserves>(R"({"bidders":4,"levels":32,"units":2,"rule":"lazy"})"), "separable",
          [](std::uint64_t t) { return numbers(4, t); });
}
BENCHMARK(separable_call);

void dynamic_program_call(benchmark::State& state) {
  const auto problem = parsed<MultiUnit>(R"({"bidders":6,"units":60,"range":"bundles"})");
  call_of(state, problem, "dynamic_program", [&](std::uint64_t t) {
    Json profile = Json::array();
    for (std::uint64_t i = 0; i < 6; ++i)
      profile.push_back(Json::array({Json::array({Json(1 + 10 * i), Json(number(t, i))})}));
    return Codec<MultiUnit>::parse_outcome(*problem, profile, "micro");
  });
}
BENCHMARK(dynamic_program_call);

void shortest_path_call(benchmark::State& state) {
  // A grid of 8 x 8, edges to the right and down.
  Json edges = Json::array();
  for (int r = 0; r < 8; ++r) {
    for (int c = 0; c < 8; ++c) {
      if (c < 7) edges.push_back(Json::array({8 * r + c, 8 * r + c + 1}));
      if (r < 7) edges.push_back(Json::array({8 * r + c, 8 * r + c + 8}));
    }
  }
  const std::size_t count = edges.size();
  const Json params = Json::object({{"edges", std::move(edges)}, {"source", 0}, {"target", 63}});
  Fields fields(params, "micro");
  call_of(state, Codec<Routing>::parse(fields), "shortest_path", [&](std::uint64_t t) { return numbers(count, t); });
}
BENCHMARK(shortest_path_call);

// A round of the lazy leader that needs no search: the members' losses and the least of them.
void pool_round(benchmark::State& state) {
  const auto game = erased(std::make_shared<const VcgReserves>(VcgReserves::Parts{.bidders = 4, .levels = 16}));
  GameAnswer answer;
  answer.rest = 1e300;
  for (std::int64_t k = 0; k < state.range(0); ++k) {
    answer.pool.push_back({AnyAction(), 0.0});
    game->set_action(static_cast<std::uint64_t>(k) * 61, answer.pool.back().action);
  }
  Pool pool;
  pool.refill(answer);
  const AnyOutcome bids = AnyOutcome::of(VcgReserves::Outcome(numbers(4)));
  for (auto _ : state) {
    pool.observe(*game, bids);
    benchmark::DoNotOptimize(pool.leader(answer));
  }
}
BENCHMARK(pool_round)->Arg(16)->Arg(64)->Arg(256)->Arg(1024);

}  // namespace
}  // namespace hannan::detail
