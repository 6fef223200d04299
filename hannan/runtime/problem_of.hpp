// A problem behind the run-time interface. P gives the game, Codec<P> its JSON; everything else follows from them.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/check/check_of.hpp"
#include "hannan/check/column_search.hpp"
#include "hannan/check/conditions_of.hpp"
#include "hannan/check/extreme_of.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/rows.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/runtime/any_problem.hpp"
#include "hannan/runtime/learner_of.hpp"
#include "hannan/runtime/registered_problem.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan {

inline constexpr std::uint64_t kMostListed = 10'000'000;  // actions that may be listed one by one

// The problem makes outcomes of a simulated market.
template <class P>
inline constexpr bool kSimulates = requires(const P& p, const MarketDraws& draws) { p.simulated(draws); };

template <class P>
class ProblemOf final : public AnyProblem {
 public:
  using Action = typename P::Action;
  using Outcome = typename P::Outcome;

  explicit ProblemOf(std::shared_ptr<const P> problem) : problem_(std::move(problem)) {}

  std::string_view kind() const override { return Codec<P>::kKind; }
  Json params() const override { return Codec<P>::params(*problem_); }
  std::size_t row_width() const override { return hannan::row_width(*problem_); }
  Interval row_range() const override { return hannan::row_range(*problem_); }
  Json outcome_of_row(std::span<const double> row) const override {
    Outcome y{};
    outcome_from_row(*problem_, row, y);
    return Codec<P>::outcome_json(*problem_, y);
  }
  void check_outcome(const Json& outcome, std::string_view path) const override {
    Codec<P>::parse_outcome(*problem_, outcome, path);
  }

  Json describe() const override {
    Json matrices = Json::array();
    for (const auto& matrix : P::perturbations(problem_)) {
      matrices.push_back(Json::object({{"name", matrix->name()},
                                       {"columns", matrix->columns()},
                                       {"gamma", matrix->gamma() ? Json(*matrix->gamma()) : Json()}}));
    }
    Json oracles = Json::array();
    for (const auto& oracle : P::oracles(problem_)) oracles.push_back(oracle->name());
    const auto count = action_count();
    return Json::object({{"ln_actions", problem_->ln_size()},
                         {"actions", count ? Json(*count) : Json()},
                         {"normaliser", problem_->normaliser()},
                         {"perturbations", std::move(matrices)},
                         {"oracles", std::move(oracles)}});
  }

  Json actions(std::uint64_t limit) const override {
    Json list = Json::array();
    const auto some = first_actions(limit);
    for (const auto& x : some) list.push_back(Codec<P>::action_json(*problem_, x));
    const auto count = action_count();
    return Json::object({{"actions", std::move(list)}, {"complete", count && *count <= static_cast<double>(limit)}});
  }

  Json loss(const Json& action, const Json& outcome) const override {
    const Action x = Codec<P>::parse_action(*problem_, action, "action");
    const Outcome y = Codec<P>::parse_outcome(*problem_, outcome, "outcome");
    const double loss = problem_->loss(x, y);
    return Json::object({{"loss", loss}, {"reward", 1 - loss}, {"raw", problem_->raw(x, y)}});
  }

  std::vector<double> losses(const Json& outcome, std::string_view path) const override {
    const Outcome y = Codec<P>::parse_outcome(*problem_, outcome, path);
    std::vector<double> all;
    for (const auto& x : first_actions(kMostListed)) all.push_back(problem_->loss(x, y));
    return all;
  }

  Json row(const std::string& perturbation, const Json& action) const override {
    const auto matrix = choose_named(P::perturbations(problem_), perturbation, "perturbation");
    std::vector<double> row(matrix->columns());
    matrix->row(Codec<P>::parse_action(*problem_, action, "action"), row);
    return Json::object({{"row", row}});
  }

  Json column(const std::string& perturbation, std::uint64_t column, int sign, Weights weights) const override {
    const auto matrix = choose_named(P::perturbations(problem_), perturbation, "perturbation");
    if (column >= matrix->columns()) {
      throw Error(
          Code::kOutOfRange,
          "found column " + std::to_string(column) + ", expected one below " + std::to_string(matrix->columns()),
          "column");
    }
    const auto set = matrix->data({.column = column, .sign = sign, .weights = weights});
    if (!set) refuse_column(sign, weights, "known by construction");
    return data_json(*set);
  }

