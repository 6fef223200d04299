// See combine_learner.hpp. Everything of a request is read and checked before the combiner is asked, so that it is
// played as a whole or not at all.
#include "hannan/runtime/combine_learner.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/forecasts/best_mixture.hpp"
#include "hannan/forecasts/certificate.hpp"
#include "hannan/io/json_archive.hpp"
#include "hannan/runtime/state_digest.hpp"
#include "hannan/runtime/version.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostModels = 100'000;  // chosen: a row of them is a line of a megabyte

Json number_or_null(double value) { return std::isnan(value) ? Json() : Json(value); }

Json numbers_json(std::span<const double> values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number_or_null(value));
  return list;
}

// Names of models and columns: not empty, and each once.
void check_names(const CombinerPlan& plan, const std::string& path) {
  std::set<std::string> seen;
  for (const auto* list : {&plan.models, &plan.columns}) {
    for (const std::string& name : *list) {
      check_value(name, path);
      if (!name.empty() && seen.insert(name).second) continue;
      throw Error(Code::kUnavailable, "found the name \"" + name + "\" twice or empty, expected a name for each", path);
    }
  }
  if (plan.models.empty() || plan.width() > kMostModels)
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(plan.width()) + " models, expected 1 to " + std::to_string(kMostModels),
                path);
}

CombinerPlan learner_plan(const ForecastsProblem& problem, const Json& params, const std::string& path) {
  Fields in(params, path);
  CombinerPlan plan = problem.plan;
  std::vector<std::string> members = default_members();
  if (in.has("members")) members = in.words("members");
  if (in.has("by")) plan.by = in.words("by");
  plan.patience = static_cast<std::uint64_t>(in.integer("patience", {1, static_cast<std::int64_t>(kMostPatience)},
                                                        static_cast<std::int64_t>(kDefaultPatience)));
  in.done();
  if (plan.by.size() > kMostColumns)
    throw Error(Code::kOutOfRange, "found more columns than " + std::to_string(kMostColumns), path_of(path, "by"));
  set_members(plan, members, path_of(path, "members"));
  return plan;
}

// As they were given: the name of a column that is in use is not that of its member.
Json plan_params(const CombinerPlan& plan, const Json& params) {
  const Json* members = params.find("members");
  return Json::object(
      {{"members", members ? *members : Json(default_members())}, {"patience", plan.patience}, {"by", plan.by}});
}

Json limits_json(const Proven& of) {
  return Json::object({{"measured", of.measured}, {"proven", of.proven}, {"closed", of.closed}});
}

}  // namespace

ForecastsProblem forecasts_problem(const Json& params, const std::string& path) {
  Fields in(params, path);
  ForecastsProblem made;
  made.plan.models = in.words("models");
  if (in.has("columns")) made.plan.columns = in.words("columns");
  made.plan.loss = forecast_loss(in.word("loss", "squared"), in.at("loss"));
  const double clip = in.number("clip", {1e-12, 0.5}, made.plan.loss.clip);
  if (in.has("clip") && made.plan.loss.kind != ForecastLoss::Kind::kLog)
    throw Error(Code::kUnavailable, "found \"clip\" with the loss " + made.plan.loss.name() + ", expected it with log",
                in.at("clip"));
  made.plan.loss.clip = clip;
  in.done();
  check_names(made.plan, in.at("models"));
  made.params =
      Json::object({{"models", made.plan.models}, {"columns", made.plan.columns}, {"loss", made.plan.loss.name()}});
  if (made.plan.loss.kind == ForecastLoss::Kind::kLog) made.params.set("clip", clip);
  return made;
}

