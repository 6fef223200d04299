#include "hannan/problems/finite_game/finite_game.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/explicit_columns.hpp"
#include "hannan/perturbations/outcome_columns.hpp"

namespace hannan {

FiniteGame::FiniteGame(Parts parts)
    : parts_(std::move(parts)),
      size_(parts_.table.size()),
      outcome_count_(parts_.table[0].size()),
      least_(outcome_count_, 1.0),
      losses_(size_ * outcome_count_) {
  for (std::size_t k = 0; k < size_; ++k) {
    for (std::size_t y = 0; y < outcome_count_; ++y) {
      const double entry = parts_.table[k][y];
      const double loss = parts_.form == Form::kLoss ? entry : 1 - entry;
      losses_[y * size_ + k] = loss;
      least_[y] = std::min(least_[y], loss);
    }
  }
}

std::vector<FiniteGame::Outcome> FiniteGame::outcomes() const {
  std::vector<Outcome> all(outcome_count_);
  for (std::size_t y = 0; y < all.size(); ++y) all[y] = y;
  return all;
}

namespace {

// Rows of one length, at least one of each.
void check_rectangle(const std::vector<std::vector<double>>& rows, const std::string& path) {
  if (rows.empty() || rows[0].empty())
    throw Error(Code::kOutOfRange, "found an empty table, expected at least one row and column", path);
  for (std::size_t k = 1; k < rows.size(); ++k) {
    if (rows[k].size() == rows[0].size()) continue;
    throw Error(Code::kOutOfRange,
                "found a row of " + std::to_string(rows[k].size()) + " entries, expected " +
                    std::to_string(rows[0].size()) + " as in the first row",
                path_of(path, k));
  }
}

Dataset<FiniteGame::Outcome> parse_column(const Json& json, const std::string& path, std::int64_t outcomes) {
  Dataset<FiniteGame::Outcome> set;
  const auto& points = to_list(json, path);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string at = path_of(path, i);
    const auto& pair = to_list(points[i], at);
    if (pair.size() != 2)
      throw Error(Code::kWrongType, "found " + describe(points[i]) + ", expected [weight, outcome]", at);
    set.push_back(
        {to_number(pair[0], path_of(at, std::size_t{0}), limits::kEntry),
         static_cast<FiniteGame::Outcome>(to_integer(pair[1], path_of(at, std::size_t{1}), {0, outcomes - 1}))});
  }
  return set;
}

}  // namespace

std::shared_ptr<const FiniteGame> FiniteGame::parse(Fields& params) {
  Parts parts;
  const bool rewards = params.has("rewards");
  if (rewards == params.has("losses")) {
    throw Error(Code::kMissingField,
                rewards ? "found both losses and rewards, expected one of them"
                        : "found neither losses nor rewards, expected one of them",
                params.path());
  }
  const char* name = rewards ? "rewards" : "losses";
  parts.form = rewards ? Form::kReward : Form::kLoss;
  parts.table = params.matrix(name, kUnit);
  check_rectangle(parts.table, params.at(name));
  if (params.has("columns")) {
    const auto& columns = params.list("columns");
    for (std::size_t j = 0; j < columns.size(); ++j) {
      parts.columns.push_back(
          parse_column(columns[j], path_of(params.at("columns"), j), static_cast<std::int64_t>(parts.table[0].size())));
    }
  }
  if (params.has("matrix")) {
    parts.matrix = params.matrix("matrix", limits::kEntry);
    check_rectangle(parts.matrix, params.at("matrix"));
    if (parts.matrix.size() != parts.table.size()) {
      throw Error(Code::kOutOfRange,
                  "found " + std::to_string(parts.matrix.size()) + " rows, expected one per action, " +
                      std::to_string(parts.table.size()),
                  params.at("matrix"));
    }
  }
  return std::make_shared<FiniteGame>(std::move(parts));
}

Json FiniteGame::params() const {
  Json json = Json::object();
  json.set(parts_.form == Form::kReward ? "rewards" : "losses", Json::array(parts_.table));
  if (!parts_.columns.empty()) {
    Json columns = Json::array();
    for (const auto& column : parts_.columns) {
      Json set = Json::array();
      for (const auto& point : column) set.push_back(Json::array({Json(point.weight), Json(point.outcome)}));
      columns.push_back(std::move(set));
    }
    json.set("columns", std::move(columns));
  }
  if (!parts_.matrix.empty()) json.set("matrix", Json::array(parts_.matrix));
  return json;
}

FiniteGame::Action FiniteGame::parse_action(const Json& json, std::string_view path) const {
  return static_cast<Action>(to_integer(json, path, {0, static_cast<std::int64_t>(size_) - 1}));
}

FiniteGame::Outcome FiniteGame::parse_outcome(const Json& json, std::string_view path) const {
  return static_cast<Outcome>(to_integer(json, path, {0, static_cast<std::int64_t>(outcome_count_) - 1}));
}

void FiniteGame::outcome_from_row(std::span<const double> row, Outcome& y) const {
  y = parse_outcome(Json(row[0]), "outcome");
}

std::vector<std::shared_ptr<const Perturbation<FiniteGame>>> FiniteGame::perturbations(
    std::shared_ptr<const FiniteGame> p) {
  OutcomeColumns<FiniteGame>::Parts outcomes{
      .problem = p, .columns = p->parts_.columns, .form = p->parts_.form, .gamma = std::nullopt, .negative = nullptr};
  if (outcomes.columns.empty()) {
    for (Outcome y : p->outcomes()) outcomes.columns.push_back({{1.0, y}});
    outcomes.gamma = p->size_ > 1 ? 1.0 : 0.0;
    outcomes.hedge_sign = p->parts_.form == Form::kLoss ? HedgeSign::kNonNegative : HedgeSign::kNonPositive;
  }
  std::vector<std::shared_ptr<const Perturbation<FiniteGame>>> all{
      std::make_shared<OutcomeColumns<FiniteGame>>(std::move(outcomes))};
  for (auto& code : explicit_columns<FiniteGame>(
           {.problem = p, .matrix = p->parts_.matrix, .form = p->parts_.form, .data = nullptr})) {
    all.push_back(std::move(code));
  }
  return all;
}

std::vector<std::shared_ptr<const AnyOracle<FiniteGame>>> FiniteGame::oracles(std::shared_ptr<const FiniteGame> p) {
  return {make_oracle("tabulate", std::move(p), Tabulate<FiniteGame>{})};
}

}  // namespace hannan
