#include "bench/instances.hpp"

#include <array>

#include "hannan/core/error.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/streams/market_source.hpp"

namespace hannan::bench {
namespace {

struct Line {
  std::string_view kind;
  std::string_view params;
};

constexpr std::array<Line, 11> kSmall{{
    {"experts", R"({"experts":12})"},
    {"finite-game", R"({"losses":[[0,1,0.5],[1,0,0.5],[0.25,0.75,0],[0.5,0.5,1]]})"},
    {"vcg-reserves", R"({"bidders":3,"levels":6})"},
    {"item-pricing", R"({"items":3,"levels":5,"buyers":2,"demand":"single"})"},
    {"multi-unit", R"({"bidders":3,"units":6,"range":"bundles"})"},
    {"second-price-bidding",
     R"({"items":2,"levels":6,"valuation":[{"items":[0],"value":4},{"items":[1],"value":3},{"items":[0,1],"value":6}]})"},
    {"security-game", R"({"targets":3,"levels":5,"resources":1,"types":[
        {"attacker":{"covered":[-1,-0.5,-0.25],"uncovered":[1,0.5,0.25]},"defender":{"covered":[1,0.5,0],"uncovered":[-1,-1,-0.5]}},
        {"attacker":{"covered":[0,0,0],"uncovered":[0.25,1,0.75]},"defender":{"covered":[0.5,0.5,0.5],"uncovered":[0,-1,-0.25]}},
        {"attacker":{"covered":[0,-0.5,0],"uncovered":[0.5,0.25,1]},"defender":{"covered":[0,0.5,0.25],"uncovered":[-0.5,-0.25,-1]}}]})"},
    {"threshold-bidding",
     R"({"items":2,"levels":5,"valuation":[{"items":[0],"value":3},{"items":[1],"value":2},{"items":[0,1],"value":4}],
        "prices":[[0.25,0.5],["1/3","2/3"],[0,0.5],[0.5,0.125],[0.5,0.375]]})"},
    {"level-auction", R"({"bidders":2,"levels":4,"thresholds":2})"},
    {"routing",
     R"({"edges":[[0,1],[1,2],[0,3],[1,4],[2,5],[3,4],[4,5],[3,6],[4,7],[5,8],[6,7],[7,8]],"source":0,"target":8})"},
    {"classification", R"({"points":[[0,2],[1,1],[2,0],[2,2],[0,2],[3,1],[1,3]],"hypotheses":"stumps"})"},
}};

// Sizes at which 10^6 rounds take seconds. The histories are finite: a number per action, edge, coordinate
// and level, or a weight per possible outcome.
constexpr std::array<Line, 8> kFlat{{
    {"experts", R"({"experts":100})"},
    {"finite-game",
     R"({"losses":[[0,1,0.5,0.3],[1,0,0.5,0.2],[0.25,0.75,0,0.9],[0.5,0.5,1,0],[0.1,0.6,0.7,0.8],[0.9,0.2,0.4,0.6]]})"},
    {"vcg-reserves", R"({"bidders":4,"levels":32,"units":2,"rule":"lazy"})"},
    {"multi-unit", R"({"bidders":4,"units":16,"range":"bundles"})"},
    {"security-game", R"({"targets":4,"levels":8,"resources":1,"types":[
        {"attacker":{"covered":[-1,-0.5,-0.25,0],"uncovered":[1,0.5,0.25,0.5]},"defender":{"covered":[1,0.5,0,0],"uncovered":[-1,-1,-0.5,-0.25]}},
        {"attacker":{"covered":[0,0,0,-1],"uncovered":[0.25,1,0.75,0.5]},"defender":{"covered":[0.5,0.5,0.5,0.5],"uncovered":[0,-1,-0.25,-1]}}]})"},
    {"threshold-bidding",
     R"({"items":3,"levels":8,"valuation":[{"items":[0],"value":3},{"items":[1],"value":2},{"items":[2],"value":3},
        {"items":[0,1],"value":4},{"items":[0,2],"value":6},{"items":[1,2],"value":5},{"items":[0,1,2],"value":7}],
        "prices":[[0.25,0.5,0.125],["1/3","1/3","1/3"],[0,0.5,0.5],[0.5,0.125,0.5],[0.125,0.25,0.375]]})"},
    {"routing",
     R"({"edges":[[0,1],[0,5],[1,2],[1,6],[2,3],[2,7],[3,4],[3,8],[4,9],[5,6],[5,10],[6,7],[6,11],[7,8],[7,12],[8,9],[8,13],[9,14],
        [10,11],[10,15],[11,12],[11,16],[12,13],[12,17],[13,14],[13,18],[14,19],[15,16],[15,20],[16,17],[16,21],[17,18],[17,22],[18,19],[18,23],[19,24],[20,21],[21,22],[22,23],[23,24]],"source":0,"target":24})"},
    {"classification",
     R"({"points":[[0],[1],[2],[3],[4],[5],[6],[7],[8],[9],[10],[11],[12],[13],[14],[15]],"hypotheses":"stumps"})"},
}};

