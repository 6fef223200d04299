// A problem by name for the pipe, Python, the service and the commands: questions in JSON, answered by its Game.
// Outcomes, actions and weights are checked as they are read, with their place in the request. Nothing here depends on
// the kind of problem. learner() and load() choose the kind of turn by the parameters.
#include "hannan/runtime/any_problem.hpp"

#include <algorithm>
#include <utility>

#include "hannan/check/column_search.hpp"
#include "hannan/check/matrix_noise.hpp"
#include "hannan/core/choose_named.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/interruption.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json_span.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/learners/choose_oracle.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/runtime/best_answer.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail {
namespace {

constexpr std::uint64_t kMostListed = 10'000'000;  // actions that may be listed one by one

Json data_json(const Game& game, const Dataset<AnyOutcome>& set) {
  Json data = Json::array();
  for (const auto& [weight, outcome] : set)
    data.push_back(Json::object({{"weight", weight}, {"outcome", game.outcome_json(outcome)}}));
  return data;
}

[[noreturn]] void refuse_column(const AnyProblem::ColumnRequest& request, const std::string& where) {
  throw Error(Code::kUnavailable,
              "no data set " + std::string(request.weights == Weights::kNonNegative ? "of non-negative weights " : "") +
                  "that makes " + (request.sign > 0 ? "plus" : "minus") + " this column is " + where,
              "column");
}

// gamma and the other conditions are stated for losses of range 1, or over the range of every outcome where the problem
// says what its perturbations need there.
void expect_range(const Game& game, const Json& outcomes) {
  if (game.loss_range() == LossRange::kUnitInterval) return;
  const auto matrices = game.perturbations();
  for (const auto& y : read_outcomes(game, outcomes)) {
    if (std::any_of(matrices.begin(), matrices.end(), [&](const auto& m) { return game.gamma_at(m->name(), y); }))
      return;
  }
  throw Error(Code::kUnavailable,
              "conditions are stated for losses in [0,1], and those of the problem have range \"unknown\"; check the "
              "problem without it",
              "params.range");
}

}  // namespace

// Facts that a client needs to choose: how many actions, which perturbations with which gamma, which oracles. The first
// oracle is the default.
Json AnyProblem::describe() const {
  Json matrices = Json::array();
  for (const auto& matrix : game_->perturbations()) {
    matrices.push_back(
        Json::object({{"name", matrix->name()}, {"columns", matrix->columns()}, {"gamma", matrix->gamma()}}));
  }
  Json oracles = Json::array();
  for (const auto& oracle : game_->oracles()) oracles.push_back(oracle->name());
  const auto count = game_->action_count();
  return Json::object({{"ln_actions", game_->ln_size()},
                       {"actions", count},
                       {"normaliser", game_->normaliser()},
                       {"perturbations", std::move(matrices)},
                       {"oracles", std::move(oracles)}});
}

Json AnyProblem::actions(std::uint64_t limit) const {
  Json list = Json::array();
  for (const auto& x : game_->first_actions(limit)) list.push_back(game_->action_json(x));
  const auto count = game_->action_count();
  return Json::object({{"actions", std::move(list)}, {"complete", count && *count <= static_cast<double>(limit)}});
}

// loss is normalised, as learners see it; raw is in the problem's own unit and sense.
AnyProblem::Loss AnyProblem::loss(const Json& action, const Json& outcome) const {
  const AnyAction x = game_->parse_action(action, "action");
  AnyOutcome y;
  game_->read_outcome(outcome, "outcome", y);
  return {.loss = game_->loss(x, y), .raw = game_->raw(x, y)};
}

std::vector<double> AnyProblem::losses(const Json& outcome, std::string_view path) const {
  AnyOutcome y;
  game_->read_outcome(outcome, path, y);
  return game_->losses(y, kMostListed);
}

// gamma per matrix for this outcome: the problem's own statement, else that of the matrix where losses are in [0,1].
Json AnyProblem::range(const Json& outcome) const {
  AnyOutcome y;
  game_->read_outcome(outcome, "outcome", y);
  const LossSpread spread = game_->spread(y);
  Json gamma = Json::object();
  for (const auto& matrix : game_->perturbations()) {
    auto own = game_->gamma_at(matrix->name(), y);
    if (!own && game_->loss_range() == LossRange::kUnitInterval) own = matrix->gamma();
    gamma.set(matrix->name(), own);
  }
  return Json::object({{"range", spread.range()},
                       {"least_loss", spread.least},
                       {"most_loss", spread.most},
                       {"gamma", std::move(gamma)}});
}

std::vector<double> AnyProblem::row(const std::string& perturbation, const Json& action) const {
  const auto matrix = choose_named(game_->perturbations(), perturbation, "perturbation");
  std::vector<double> row(matrix->columns());
  matrix->row(game_->parse_action(action, "action"), row);
  return row;
}

// By construction alone; searched_column() goes on where there is none.
Json AnyProblem::column(const ColumnRequest& request) const {
  const auto matrix = choose_named(game_->perturbations(), request.perturbation, "perturbation");
  if (request.column >= matrix->columns()) {
    throw Error(
        Code::kOutOfRange,
        "found column " + std::to_string(request.column) + ", expected one below " + std::to_string(matrix->columns()),
        "column");
  }
  const auto set = matrix->data({.column = request.column, .sign = request.sign, .weights = request.weights});
  if (!set) refuse_column(request, "known by construction");
  return data_json(*game_, *set);
}