// Every forecast is needed: what takes the place of a missing one is known only of a run.
Json best_of_forecasts(const ForecastsProblem& problem, const Json& data, const std::string& path) {
  const ForecastLoss& loss = problem.plan.loss;
  const std::size_t K = problem.plan.models.size();
  const Interval range = loss.of_probabilities() ? Interval{0, 1} : Interval{-kLargestForecast, kLargestForecast};
  std::vector<double> x, y, weight, totals(K, 0.0);
  const auto& list = to_list(data, path);
  for (std::size_t i = 0; i < list.size(); ++i) {
    Fields in(list[i], path_of(path, i));
    std::vector<double> row = in.numbers("forecasts", range);
    const double actual = in.number("outcome", {-kLargestForecast, kLargestForecast});
    const double counts = in.number("weight", {1e-300, kLargestForecast}, 1.0);
    in.done();
    if (row.size() != K)
      throw Error(
          Code::kBadOutcome,
          "found " + std::to_string(row.size()) + " forecasts, expected " + std::to_string(K) + ", one of each model",
          in.at("forecasts"));
    check_actual(loss, actual, in.at("outcome"));
    if (!loss.counts(actual)) continue;
    for (std::size_t k = 0; k < K; ++k) {
      row[k] = loss.taken(row[k]);
      totals[k] += counts * loss.value(row[k], actual);
    }
    x.insert(x.end(), row.begin(), row.end());
    y.push_back(actual);
    weight.push_back(counts);
  }
  if (y.empty()) throw Error(Code::kEmpty, "found no row with a loss, expected at least one", path);
  const BestMixture best = best_mixture({.x = x, .y = y, .weight = weight, .models = K, .loss = loss});
  const auto least = static_cast<std::size_t>(std::ranges::min_element(totals) - totals.begin());
  Json weights = Json::object();
  for (std::size_t k = 0; k < K; ++k) weights.set(problem.plan.models[k], best.weights[k]);
  return Json::object({{"model", problem.plan.models[least]},
                       {"value", totals[least]},
                       {"mixture", Json::object({{"weights", std::move(weights)},
                                                 {"value", best.value},
                                                 {"floor", best.floor ? Json(*best.floor) : Json()}})}});
}

CombineLearner::CombineLearner(const ForecastsProblem& problem, const Json& params, const std::string& path)
    : problem_(problem), combiner_(learner_plan(problem, params, path)) {
  params_ = plan_params(combiner_.plan(), params);
}

void CombineLearner::read_row(const Json& row, const std::string& path, std::vector<double>& into) const {
  const CombinerPlan& plan = combiner_.plan();
  const auto number = [&](const Json& value, const std::string& at) {
    return value.is_null() ? kNotDelivered : to_number(value, at);
  };
  if (row.is_object()) {
    std::vector<double> found(plan.width(), kNotDelivered);
    for (const auto& [name, value] : row.as_object()) {
      const auto model = std::ranges::find(plan.models, name);
      const auto column = std::ranges::find(plan.columns, name);
      if (model == plan.models.end() && column == plan.columns.end())
        throw Error(Code::kUnknownName,
                    "found \"" + name + "\", expected the name of a model" + near_hint(name, plan.models), path);
      const auto place = model != plan.models.end()
                             ? static_cast<std::size_t>(model - plan.models.begin())
                             : plan.models.size() + static_cast<std::size_t>(column - plan.columns.begin());
      found[place] = number(value, path_of(path, name));
    }
    into.insert(into.end(), found.begin(), found.end());
    return;
  }
  const auto& list = to_list(row, path);
  if (list.size() != plan.width())
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(list.size()) + " forecasts, expected " + std::to_string(plan.width()) +
                    ", null where a model did not deliver",
                path);
  for (std::size_t k = 0; k < list.size(); ++k) into.push_back(number(list[k], path_of(path, k)));
}

CombineLearner::Asked CombineLearner::read_asked(const Json& forecasts, Fields& in) const {
  Asked asked;
  const std::string path = in.at("forecasts");
  const auto& rows = to_list(forecasts, path);
  if (rows.empty()) throw Error(Code::kEmpty, "found no row, expected the forecasts of at least one", path);
  asked.rows = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) read_row(rows[i], path_of(path, i), asked.x);
  asked.weight.assign(asked.rows, 1.0);
  if (in.has("weight")) asked.weight = in.numbers("weight");
  if (asked.weight.size() != asked.rows)
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(asked.weight.size()) + " weights, expected one for each of " +
                    std::to_string(asked.rows) + " rows",
                in.at("weight"));
  const std::size_t columns = combiner_.plan().by.size();
  if (columns == 0) return asked;
  const auto& contexts = to_list(in.need("context"), in.at("context"));
  if (contexts.size() != asked.rows)
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(contexts.size()) + " contexts, expected one for each of " +
                    std::to_string(asked.rows) + " rows",
                in.at("context"));
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    std::vector<std::string> values;
    read_context(contexts[i], columns, path_of(in.at("context"), i), values);
    asked.by.insert(asked.by.end(), values.begin(), values.end());
  }
  return asked;
}

