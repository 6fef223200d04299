#include "tests/conformance/instances.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

namespace hannan::conformance {
namespace {

std::uint64_t whole(const Json& params, const char* name) {
  return static_cast<std::uint64_t>(params.at(name).as_number());
}

// A number in [0,1]: an end, a point of the grid of 1/m, or anything. Rules break at ends and on grids.
double unit(const KeyedRandom& random, std::uint64_t column, std::uint64_t levels) {
  const std::uint64_t kind = random.below(3 * column, 4);
  if (kind == 0) return static_cast<double>(random.below(3 * column + 1, 2));
  if (kind == 3) return random.uniform(3 * column + 1);
  return static_cast<double>(random.below(3 * column + 1, levels + 1)) / static_cast<double>(levels);
}

Json units(const KeyedRandom& random, std::uint64_t count, std::uint64_t levels) {
  Json list = Json::array();
  for (std::uint64_t i = 0; i < count; ++i) list.push_back(unit(random, i, levels));
  return list;
}

Json expert_losses(const Json& params, const KeyedRandom& random) { return units(random, whole(params, "experts"), 4); }

Json table_column(const Json& params, const KeyedRandom& random) {
  const Json* table = params.find("losses");
  return Json(random.below(0, (table ? *table : params.at("rewards"))[0].size()));
}

Json bids(const Json& params, const KeyedRandom& random) {
  return units(random, whole(params, "bidders"), whole(params, "levels"));
}

Json bids_with_phantom(const Json& params, const KeyedRandom& random) {
  return units(random, whole(params, "bidders") + random.below(1000, 2), whole(params, "levels"));
}

Json prices(const Json& params, const KeyedRandom& random) {
  return units(random, whole(params, "items"), whole(params, "levels"));
}

Json single_minded_buyers(const Json& params, const KeyedRandom& random) {
  Json buyers = Json::array();
  const std::uint64_t items = whole(params, "items"), count = random.below(1000, whole(params, "buyers") + 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    Json bundle = Json::array();
    for (std::uint64_t j = 0; j < items; ++j) {
      if (random.below(2000 + i * items + j, 2)) bundle.push_back(j);
    }
    buyers.push_back(
        Json::object({{"bundle", std::move(bundle)}, {"value", unit(random, i, whole(params, "levels"))}}));
  }
  return buyers;
}

Json unit_demand_buyers(const Json& params, const KeyedRandom& random) {
  Json buyers = Json::array();
  const std::uint64_t items = whole(params, "items"), count = random.below(1000, whole(params, "buyers") + 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    Json values = Json::array();
    for (std::uint64_t j = 0; j < items; ++j) values.push_back(unit(random, i * items + j, whole(params, "levels")));
    buyers.push_back(std::move(values));
  }
  return buyers;
}

Json edge_costs(const Json& params, const KeyedRandom& random) { return units(random, params.at("edges").size(), 4); }

// Non-decreasing values of 0..h units, worth nothing at 0, or the same as steps.
Json valuations(const Json& params, const KeyedRandom& random) {
  const std::uint64_t units_sold = whole(params, "units");
  Json all = Json::array();
  for (std::uint64_t i = 0; i < whole(params, "bidders"); ++i) {
    std::vector<double> values(units_sold + 1, 0.0);
    for (std::uint64_t q = 1; q <= units_sold; ++q) values[q] = unit(random, i * units_sold + q, 4);
    std::sort(values.begin(), values.end());
    if (random.below(1000 + i, 2)) {
      all.push_back(Json(values));
      continue;
    }
    Json steps = Json::array();
    for (std::uint64_t q = 1; q <= units_sold; ++q) {
      if (values[q] > values[q - 1]) steps.push_back(Json::array({Json(q), Json(values[q])}));
    }
    all.push_back(std::move(steps));
  }
  return all;
}

Json labelled_point(const Json& params, const KeyedRandom& random) {
  const Json* points = params.find("points");
  const std::size_t count = points ? points->size() : params.at("predictions")[0].size();
  return Json::object({{"point", random.below(0, count)}, {"label", random.below(1, 2)}});
}

Json type_index(const Json& params, const KeyedRandom& random) {
  return Json(random.below(0, params.at("types").size()));
}

Json price_index(const Json& params, const KeyedRandom& random) {
  return Json(random.below(0, params.at("prices").size()));
}

const std::map<std::string, std::vector<Instance>, std::less<>>& all_instances() {
  static const std::map<std::string, std::vector<Instance>, std::less<>> all{
      {"experts",
       {{R"({"experts":1})", expert_losses},
        {R"({"experts":2})", expert_losses},
        {R"({"experts":13})", expert_losses},
        {R"({"experts":4,"matrix":[[0,1],[1,0],[0.5,0.5],[-1,2]]})", expert_losses}}},
      {"finite-game",
       {{R"({"losses":[[0.5]]})", table_column},
        {R"({"losses":[[0,1,0.5],[1,0,0.5],[0.25,0.75,0],[0.5,0.5,1]]})", table_column},
        {R"({"rewards":[[0,1],[1,0],["1/3","1/3"],[1,0]]})", table_column},
        {R"({"losses":[[0,1],[1,0],[0.5,0.25]],"columns":[[[1,0]],[[-0.5,0],[2,1]]],"matrix":[[0],[0.5],[1]]})",
         table_column}}},
      {"vcg-reserves",
       {{R"({"bidders":1,"levels":1,"units":1,"rule":"eager"})", bids},
        {R"({"bidders":3,"levels":4,"units":1,"rule":"eager"})", bids},
        {R"({"bidders":3,"levels":3,"units":2,"rule":"eager"})", bids},
        {R"({"bidders":2,"levels":5,"units":3,"rule":"eager"})", bids},
        {R"({"bidders":3,"levels":4,"units":2,"rule":"lazy"})", bids}}},
      {"item-pricing",
       {{R"({"items":1,"levels":1,"buyers":1,"demand":"single"})", single_minded_buyers},
        {R"({"items":3,"levels":4,"buyers":3,"demand":"single"})", single_minded_buyers},
        {R"({"items":2,"levels":5,"buyers":2,"demand":"unit"})", unit_demand_buyers},
        {R"({"items":3,"levels":3,"buyers":3,"demand":"unit"})", unit_demand_buyers}}},
      {"multi-unit",
       {{R"({"bidders":1,"units":1,"range":"bundles"})", valuations},
        {R"({"bidders":2,"units":5,"range":"bundles"})", valuations},
        {R"({"bidders":3,"units":4,"range":"all"})", valuations}}},
      {"second-price-bidding",
       {{R"({"items":1,"levels":3,"valuation":[{"items":[0],"value":2}]})", prices},
        {R"({"items":2,"levels":4,"valuation":[{"items":[0],"value":3},{"items":[1],"value":2},{"items":[0,1],"value":4}]})",
         prices},
        {R"({"items":2,"levels":5,"valuation":[{"items":[0],"value":0},{"items":[1],"value":3},{"items":[0,1],"value":3}]})",
         prices}}},
      {"security-game",
       {{R"({"targets":1,"levels":3,"resources":1,"types":[{"attacker":{"covered":[0],"uncovered":[1]},"defender":{"covered":[1],"uncovered":[-1]}}]})",
         type_index},
        {R"({"targets":3,"levels":4,"resources":1,"types":[
             {"attacker":{"covered":[-1,-0.5,-0.25],"uncovered":[1,0.5,0.25]},"defender":{"covered":[1,0.5,0],"uncovered":[-1,-1,-0.5]}},
             {"attacker":{"covered":[0,0,0],"uncovered":[0.25,1,0.75]},"defender":{"covered":[0.5,0.5,0.5],"uncovered":[0,-1,-0.25]}}]})",
         type_index},
        {R"({"targets":4,"levels":3,"resources":2,"types":[
             {"attacker":{"covered":["-1/3",0,0,-1],"uncovered":[1,1,1,1]},"defender":{"covered":["1/3",0,0,1],"uncovered":[-1,-1,-1,-1]}},
             {"attacker":{"covered":[0.5,0,0.1,0.2],"uncovered":[0,0,0.1,0.7]},"defender":{"covered":[0,0,0,0],"uncovered":[0.5,0,-0.5,-1]}},
             {"attacker":{"covered":[0,0,0,0],"uncovered":[0,0,0,0]},"defender":{"covered":[1,1,1,1],"uncovered":[-1,-1,-1,-1]}}]})",
         type_index},
        {R"({"targets":2,"levels":5,"resources":1,"actions":[[5,0],[0,0],[2,3],[0,5],[2,3]],"types":[
             {"attacker":{"covered":[-1,-1],"uncovered":[1,0.5]},"defender":{"covered":[1,1],"uncovered":[-1,-0.5]}},
             {"attacker":{"covered":[0,0],"uncovered":[0.5,1]},"defender":{"covered":[0,0],"uncovered":[-0.5,-1]}}]})",
         type_index}}},
      {"threshold-bidding",
       {{R"({"items":1,"levels":1,"valuation":[{"items":[0],"value":1}],"prices":[[0.5]]})", price_index},
        {R"({"items":2,"levels":4,"valuation":[{"items":[0],"value":3},{"items":[1],"value":2},{"items":[0,1],"value":4}],
             "prices":[[0.25,0.5],["1/3","2/3"],[0,1],[0.5,7],[1,1]]})",
         price_index},
        {R"({"items":3,"levels":3,"valuation":[{"items":[0],"value":0},{"items":[1],"value":1},{"items":[2],"value":1},{"items":[0,1],"value":3},
             {"items":[0,2],"value":1},{"items":[1,2],"value":2},{"items":[0,1,2],"value":3}],
             "prices":[["1/3","1/3","1/3"],[0.1,0.7,0.1],[0,0,0.9],[0.4,2,0.4]]})",
         price_index},
        {R"({"items":2,"levels":5,"valuation":[{"items":[0],"value":3},{"items":[1],"value":2},{"items":[0,1],"value":3}],
             "prices":[[0.9,0.1],[0.2,0.6]],"actions":[[5,5],[0,0],[1,3],[5,0],[1,3]]})",
         price_index}}},
      {"level-auction",
       {{R"({"bidders":1,"levels":1,"thresholds":1})", bids_with_phantom},
        {R"({"bidders":2,"levels":4,"thresholds":2})", bids_with_phantom},
        {R"({"bidders":3,"levels":3,"thresholds":1})", bids_with_phantom}}},
      {"routing",
       {{R"({"edges":[[0,1]],"source":0,"target":1})", edge_costs},
        {R"({"edges":[["s","a"],["a","t"],["s","b"],["b","t"],["a","b"],["s","t"],["b","c"],["t","s"],["s","a"]],"source":"s","target":"t"})",
         edge_costs},
        {R"({"edges":[[0,1],[1,2],[0,3],[1,4],[2,5],[3,4],[4,5],[3,6],[4,7],[5,8],[6,7],[7,8]],"source":0,"target":8})",
         edge_costs},
        {R"({"edges":[[0,1],[1,2],[2,3],[0,2],[1,3],[0,3]],"source":0,"target":3,"hops":2})", edge_costs},
        {R"({"edges":[[0,1],[1,0],[1,1],[1,2],[0,2]],"source":0,"target":2,"hops":5})", edge_costs}}},
      {"classification",
       {{R"({"predictions":[[1]]})", labelled_point},
        {R"({"predictions":[[1,0,1],[0,0,1],[1,0,1],[1,1,0]]})", labelled_point},
        {R"({"points":[[3],[1],[2],[1],[0.5]],"hypotheses":"thresholds"})", labelled_point},
        {R"({"points":[[0,2],[1,1],[2,0],[2,2],[0,2]],"hypotheses":"stumps"})", labelled_point},
        {R"({"points":[[0,2],[1,1],[2,0],[1,2],[0,2]],"hypotheses":"stumps","categories":[["a","b","c"],null],"names":["kind","size"]})",
         labelled_point},
        {R"({"points":[[0,0],[1,2],[2,1],[3,3]],"hypotheses":"rectangles"})", labelled_point},
        {R"({"points":[[0,0],[1,0],[2,0],[0,1],[1,1],[1,1]],"hypotheses":"halfplanes"})", labelled_point},
        {R"({"points":[[0,0],[1,2],[2,1],[3,2],[3,0]],"hypotheses":"trees2"})", labelled_point},
        {R"({"points":[[0,0],[1,2],[2,1],[1,0]],"hypotheses":"trees2","categories":[["a","b","c"],null]})",
         labelled_point}}},
  };
  return all;
}

}  // namespace

std::span<const Instance> instances_of(std::string_view kind) {
  const auto found = all_instances().find(kind);
  if (found == all_instances().end()) return {};
  return found->second;
}

Json params_of(const Instance& instance) { return parse_json(instance.params); }

Json outcome_of(const Instance& instance, std::uint64_t i) {
  return instance.outcome(params_of(instance), KeyedRandom(Key{.seed = 20}, Purpose::kTest, i));
}

}  // namespace hannan::conformance
