// Security games from and to JSON. The number of types is checked before any of them is read, so that a file that is
// far too large is refused at once; payoffs are checked against the number of targets where they stand, so that the
// message names the type and the side.
#include "hannan/problems/security_game/security_game_codec.hpp"

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/problems/action_list_codec.hpp"

namespace hannan::detail {
namespace {

SecurityGame::Payoffs parse_payoffs(Fields fields, std::size_t targets) {
  SecurityGame::Payoffs payoffs{fields.numbers("covered", SecurityGame::kPayoff),
                                fields.numbers("uncovered", SecurityGame::kPayoff)};
  fields.done();
  for (const char* name : {"covered", "uncovered"}) {
    const std::size_t found = (name[0] == 'c' ? payoffs.covered : payoffs.uncovered).size();
    if (found == targets) continue;
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(found) + " payoffs, expected one per target, " + std::to_string(targets),
                fields.at(name));
  }
  return payoffs;
}

Json payoffs_json(const SecurityGame::Payoffs& payoffs) {
  return Json::object({{"covered", payoffs.covered}, {"uncovered", payoffs.uncovered}});
}

}  // namespace

// Targets and levels first, because they say how long payoffs and actions are and how many types there may be.
std::shared_ptr<const SecurityGame> Codec<SecurityGame>::parse(Fields& params) {
  SecurityGame::Parts parts{.targets = static_cast<int>(params.integer("targets", {1, SecurityGame::kMaxTargets})),
                            .levels = static_cast<int>(params.integer("levels", {1, SecurityGame::kMaxLevels})),
                            .resources = 0,
                            .types = {},
                            .actions = {}};
  parts.resources = static_cast<int>(params.integer("resources", {0, parts.targets}));  // at most one per target
  const auto targets = static_cast<std::size_t>(parts.targets);
  const auto& types = params.list("types");
  made_from(params, [&] { SecurityGame::expect_type_count(parts, types.size()); });
  for (std::size_t y = 0; y < types.size(); ++y) {
    Fields type(types[y], path_of(params.at("types"), y));
    SecurityGame::Payoffs attacker = parse_payoffs(type.fields("attacker"), targets);
    SecurityGame::Payoffs defender = parse_payoffs(type.fields("defender"), targets);
    type.done();
    parts.types.push_back({std::move(attacker), std::move(defender)});
  }
  if (const Json* given = params.maybe("actions")) {
    parts.actions = parse_action_list(*given, params.at("actions"), {.width = targets, .levels = parts.levels});
  }
  return made_from(params, [&] { return std::make_shared<const SecurityGame>(std::move(parts)); });
}

Json Codec<SecurityGame>::params(const SecurityGame& p) {
  const SecurityGame::Parts& parts = p.parts();
  Json types = Json::array();
  for (const auto& type : parts.types) {
    types.push_back(
        Json::object({{"attacker", payoffs_json(type.attacker)}, {"defender", payoffs_json(type.defender)}}));
  }
  Json json = Json::object({{"targets", parts.targets},
                            {"levels", parts.levels},
                            {"resources", parts.resources},
                            {"types", std::move(types)}});
  if (parts.actions.given()) json.set("actions", action_list_json(parts.actions));
  return json;
}

Json Codec<SecurityGame>::action_json(const SecurityGame&, const SecurityGame::Action& x) { return Json(x.levels); }

// Of the grid an action must use the whole budget; of a given list it must be one of that list.
SecurityGame::Action Codec<SecurityGame>::parse_action(const SecurityGame& p, const Json& json, std::string_view path) {
  const auto numbers = to_integers(json, path, {0, p.levels()});
  if (numbers.size() != static_cast<std::size_t>(p.targets())) {
    throw Error(Code::kBadAction,
                "found " + std::to_string(numbers.size()) + " integers, expected one per target, " +
                    std::to_string(p.targets()),
                std::string(path));
  }
  SecurityGame::Action x{0, std::vector<int>(numbers.begin(), numbers.end())};
  if (p.parts().actions.given()) return listed_action(p.parts().actions, std::move(x.levels), json, path);
  const int sum = std::accumulate(x.levels.begin(), x.levels.end(), 0);
  if (sum != p.budget()) {
    throw Error(Code::kBadAction,
                "found coverage that sums to " + std::to_string(sum) + ", expected resources * levels, " +
                    std::to_string(p.budget()),
                std::string(path));
  }
  return x;
}

Json Codec<SecurityGame>::outcome_json(const SecurityGame&, const SecurityGame::Outcome& y) { return Json(y); }