CombineLearner::Asked CombineLearner::read_request(const Json& request) const {
  Fields in(request, "");
  return read_asked(in.need("forecasts"), in);
}

bool CombineLearner::same(const CombinerRound& round, const Asked& asked) const {
  if (round.size() != asked.rows || round.weight != asked.weight) return false;
  const CombinerPlan& plan = combiner_.plan();
  for (std::size_t n = 0; n < asked.x.size(); ++n) {
    const double given = plan.loss.taken(asked.x[n]);
    if (std::isnan(given) ? !std::isnan(round.x[n]) : given != round.x[n]) return false;
  }
  for (std::size_t n = 0; n < asked.by.size(); ++n) {
    if (combiner_.segment_value(round, n) != asked.by[n]) return false;
  }
  return true;
}

// The round that is asked for: opened, or open already with the same forecasts.
const CombinerRound& CombineLearner::round_of(std::uint64_t id, const Asked& asked) {
  const std::uint64_t next = combiner_.rounds() + 1;
  if (const CombinerRound* const open = combiner_.open_round(id)) {
    if (same(*open, asked)) return *open;
    throw Error(Code::kOutOfRange,
                "found other forecasts than those of round " + std::to_string(id) + ", which is open", "forecasts");
  }
  if (id != next)
    throw Error(Code::kOutOfRange,
                "found round " + std::to_string(id) + (id < next ? ", which has settled" : "") + ", expected " +
                    std::to_string(next) + ", the next, or one that is open",
                "round");
  const CombinerPlan& plan = combiner_.plan();
  const std::size_t width = plan.width(), columns = plan.by.size();
  std::vector<ForecastRow> rows;
  for (std::size_t i = 0; i < asked.rows; ++i)
    rows.push_back({.x = {asked.x.data() + i * width, width},
                    .weight = asked.weight[i],
                    .by = {asked.by.data() + i * columns, columns}});
  return combiner_.forecast(rows);
}

Json CombineLearner::answer(const CombinerRound& round) const {
  const std::size_t m = combiner_.plan().members.size(), width = combiner_.plan().width();
  Json members = Json::array(), weights = Json::array();
  std::vector<double> total(width + 1);
  for (std::size_t i = 0; i < round.size(); ++i) {
    members.push_back(numbers_json({round.members.data() + i * m, m}));
    combiner_.total_weights(round, i, total);
    weights.push_back(numbers_json(total));
  }
  return Json::object({{"round", round.id},
                       {"forecast", numbers_json(round.published)},
                       {"members", std::move(members)},
                       {"weights", std::move(weights)}});
}

Json CombineLearner::act(Fields& in) {
  const auto next = static_cast<std::int64_t>(combiner_.rounds() + 1);
  const auto id = static_cast<std::uint64_t>(in.integer("round", {1, kNatural.hi}, next));
  const Json* forecasts = in.maybe("forecasts");
  const CombinerRound* const open = combiner_.open_round(id);
  if (!forecasts && open) {
    in.done();
    return answer(*open);
  }
  const Asked asked = read_asked(in.need("forecasts"), in);
  in.done();
  return answer(round_of(id, asked));
}