  Json searched_column(const ColumnQuery& query) const override {
    const auto matrix = choose_named(P::perturbations(problem_), query.perturbation, "perturbation");
    const typename Perturbation<P>::ColumnRequest request{
        .column = query.column, .sign = query.sign, .weights = query.weights};
    if (query.column >= matrix->columns() || matrix->data(request))
      return column(query.perturbation, query.column, query.sign, query.weights);
    const auto count = action_count();
    if (!count || *count > kMostConditionRows)
      refuse_column(query.sign, query.weights,
                    "known by construction, and there are too many actions to search for one");
    std::vector<Outcome> ys;
    if (query.outcomes) {
      ys = outcomes_in(*query.outcomes);
    } else if constexpr (requires { problem_->outcomes(); }) {
      for (const auto& y : problem_->outcomes()) ys.push_back(y);
    }
    if (ys.empty() || ys.size() > kMostSearched) {
      refuse_column(query.sign, query.weights,
                    "known by construction; give at most " + std::to_string(kMostSearched) +
                        " \"outcomes\" to search for one among them");
    }
    const auto set = search_column(*problem_, *matrix, first_actions(kMostConditionRows), ys, request);
    if (!set) refuse_column(query.sign, query.weights, "found among the outcomes");
    return data_json(*set);
  }

  Json best(const BestRequest& request) const override {
    const auto oracle = choose_oracle(problem_, request.oracle, "oracle");
    const auto history = oracle->empty();
    const auto& list = to_list(request.data, "data");
    limits::WeightSum weights;
    for (std::size_t i = 0; i < list.size(); ++i) {
      Fields point(list[i], path_of("data", i));
      const double weight = point.number("weight");
      weights.add(weight, point.at("weight"));
      const Outcome y = Codec<P>::parse_outcome(*problem_, point.need("outcome"), point.at("outcome"));
      point.done();
      if (weight < 0 && !oracle->takes_negative_weights()) {
        throw Error(Code::kUnavailable, "oracle \"" + oracle->name() + "\" takes no negative weights",
                    point.at("weight"));
      }
      history->add(y, weight);
    }
    const auto nothing = oracle->empty();
    const auto answer = oracle->best({*history, *nothing, 0.0}, request.keep);
    Json pool = Json::array();
    for (const auto& [action, value] : answer.pool) {
      pool.push_back(Json::object({{"action", Codec<P>::action_json(*problem_, action)}, {"value", value}}));
    }
    Json json = Json::object({{"action", Codec<P>::action_json(*problem_, answer.action)},
                              {"value", answer.value},
                              {"floor", answer.floor},
                              {"pool", std::move(pool)},
                              {"rest", answer.rest},
                              {"oracle", oracle->name()},
                              {"proven", answer.proven()}});
    if (!oracle->claims().empty()) json.set("claims", oracle->claims());
    return json;
  }

  Json conditions(const ConditionsQuery& query) const override {
    const std::vector<Outcome> ys = outcomes_in(query.outcomes);
    if (query.actions) {
      std::vector<Action> xs;
      const auto& given = to_list(*query.actions, "actions");
      for (std::size_t i = 0; i < given.size(); ++i)
        xs.push_back(Codec<P>::parse_action(*problem_, given[i], path_of("actions", i)));
      if (xs.empty()) throw Error(Code::kOutOfRange, "found no action, expected at least one", "actions");
      return conditions_of_some(problem_, xs, ys, query);
    }
    const auto count = action_count();
    if (!count || *count > kMostConditionRows) {
      throw Error(Code::kUnavailable,
                  "the conditions are checked over all actions, and there are more than " +
                      std::to_string(kMostConditionRows) + "; say which \"actions\" to check",
                  "in");
    }
    return conditions_of_all(problem_, first_actions(kMostConditionRows), ys, query);
  }

  Json check(const CheckRequest& request) const override {
    const auto count = action_count();
    const bool few = count && *count <= kMostListedRows;
    return Checker<P>(
               {.problem = problem_,
                .count = count,
                .actions = few ? first_actions(static_cast<std::uint64_t>(kMostListedRows)) : std::vector<Action>{},
                .request = request})
        .run();
  }

  Json outcomes() const override {
    Json list;
    if constexpr (requires { problem_->outcomes(); }) {
      list = Json::array();
      for (const auto& y : problem_->outcomes()) list.push_back(Codec<P>::outcome_json(*problem_, y));
    }
    return list;
  }

  void extreme_outcomes(ExtremeOutcomes<Json>& into) const override { add_extreme_outcomes(*problem_, into); }
  bool simulates() const override { return kSimulates<P>; }
  Json simulated(const MarketDraws& draws) const override {
    if constexpr (kSimulates<P>) {
      return Codec<P>::outcome_json(*problem_, problem_->simulated(draws));
    } else {
      throw Error(Code::kUnavailable, "no simulated market makes outcomes of \"" + std::string(Codec<P>::kKind) + "\"",
                  "problem");
    }
  }

