// Reads scenarios into lists of distinct outcomes (scenarios.hpp). Rows of a group become weights count / rows; those
// that are held make a second list over the same groups.
#include "hannan/solve/read_scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/interruption.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostKeptOutcomes = 10'000;  // that a solution may hold itself

std::string text_of(const Game& game, const AnyOutcome& y) { return dump(game.outcome_json(y)); }

// Distinct outcomes with how often they come, in order of first appearance, each count divided by all.
std::vector<WeightedPlace> mean_of(std::span<const std::size_t> places) {
  std::map<std::size_t, std::size_t> counts;
  for (const std::size_t place : places) ++counts[place];
  std::vector<WeightedPlace> data;
  for (const auto& [place, count] : counts)
    data.push_back({place, static_cast<double>(count) / static_cast<double>(places.size())});
  return data;
}

std::vector<double> shares_of(std::span<const std::uint64_t> rows) {
  double all = 0;
  for (const std::uint64_t count : rows) all += static_cast<double>(count);
  std::vector<double> shares;
  for (const std::uint64_t count : rows) shares.push_back(static_cast<double>(count) / all);
  return shares;
}

void check_costs(std::span<const double> row, std::size_t width, const std::string& path) {
  if (row.size() != width)
    throw Error(Code::kColumnCount, "found " + std::to_string(row.size()) + " costs, expected " + std::to_string(width),
                path);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!(row[i] >= 0 && row[i] <= 1))
      throw Error(Code::kLossRange, "found " + number_text(row[i]) + ", expected a cost in [0,1]", path_of(path, i));
  }
}

}  // namespace

ScenarioSet scenarios_of_outcomes(const std::shared_ptr<const Game>& game) {
  const auto all = game->outcomes();
  if (!all)
    throw Error(Code::kMissingField,
                "found no scenarios, expected some: this problem cannot list its outcomes; give rows (-d), scenarios "
                "or a budget",
                "scenarios");
  auto made = std::make_unique<ListedScenarios>(game);
  for (const AnyOutcome& y : *all) {
    const std::string text = text_of(*game, y);
    made->add(text, {{made->place(y, text), 1.0}});
  }
  made->finish();
  return {.scenarios = std::move(made),
          .from = Json::object({{"from", "outcomes"}}),
          .rows = {},
          .held_rows = {},
          .held = nullptr};
}

ScenarioList::ScenarioList(const std::shared_ptr<const Game>& game) : made_(std::make_unique<ListedScenarios>(game)) {}

void ScenarioList::add(const Json& scenario, const std::string& path) {
  Fields fields(scenario, path);
  const std::string name = fields.word("name");
  const Json::Array& data = fields.list("data");
  const std::string data_path = fields.at("data");
  fields.done();
  if (!names_.insert(name).second)
    throw Error(Code::kOutOfRange, "found a second scenario named \"" + name + "\", expected names that differ",
                fields.at("name"));
  if (data.empty()) throw Error(Code::kEmpty, "found no outcome, expected at least one", data_path);
  std::map<std::size_t, double> weights;
  double sum = 0;
  AnyOutcome y;
  for (std::size_t i = 0; i < data.size(); ++i) {
    interruption_point();
    Fields point(data[i], path_of(data_path, i));
    const double weight = point.number("weight", {0, kMostScenarioWeight});
    made_->game().read_outcome(point.need("outcome"), point.at("outcome"), y);
    point.done();
    sum += weight;
    if (sum > kMostScenarioWeight)
      throw Error(Code::kOutOfRange,
                  "found weights that add up to more than " + number_text(kMostScenarioWeight) +
                      ", expected less: divide all of them by the same number",
                  point.at("weight"));
    weights[made_->place(y, text_of(made_->game(), y))] += weight;
  }
  std::vector<WeightedPlace> merged;
  for (const auto& [place, weight] : weights) merged.push_back({place, weight});
  made_->add(name, std::move(merged));
}

ScenarioSet ScenarioList::finish(const std::string& path) {
  if (made_->size() == 0) throw Error(Code::kEmpty, "found no scenario, expected at least one", path);
  made_->finish();
  Json from = Json::object({{"from", "list"}, {"list", made_->json()}});
  return {.scenarios = std::move(made_), .from = std::move(from), .rows = {}, .held_rows = {}, .held = nullptr};
}

ScenarioSet scenarios_of_list(const std::shared_ptr<const Game>& game, const Json& list, const std::string& path) {
  ScenarioList scenarios(game);
  const Json::Array& all = to_list(list, path);
  for (std::size_t i = 0; i < all.size(); ++i) scenarios.add(all[i], path_of(path, i));
  return scenarios.finish(path);
}