// Each outcome of the list has a popularity; of three draws the most popular one comes.
std::vector<Json> listed_deck(const Json& all, const DeckSpec& spec) {
  const KeyedRandom popularity(Key{.seed = 1000 + spec.law}, Purpose::kStream, 0);
  std::vector<Json> cards;
  for (std::uint64_t t = 1; t <= spec.count; ++t) {
    const KeyedRandom random(Key{.seed = spec.seed, .run = spec.law}, Purpose::kStream, t);
    std::uint64_t chosen = random.below(0, all.size());
    for (std::uint64_t i = 1; i < 3; ++i) {
      const std::uint64_t other = random.below(i, all.size());
      if (popularity.uniform(other) > popularity.uniform(chosen)) chosen = other;
    }
    cards.push_back(all[chosen]);
  }
  return cards;
}

std::vector<Json> drawn(Source& source, std::uint64_t count) {
  std::vector<Json> cards(count);
  for (Json& card : cards) source.next(card);
  return cards;
}

}  // namespace

std::unique_ptr<AnyProblem> instance(std::string_view kind, InstanceSize size) {
  const std::span<const Line> lines =
      size == InstanceSize::kSmall ? std::span<const Line>(kSmall) : std::span<const Line>(kFlat);
  for (const Line& line : lines) {
    if (line.kind == kind) return make_problem(std::string(kind), parse_json(line.params), "bench");
  }
  throw Error(Code::kUnavailable,
              "the benchmark has no instance of \"" + std::string(kind) + "\"; add one to bench/instances.cpp",
              "bench");
}

std::vector<std::string_view> flat_kinds() {
  std::vector<std::string_view> kinds;
  for (const Line& line : kFlat) kinds.push_back(line.kind);
  return kinds;
}

std::unique_ptr<AnyProblem> largest_instance(std::string_view kind) {
  for (const Line& line : kFlat) {
    if (line.kind == kind) return instance(kind, InstanceSize::kFlat);
  }
  return instance(kind, InstanceSize::kSmall);
}

std::vector<Json> deck(const AnyProblem& problem, const DeckSpec& spec) {
  const Key key{.seed = spec.seed, .run = spec.law};
  if (problem.kind() == "experts") {
    const auto experts = static_cast<std::uint64_t>(problem.params().at("experts").as_number());
    return drawn(
        *simulated_source(make_loss_stream({.name = "iid", .experts = experts, .rounds = spec.count, .key = key})),
        spec.count);
  }
  const Json all = problem.outcomes();
  if (all.is_array()) return listed_deck(all, spec);
  const MarketSpec market{.name = spec.law % 2 ? "uniform" : "lognormal", .key = key};
  return drawn(*market_source(problem, {.market = market, .rounds = spec.count}), spec.count);
}

std::vector<double> row_of(const AnyProblem& problem, const Json& outcome) {
  std::vector<double> row;
  if (problem.row_width() == 0) return row;
  if (outcome.is_number()) row.push_back(outcome.as_number());
  if (outcome.is_object()) {
    for (const auto& [name, value] : outcome.as_object()) row.push_back(value.as_number());
  }
  if (outcome.is_array()) {
    for (const Json& value : outcome.as_array()) row.push_back(value.as_number());
  }
  return row;
}

}  // namespace hannan::bench
