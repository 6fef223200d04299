// Requests about forecasts, by the verb and by what the name in the request is of (docs/pipe.md, forecasts).
#include "hannan/runtime/pipe_forecasts.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// Verbs whose "in" is a learner; of all others that have one it is a problem.
constexpr std::array<std::string_view, 7> kOfLearners{"act",      "observe",    "report", "save",
                                                      "segments", "strategies", "floors"};

bool is_of_learners(std::string_view op) {
  for (const std::string_view one : kOfLearners) {
    if (one == op) return true;
  }
  return false;
}

const Json& params_in(Fields& in) {
  static const Json kNone = Json::object();
  const Json* params = in.maybe("params");
  return params ? *params : kNone;
}

}  // namespace

std::optional<Json> PipeForecasts::answer(const std::string& op, Fields& in) {
  if (op == "problem") {
    const std::string name = in.word("as"), kind = in.word("kind");
    if (kind != kForecastsKind) return std::nullopt;
    const Json& params = params_in(in);
    in.done();
    ForecastsProblem made = forecasts_problem(params, "params");
    return Json::object({{"params", (problems_[name] = std::move(made)).params}});
  }
  if (op == "load") {
    const std::string name = in.word("as");
    const Json& state = in.need("state");
    if (!is_combiner_state(state)) return std::nullopt;
    in.done();
    return keep(name, CombineLearner::load(state));
  }
  if (op == "hello" || op == "bound" || !in.has("in")) return std::nullopt;
  const std::string name = in.word("in");
  if (!is_of_learners(op)) {
    const auto found = problems_.find(name);
    if (found != problems_.end()) return of_problem(found->second, op, in);
    if (op == "learner" && in.has("kind") && in.word("kind") == kCombineKind)
      throw Error(Code::kUnavailable, "found \"combine\", which needs a problem of the kind \"forecasts\"", "kind");
    return std::nullopt;
  }
  const auto found = learners_.find(name);
  if (found == learners_.end()) return std::nullopt;
  CombineLearner& learner = found->second;
  if (op == "act") return learner.act(in);
  if (op == "observe") return learner.observe(in);
  if (op != "report" && op != "save")
    throw Error(Code::kUnavailable,
                "found a learner that combines forecasts, which takes act, observe, report and save", "in");
  in.done();
  return op == "report" ? learner.report() : Json::object({{"state", learner.save()}});
}

Json PipeForecasts::of_problem(const ForecastsProblem& problem, const std::string& op, Fields& in) {
  if (op == "best") {
    const Json& data = in.need("data");
    in.done();
    return best_of_forecasts(problem, data, "data");
  }
  if (op != "learner")
    throw Error(Code::kUnavailable,
                "found a problem of forecasts, which has no actions; it takes \"best\" and learners of the kind "
                "\"combine\"",
                "in");
  const std::string name = in.word("as"), kind = in.word("kind", kCombineKind);
  const Json& params = params_in(in);
  in.done();
  if (kind != kCombineKind)
    throw Error(Code::kUnavailable,
                "found \"" + kind + "\", which plays problems with actions; forecasts are combined by \"combine\"",
                "kind");
  return keep(name, CombineLearner(problem, params, "params"));
}

Json PipeForecasts::keep(const std::string& name, CombineLearner learner) {
  return Json::object({{"params", learners_.insert_or_assign(name, std::move(learner)).first->second.params()}});
}

}  // namespace hannan::detail