ScenarioSet scenarios_of_budget(const std::shared_ptr<const Game>& game, BudgetRequest request) {
  const std::size_t width = game->row_width();
  if (request.budget < 1 || static_cast<std::uint64_t>(request.budget) > width)
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(request.budget) + ", expected a budget in 1.." + std::to_string(width) +
                    ", the costs that can rise",
                "budget");
  if (width > kMostScenarios)
    throw Error(Code::kTooLarge,
                "found " + std::to_string(width) + " costs, expected at most " + std::to_string(kMostScenarios) +
                    ": each is a scenario",
                "budget");
  BudgetScenarios::Costs costs{.budget = static_cast<double>(request.budget), .base = {}, .rise = {}};
  costs.base = request.base.value_or(std::vector<double>(width, 0.0));
  check_costs(costs.base, width, "base");
  if (request.rise) {
    costs.rise = std::move(*request.rise);
  } else {
    for (const double cost : costs.base) costs.rise.push_back(1 - cost);
  }
  check_costs(costs.rise, width, "rise");
  Json from = Json::object(
      {{"from", "budget"}, {"budget", request.budget}, {"base", Json(costs.base)}, {"rise", Json(costs.rise)}});
  return {.scenarios = std::make_unique<BudgetScenarios>(game, std::move(costs)),
          .from = std::move(from),
          .rows = {},
          .held_rows = {},
          .held = nullptr};
}

RowScenarios::RowScenarios(std::shared_ptr<const Game> game, Options options)
    : game_(std::move(game)), options_(std::move(options)), made_(std::make_unique<ListedScenarios>(game_)) {}

// "de/mobile", or the JSON of the labels where another group is called so already.
void RowScenarios::name_group(std::span<const std::string> labels) {
  std::string name = options_.group.empty() ? std::to_string(rows_) : shown_segment(labels);
  if (!names_.insert(name).second) {
    name = dump(Json::array(std::vector<std::string>(labels.begin(), labels.end())));
    names_.insert(name);
  }
  groups_.push_back({.name = std::move(name), .places = {}});
  if (groups_.size() > kMostScenarios)
    throw Error(Code::kTooLarge, "found more than " + std::to_string(kMostScenarios) +
                                     " scenarios, expected fewer: give columns whose values make fewer groups");
}

void RowScenarios::add(const AnyOutcome& y, std::span<const std::string> labels) {
  const std::string text = text_of(*game_, y);
  ++rows_;
  std::string key;
  for (const std::string& label : labels) key += label + '\0';
  digest_.add(text);
  digest_.add("\n");
  digest_.add(key);
  std::size_t group = groups_.size();
  if (!options_.group.empty()) group = by_label_.emplace(key, group).first->second;
  if (group == groups_.size()) name_group(labels);
  groups_[group].places.push_back(made_->place(y, text));
}

ScenarioSet RowScenarios::finish(const std::string& path) {
  if (rows_ == 0) throw Error(Code::kEmpty, "found no row, expected at least one", path);
  ScenarioSet set;
  std::vector<std::vector<WeightedPlace>> held;
  for (const Group& group : groups_) {
    const std::size_t all = group.places.size();
    std::size_t last = 0;
    if (options_.hold > 0) {
      if (all < 2)
        throw Error(Code::kUnavailable,
                    "found one row in the group \"" + group.name +
                        "\", expected two or more where some are held; give coarser groups",
                    "--hold");
      last = std::clamp<std::size_t>(static_cast<std::size_t>(options_.hold * static_cast<double>(all) + 1e-9), 1,
                                     all - 1);
    }
    const std::span<const std::size_t> places(group.places);
    made_->add(group.name, mean_of(places.first(all - last)));
    if (!options_.group.empty()) set.rows.push_back(all - last);
    if (last > 0) {
      held.push_back(mean_of(places.last(last)));
      set.held_rows.push_back(last);
    }
  }
  if (!held.empty()) {
    set.held = std::make_unique<ListedScenarios>(game_);
    for (std::size_t g = 0; g < held.size(); ++g) {
      for (WeightedPlace& point : held[g]) {
        const AnyOutcome& y = made_->outcome(point.outcome);
        point.outcome = set.held->place(y, text_of(*game_, y));
      }
      set.held->add(groups_[g].name, std::move(held[g]));
    }
    set.held->finish(shares_of(set.held_rows));
  }
  made_->finish(set.rows.empty() ? std::vector<double>() : shares_of(set.rows));
  if (options_.data == Options::Data::kInside) {
    if (made_->outcomes() > kMostKeptOutcomes)
      throw Error(Code::kTooLarge,
                  "found " + std::to_string(made_->outcomes()) + " distinct outcomes, expected at most " +
                      std::to_string(kMostKeptOutcomes) + " where they are kept inside the solution",
                  "--keep-data");
    set.from = Json::object({{"from", "list"}, {"list", made_->json()}});
    if (!set.rows.empty()) set.from.set("shares", Json::array(made_->shares()));
  } else {
    set.from = Json::object({{"from", "rows"}, {"group", Json(options_.group)}, {"rows", rows_}});
    if (options_.skipped > 0) set.from.set("skipped", options_.skipped);
    if (options_.hold > 0) set.from.set("hold", options_.hold);
    set.from.set("digest", digest_.hex());
  }
  set.scenarios = std::move(made_);
  return set;
}

}  // namespace hannan::detail