  Json noise_size(const std::string& perturbation, const std::string& noise_name) const override {
    const auto matrix = choose_named(P::perturbations(problem_), perturbation, "perturbation");
    const Noise noise = Noise::parse(noise_name, "noise");
    if (noise.facts().one_sided && matrix->hedge_sign() == HedgeSign::kMixed) {
      throw Error(Code::kUnavailable, one_sided_objection(noise.facts(), *matrix), "noise");
    }
    const auto oracle = P::oracles(problem_).front();
    const NoiseSize size =
        size_of_noise(oracle, matrix, noise, oracle->name() == "tabulate" ? problem_->ln_size() : 0.0);
    return Json::object({{"M", size.value}, {"low", size.low}, {"high", size.high}, {"method", size.method}});
  }

  std::unique_ptr<AnyLearner> learner(const std::string& kind, const Json& params) const override {
    return std::make_unique<LearnerOf<P>>(problem_, parse_learner(kind, params, "params"));
  }

  std::unique_ptr<AnyLearner> load(const Json& state) const override {
    Fields fields(state, "state");
    Fields learner = fields.fields("learner");
    auto face = std::make_unique<LearnerOf<P>>(
        problem_, parse_learner(learner.word("kind"), learner.need("params"), "state.learner.params"));
    JsonReader reader(fields.need("state"), "state.state");
    face->archive(reader);
    return face;
  }

 private:
  std::vector<Outcome> outcomes_in(const Json& outcomes) const {
    std::vector<Outcome> ys;
    const auto& list = to_list(outcomes, "outcomes");
    for (std::size_t i = 0; i < list.size(); ++i)
      ys.push_back(Codec<P>::parse_outcome(*problem_, list[i], path_of("outcomes", i)));
    if (ys.empty()) throw Error(Code::kOutOfRange, "found no outcome, expected at least one", "outcomes");
    return ys;
  }
  Json data_json(const Dataset<Outcome>& set) const {
    Json data = Json::array();
    for (const auto& [weight, outcome] : set) {
      data.push_back(Json::object({{"weight", weight}, {"outcome", Codec<P>::outcome_json(*problem_, outcome)}}));
    }
    return Json::object({{"data", std::move(data)}});
  }
  [[noreturn]] static void refuse_column(int sign, Weights weights, const std::string& where) {
    throw Error(Code::kUnavailable,
                "no data set " + std::string(weights == Weights::kNonNegative ? "of non-negative weights " : "") +
                    "that makes " + (sign > 0 ? "plus" : "minus") + " this column is " + where,
                "column");
  }
  std::optional<double> action_count() const {
    if constexpr (requires { problem_->action_count(); }) {
      return problem_->action_count();  // none above 2^53
    } else {
      return static_cast<double>(problem_->size());
    }
  }
  std::vector<Action> first_actions(std::uint64_t limit) const {
    if constexpr (requires { problem_->first_actions(limit); }) {
      return problem_->first_actions(limit);
    } else {
      std::vector<Action> some;
      for (std::uint64_t k = 0; k < problem_->size() && k < limit; ++k) some.push_back(problem_->action(k));
      return some;
    }
  }

  std::shared_ptr<const P> problem_;
};

template <class P>
  requires RegisteredProblem<P>
ProblemKind kind_of() {
  ProblemKind kind;
  kind.name = Codec<P>::kKind;
  kind.about = Codec<P>::kAbout;
  kind.make = [](const Json& params, std::string_view path) -> std::unique_ptr<AnyProblem> {
    Fields fields(params, std::string(path));
    auto problem = Codec<P>::parse(fields);
    fields.done();
    return std::make_unique<ProblemOf<P>>(std::move(problem));
  };
  if constexpr (requires { Codec<P>::kColumnsParam; }) kind.columns_param = Codec<P>::kColumnsParam;
  if constexpr (requires { Codec<P>::kActionLabels; }) kind.action_labels = Codec<P>::kActionLabels;
  if constexpr (requires { Codec<P>::instances(); }) kind.instances = Codec<P>::instances();
  if constexpr (requires { Codec<P>::kFileAbout; }) {
    kind.file_about = Codec<P>::kFileAbout;
    kind.import = [](Json params, const std::string& file) { return Codec<P>::import(std::move(params), file); };
  }
  return kind;
}

}  // namespace hannan