// An outcome is the number of a type, from 0.
SecurityGame::Outcome Codec<SecurityGame>::parse_outcome(const SecurityGame& p, const Json& json,
                                                         std::string_view path) {
  return static_cast<SecurityGame::Outcome>(to_integer(json, path, {0, static_cast<std::int64_t>(p.types()) - 1}));
}

ProblemInstances Codec<SecurityGame>::instances() {
  return {
      .tested =
          {R"({"targets":1,"levels":3,"resources":1,"types":[{"attacker":{"covered":[0],"uncovered":[1]},"defender":{"covered":[1],"uncovered":[-1]}}]})",
           R"({"targets":3,"levels":4,"resources":1,"types":[
             {"attacker":{"covered":[-1,-0.5,-0.25],"uncovered":[1,0.5,0.25]},"defender":{"covered":[1,0.5,0],"uncovered":[-1,-1,-0.5]}},
             {"attacker":{"covered":[0,0,0],"uncovered":[0.25,1,0.75]},"defender":{"covered":[0.5,0.5,0.5],"uncovered":[0,-1,-0.25]}}]})",
           R"({"targets":4,"levels":3,"resources":2,"types":[
             {"attacker":{"covered":["-1/3",0,0,-1],"uncovered":[1,1,1,1]},"defender":{"covered":["1/3",0,0,1],"uncovered":[-1,-1,-1,-1]}},
             {"attacker":{"covered":[0.5,0,0.1,0.2],"uncovered":[0,0,0.1,0.7]},"defender":{"covered":[0,0,0,0],"uncovered":[0.5,0,-0.5,-1]}},
             {"attacker":{"covered":[0,0,0,0],"uncovered":[0,0,0,0]},"defender":{"covered":[1,1,1,1],"uncovered":[-1,-1,-1,-1]}}]})",
           R"({"targets":2,"levels":5,"resources":1,"actions":[[5,0],[0,0],[2,3],[0,5],[2,3]],"types":[
             {"attacker":{"covered":[-1,-1],"uncovered":[1,0.5]},"defender":{"covered":[1,1],"uncovered":[-1,-0.5]}},
             {"attacker":{"covered":[0,0],"uncovered":[0.5,1]},"defender":{"covered":[0,0],"uncovered":[-0.5,-1]}}]})"},
      .signature = R"({"targets":3,"levels":5,"resources":1,"types":[
        {"attacker":{"covered":[-1,-0.5,-0.25],"uncovered":[1,0.5,0.25]},"defender":{"covered":[1,0.5,0],"uncovered":[-1,-1,-0.5]}},
        {"attacker":{"covered":[0,0,0],"uncovered":[0.25,1,0.75]},"defender":{"covered":[0.5,0.5,0.5],"uncovered":[0,-1,-0.25]}},
        {"attacker":{"covered":[0,-0.5,0],"uncovered":[0.5,0.25,1]},"defender":{"covered":[0,0.5,0.25],"uncovered":[-0.5,-0.25,-1]}}]})",
      .flat = R"({"targets":4,"levels":8,"resources":1,"types":[
        {"attacker":{"covered":[-1,-0.5,-0.25,0],"uncovered":[1,0.5,0.25,0.5]},"defender":{"covered":[1,0.5,0,0],"uncovered":[-1,-1,-0.5,-0.25]}},
        {"attacker":{"covered":[0,0,0,-1],"uncovered":[0.25,1,0.75,0.5]},"defender":{"covered":[0.5,0.5,0.5,0.5],"uncovered":[0,-1,-0.25,-1]}}]})"};
}

ProblemHelp Codec<SecurityGame>::help() {
  using enum ParameterHelp::Need;
  return {
      .parameters = {{"targets", "how many can be attacked", "1", kNeeded},
                     {"levels", "coverage in steps of 1/levels", "10", kNeeded},
                     {"resources", "how many targets can be covered at once", "1", kNeeded},
                     {"types", "for each type of attacker the payoffs of attacker and defender, covered and uncovered",
                      R"([{"attacker":{"covered":[-1],"uncovered":[1]},"defender":{"covered":[0],"uncovered":[-1]}}])",
                      kNeeded},
                     {"actions", "only these coverages, each a list of steps for every target"}},
      .file_options = {},
      .data = "the number of the type that attacks, from 0",
      .outcome = "0",
      .example = "hannan run security-game --params game.json -d types.csv"};
}

}  // namespace hannan::detail
