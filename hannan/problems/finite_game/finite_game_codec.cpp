// Finite games from and to JSON: one table, as losses or as rewards; columns of the perturbation as lists of [weight,
// outcome]; a dense matrix in their place. Entries lie in [0,1] unless `range` says that they are of any size.
#include "hannan/problems/finite_game/finite_game_codec.hpp"

#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"

namespace hannan::detail {
namespace {

// A column of the perturbation `outcomes`: weighted outcomes, [weight, outcome] each.
Dataset<FiniteGame::Outcome> parse_column(const Json& json, const std::string& path, std::int64_t outcomes) {
  Dataset<FiniteGame::Outcome> set;
  const auto& points = to_list(json, path);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string at = path_of(path, i);
    const auto& pair = to_list(points[i], at);
    if (pair.size() != 2)
      throw Error(Code::kWrongType, "found " + describe(points[i]) + ", expected [weight, outcome]", at);
    const double weight = to_number(pair[0], path_of(at, std::size_t{0}), limits::kEntry);
    set.push_back({weight, static_cast<FiniteGame::Outcome>(
                               to_integer(pair[1], path_of(at, std::size_t{1}), {0, outcomes - 1}))});
  }
  return set;
}

}  // namespace

// The range first: it says which entries the table may have. An empty "matrix" is an error here, since it would look
// like none given later.
std::shared_ptr<const FiniteGame> Codec<FiniteGame>::parse(Fields& params) {
  FiniteGame::Parts parts;
  const bool rewards = params.has("rewards");
  if (rewards == params.has("losses")) {
    throw Error(Code::kMissingField,
                rewards ? "found both losses and rewards, expected one of them"
                        : "found neither losses nor rewards, expected one of them",
                params.path());
  }
  const char* name = rewards ? "rewards" : "losses";
  parts.form = rewards ? Form::kReward : Form::kLoss;
  parts.range = parse_loss_range(params);
  parts.table = params.matrix(name, parts.range == LossRange::kUnitInterval ? kUnit : kAnyLoss);
  if (params.has("columns")) {
    const auto outcomes = static_cast<std::int64_t>(parts.table.empty() ? 0 : parts.table[0].size());
    const auto& columns = params.list("columns");
    for (std::size_t j = 0; j < columns.size(); ++j)
      parts.columns.push_back(parse_column(columns[j], path_of(params.at("columns"), j), outcomes));
  }
  if (params.has("matrix")) {
    parts.matrix = params.matrix("matrix", limits::kEntry);
    if (parts.matrix.empty())
      throw Error(Code::kOutOfRange, "found an empty table, expected at least one row and column", params.at("matrix"));
  }
  return made_from(params, [&] { return std::make_shared<const FiniteGame>(std::move(parts)); });
}

Json Codec<FiniteGame>::params(const FiniteGame& p) {
  const FiniteGame::Parts& parts = p.parts();
  Json json = Json::object();
  json.set(parts.form == Form::kReward ? "rewards" : "losses", Json::array(parts.table));
  if (!parts.columns.empty()) {
    Json columns = Json::array();
    for (const auto& column : parts.columns) {
      Json set = Json::array();
      for (const auto& point : column) set.push_back(Json::array({Json(point.weight), Json(point.outcome)}));
      columns.push_back(std::move(set));
    }
    json.set("columns", std::move(columns));
  }
  if (!parts.matrix.empty()) json.set("matrix", Json::array(parts.matrix));
  if (parts.range == LossRange::kUnknown) json.set("range", "unknown");
  return json;
}

Json Codec<FiniteGame>::action_json(const FiniteGame&, const FiniteGame::Action& x) { return Json(x); }

FiniteGame::Action Codec<FiniteGame>::parse_action(const FiniteGame& p, const Json& json, std::string_view path) {
  return static_cast<FiniteGame::Action>(to_integer(json, path, {0, static_cast<std::int64_t>(p.size()) - 1}));
}

Json Codec<FiniteGame>::outcome_json(const FiniteGame&, const FiniteGame::Outcome& y) { return Json(y); }

FiniteGame::Outcome Codec<FiniteGame>::parse_outcome(const FiniteGame& p, const Json& json, std::string_view path) {
  const auto last = static_cast<std::int64_t>(p.outcome_count()) - 1;
  return static_cast<FiniteGame::Outcome>(to_integer(json, path, {0, last}));
}

ProblemInstances Codec<FiniteGame>::instances() {
  return {
      .tested =
          {R"({"losses":[[0.5]]})", R"({"losses":[[0,1,0.5],[1,0,0.5],[0.25,0.75,0],[0.5,0.5,1]]})",
           R"({"rewards":[[0,1],[1,0],["1/3","1/3"],[1,0]]})",
           R"({"losses":[[0,1],[1,0],[0.5,0.25]],"columns":[[[1,0]],[[-0.5,0],[2,1]]],"matrix":[[0],[0.5],[1]]})"},
      .signature = R"({"losses":[[0,1,0.5],[1,0,0.5],[0.25,0.75,0],[0.5,0.5,1]]})",
      .flat =
          R"({"losses":[[0,1,0.5,0.3],[1,0,0.5,0.2],[0.25,0.75,0,0.9],[0.5,0.5,1,0],[0.1,0.6,0.7,0.8],[0.9,0.2,0.4,0.6]]})"};
}

ProblemHelp Codec<FiniteGame>::help() {
  using enum ParameterHelp::Need;
  return {.parameters = {{"losses", "the table: a row for each action, a column for each outcome", "[[0,1],[1,0]]",
                          kNeeded, "rewards"},
                         {"rewards", "the same as rewards, in place of losses"},
                         {"columns", "columns of the perturbation outcomes, each a list of [weight, outcome]"},
                         {"matrix", "a row of numbers for each action: the perturbation dense"},
                         {"range", "unit: losses in [0,1]; unknown: any numbers", "unit"}},
          .file_options = {},
          .data = "the number of the column that came, from 0",
          .outcome = "0",
          .example = "hannan run finite-game --param 'losses=[[0,1],[1,0]]' -d outcomes.csv"};
}

}  // namespace hannan::detail