// A data set that makes a column: the one known by construction, or one found by a linear programme over the outcomes
// given, where actions are few enough to list.
Json AnyProblem::searched_column(const ColumnRequest& request, const Json* outcomes) const {
  const auto matrix = choose_named(game_->perturbations(), request.perturbation, "perturbation");
  const MatrixFacts::ColumnRequest wanted{.column = request.column, .sign = request.sign, .weights = request.weights};
  if (request.column >= matrix->columns() || matrix->has_data(wanted)) return column(request);
  const auto count = game_->action_count();
  if (!count || *count > kMostConditionRows)
    refuse_column(request, "known by construction, and there are too many actions to search for one");
  const std::vector<AnyOutcome> ys =
      outcomes ? read_outcomes(*game_, *outcomes) : game_->outcomes().value_or(std::vector<AnyOutcome>{});
  if (ys.empty() || ys.size() > kMostSearched) {
    refuse_column(request, "known by construction; give at most " + std::to_string(kMostSearched) +
                               " \"outcomes\" to search for one among them");
  }
  const auto set = search_column<Game>(*game_, *matrix, game_->first_actions(kMostConditionRows), ys, wanted);
  if (!set) refuse_column(request, "found among the outcomes");
  return data_json(*game_, *set);
}

// One oracle call on weighted outcomes; the largest range of a loss sets the unit of ties.
Json AnyProblem::best(const BestRequest& request) const {
  const auto oracle = choose_oracle(game_, request.oracle, "oracle");
  const auto history = oracle->empty();
  const auto& list = to_list(request.data, "data");
  limits::WeightSum weights;
  AnyOutcome y;
  SeenRange range;
  for (std::size_t i = 0; i < list.size(); ++i) {
    interruption_point();
    Fields point(list[i], path_of("data", i));
    const double weight = point.number("weight");
    weights.add(weight, point.at("weight"));
    game_->read_outcome(point.need("outcome"), point.at("outcome"), y);
    point.done();
    if (weight < 0 && !oracle->takes_negative_weights()) {
      throw Error(Code::kUnavailable, "oracle \"" + oracle->name() + "\" takes no negative weights",
                  point.at("weight"));
    }
    history->add(y, weight);
    range.add(*game_, y, weight);
  }
  return best_answer(*oracle, *history, {.range = range.value(), .keep = request.keep});
}

Json AnyProblem::conditions(const ConditionsQuery& query) const {
  expect_range(*game_, query.outcomes);
  return ::hannan::detail::conditions(game_, query);
}

Json AnyProblem::check(CheckRequest request, const std::string& oracle) const {
  expect_range(*game_, request.outcomes);
  if (!oracle.empty()) request.oracle = choose_oracle(game_, oracle, "oracle");
  return ::hannan::detail::check(game_, request);
}

OutcomeList AnyProblem::listed_outcomes(const std::string& perturbation, std::uint64_t limit) const {
  return ::hannan::detail::listed_outcomes(*game_, perturbation, limit);
}

NoiseSize AnyProblem::noise_size(const std::string& perturbation, const std::string& noise_name) const {
  const auto matrix = choose_named(game_->perturbations(), perturbation, "perturbation");
  const Noise noise = Noise::parse(noise_name, "noise");
  if (noise.facts().one_sided && matrix->hedge_sign() == HedgeSign::kMixed)
    throw Error(Code::kUnavailable, one_sided_objection(noise.facts(), *matrix), "noise");
  return size_of_noise(game_->oracles().front(), matrix, noise);
}

Json AnyProblem::outcomes() const {
  const auto all = game_->outcomes();
  if (!all) return {};
  Json list = Json::array();
  for (const auto& y : *all) list.push_back(game_->outcome_json(y));
  return list;
}

void AnyProblem::check_outcome(const Json& outcome, std::string_view path) const {
  AnyOutcome unused;
  game_->read_outcome(outcome, path, unused);
}

namespace {

// By the kind of turn that its parameters ask for.
AnyTurn turn_of(const std::shared_ptr<const Game>& game, LearnerParams params) {
  if (params.kind->of_strategies) return std::make_unique<PortfolioLearner>(game, std::move(params));
  if (game->sleeps()) return std::make_unique<SleepingLearner>(game, std::move(params));
  if (!params.segments.by.empty()) return std::make_unique<ContextLearner>(game, std::move(params));
  if (params.looks || params.elements) return part_learner(game, std::move(params));
  if (params.delayed) return std::make_unique<DelayedLearner>(game, std::move(params));
  return std::make_unique<PlainLearner>(game, std::move(params));
}

}  // namespace

AnyTurn AnyProblem::made(const std::string& kind, const Json& params) const {
  return turn_of(game_, parse_learner(kind, params, "params"));
}

AnyTurn AnyProblem::load(const Json& state) const {
  Fields fields(state, "state");
  Fields named = fields.fields("learner");
  auto made = turn_of(game_, parse_saved_learner(named.word("kind"), named.need("params"), "state.learner.params"));
  made->restore(fields.need("state"), "state.state");
  return made;
}

// The state itself stays text, of which only parts are parsed at a time.
AnyTurn AnyProblem::load_text(std::string_view state) const {
  Json head = Json::object();
  std::string_view text;
  for (const auto& [name, value] : object_fields(state)) {
    if (name == "state") {
      text = value;
    } else {
      head.set(name, parse_json(value));
    }
  }
  if (text.empty()) throw Error(Code::kBadState, "this field of a saved state is missing", "state.state");
  Fields fields(head, "state");
  Fields named = fields.fields("learner");
  auto made = turn_of(game_, parse_saved_learner(named.word("kind"), named.need("params"), "state.learner.params"));
  made->restore_text(text, "state.state");
  return made;
}

}  // namespace hannan::detail