Json CombineLearner::observe(Fields& in) {
  std::optional<Asked> asked;
  if (const Json* forecasts = in.maybe("forecasts")) asked = read_asked(*forecasts, in);
  const auto next = static_cast<std::int64_t>(combiner_.rounds() + 1);
  auto id = static_cast<std::uint64_t>(asked ? in.integer("round", {1, kNatural.hi}, next)
                                             : in.integer("round", {1, kNatural.hi}));
  const auto& outcome = in.list("outcome");
  const CombinerRound* const open = combiner_.open_round(id);
  const std::size_t size = asked ? asked->rows : open ? open->size() : outcome.size();
  std::vector<std::size_t> rows;
  if (in.has("rows")) {
    for (const std::int64_t row : in.integers("rows", {0, static_cast<std::int64_t>(size) - 1}))
      rows.push_back(static_cast<std::size_t>(row));
    if (std::set<std::size_t>(rows.begin(), rows.end()).size() != rows.size())
      throw Error(Code::kOutOfRange, "found a row twice, expected each once", in.at("rows"));
  } else {
    for (std::size_t i = 0; i < size; ++i) rows.push_back(i);
  }
  in.done();
  if (outcome.size() != rows.size() || rows.empty())
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(outcome.size()) + " actuals, expected one for each of " +
                    std::to_string(rows.size()) + " rows; null where it never comes",
                in.at("outcome"));
  std::vector<double> y;
  for (std::size_t i = 0; i < outcome.size(); ++i) {
    const std::string at = path_of(in.at("outcome"), i);
    y.push_back(outcome[i].is_null() ? kNotDelivered : to_number(outcome[i], at));
    check_actual(combiner_.plan().loss, y.back(), at);
  }
  if (asked && !open) {
    id = round_of(id, *asked).id;
  } else {
    if (asked) round_of(id, *asked);
    check_rows(id, rows);
  }
  const bool empty = asked && !open && !combiner_.open_round(id);  // no model has delivered: there is nothing to tell
  for (std::size_t i = 0; i < rows.size() && !empty; ++i) combiner_.tell(id, rows[i], y[i]);
  const CombinerRound* const waits = combiner_.open_round(id);
  const ForecastCertificate certificate = certificate_of(combiner_);
  return Json::object({{"loss", empty || (waits && !waits->arrived) ? Json() : Json(combiner_.arrived_loss())},
                       {"total", combiner_.total()},
                       {"members", member_totals()},
                       {"convex", certificate.convex ? limits_json(*certificate.convex) : Json()},
                       {"settled", combiner_.settled()}});
}

// Each of them, so that each that comes after its patience is counted; the first that is refused is said.
void CombineLearner::check_rows(std::uint64_t id, const std::vector<std::size_t>& rows) {
  std::optional<Error> refused;
  for (const std::size_t row : rows) {
    try {
      combiner_.check_open(id, row);
    } catch (const Error& e) {
      if (!refused) refused = e;
    }
  }
  if (refused) throw Error(refused->code(), refused->message(), "round");
}

Json CombineLearner::member_totals() const {
  Json totals = Json::object();
  for (std::size_t j = 0; j < combiner_.plan().members.size(); ++j)
    totals.set(combiner_.plan().members[j].name, combiner_.member_total(j));
  return totals;
}

Json CombineLearner::report() const {
  return Json::object({{"problem", kForecastsKind},
                       {"learner", kCombineKind},
                       {"params", params_},
                       {"rounds", combiner_.rounds()},
                       {"settled", combiner_.settled()},
                       {"rows", combiner_.rows()},
                       {"never", combiner_.never()},
                       {"too_late", combiner_.too_late()},
                       {"total", combiner_.total()},
                       {"members", member_totals()},
                       {"certificate", certificate_json(certificate_of(combiner_), combiner_.plan())}});
}

Json CombineLearner::save() {
  JsonWriter writer;
  combiner_.archive(writer);
  return sealed(Json::object({{"version", kStateVersion},
                              {"problem", Json::object({{"kind", kForecastsKind}, {"params", problem_.params}})},
                              {"learner", Json::object({{"kind", kCombineKind}, {"params", params_}})},
                              {"state", writer.take()}}));
}

bool is_combiner_state(const Json& state) {
  const Json* const problem = state.is_object() ? state.find("problem") : nullptr;
  const Json* const kind = problem && problem->is_object() ? problem->find("kind") : nullptr;
  return kind && *kind == Json(kForecastsKind);
}

CombineLearner CombineLearner::load(const Json& state) {
  check_state(state);
  Fields problem(state.at("problem"), "state.problem"), learner(state.at("learner"), "state.learner");
  if (problem.word("kind") != kForecastsKind || learner.word("kind") != kCombineKind)
    throw Error(Code::kBadState, "found the state of another kind of learner, expected one of combined forecasts",
                "state.learner.kind");
  const ForecastsProblem of = forecasts_problem(problem.need("params"), "state.problem.params");
  CombineLearner made(of, learner.need("params"), "state.learner.params");
  problem.done();
  learner.done();
  JsonReader reader(state.at("state"), "state.state");
  made.combiner_.archive(reader);
  return made;
}

}  // namespace hannan::detail
