// The JSON-lines interface: one request, one answer, in order. A verb is a member function that reads its fields,
// refuses what is left (done()) and returns the body; answer() turns whatever is thrown into
// {"ok":false,"error":{...}}, so a bad request never ends the pipe and never changes a learner. Problems and learners
// are kept by the names that the client gave; a name that is used again is replaced. Cost of a verb: that of the call
// behind it.
#include "hannan/runtime/pipe.hpp"

#include <exception>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/noise/noise_kinds.hpp"
#include "hannan/runtime/best_known.hpp"
#include "hannan/runtime/bound_request.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/round_fields.hpp"
#include "hannan/runtime/sleeping_learner.hpp"
#include "hannan/runtime/version.hpp"

namespace hannan::detail {
namespace {

int sign_field(Fields& in, std::int64_t fallback, std::initializer_list<int> allowed) {
  const auto sign = static_cast<int>(in.integer("sign", {-1, 1}, fallback));
  for (const int a : allowed) {
    if (sign == a) return sign;
  }
  throw Error(Code::kOutOfRange, "found " + std::to_string(sign) + ", expected 1 or -1", in.at("sign"));
}

// Rounds are counted from 1; a state keeps counts up to this.
constexpr IntegerRange kRounds{1, static_cast<std::int64_t>(kMostSavedCount)};

void refuse_round(Fields& in) {
  if (!in.has("round")) return;
  throw Error(
      Code::kUnknownField,
      "found \"round\", which only a learner with delayed outcomes takes (\"ada\" with \"delayed\":true); this one "
      "plays its rounds in turn",
      in.at("round"));
}

}  // namespace

// The shape that docs/pipe.md promises; `code` is for programs, `message` for people, `at` the path of the field.
Json error_answer(const Error& error) {
  return Json::object(
      {{"ok", false},
       {"error", Json::object({{"code", code_name(error.code())}, {"message", error.message()}, {"at", error.at()}})}});
}

const std::map<std::string, Pipe::Verb, std::less<>>& Pipe::verbs() {
  static const std::map<std::string, Verb, std::less<>> all{{"hello", &Pipe::hello},
                                                            {"problem", &Pipe::problem},
                                                            {"actions", &Pipe::actions},
                                                            {"loss", &Pipe::loss},
                                                            {"range", &Pipe::range},
                                                            {"row", &Pipe::row},
                                                            {"column", &Pipe::column},
                                                            {"best", &Pipe::best},
                                                            {"conditions", &Pipe::conditions},
                                                            {"noise_size", &Pipe::noise_size},
                                                            {"learner", &Pipe::learner},
                                                            {"act", &Pipe::act},
                                                            {"observe", &Pipe::observe},
                                                            {"report", &Pipe::report},
                                                            {"save", &Pipe::save},
                                                            {"load", &Pipe::load},
                                                            {"bound", &Pipe::bound},
                                                            {"segments", &Pipe::segments},
                                                            {"floors", &Pipe::floors}};
  return all;
}

Json Pipe::answer(const Json& request) {
  try {
    Fields in(request, "");
    const std::string op = in.word("op");
    const auto verb = verbs().find(op);
    if (verb == verbs().end()) {
      std::string names;
      for (const auto& [name, unused] : verbs()) names += (names.empty() ? "" : ", ") + name;
      throw Error(Code::kUnknownName, "found \"" + op + "\", expected one of " + names, "op");
    }
    Json body = (this->*verb->second)(in);
    Json out = Json::object({{"ok", true}});
    for (const auto& [name, value] : body.as_object()) out.set(name, value);
    return out;
  } catch (const Error& e) {
    return error_answer(e);
  } catch (const std::bad_alloc&) {
    return error_answer(Error(Code::kTooLarge, "there is not enough memory for this request"));
  } catch (const std::exception& e) {
    return error_answer(Error(Code::kInternal, e.what()));
  }
}

// Only parsing can throw here: answer() catches all that a verb throws.
std::string Pipe::answer_line(std::string_view line) {
  try {
    return dump(answer(parse_json(line)));
  } catch (const Error& e) {
    return dump(error_answer(e));
  }
}

// A name may be given to another problem at any time: learners made before keep the game of theirs.
std::shared_ptr<AnyProblem> Pipe::problem_in(Fields& in) {
  const std::string name = in.word("in");
  const auto found = problems_.find(name);
  if (found == problems_.end())
    throw Error(Code::kUndefined, "no problem is named \"" + name + "\"; make one with op \"problem\"", in.at("in"));
  return found->second;
}

AnyLearner& Pipe::learner_in(Fields& in) {
  const std::string name = in.word("in");
  const auto found = learners_.find(name);
  if (found == learners_.end())
    throw Error(Code::kUndefined, "no learner is named \"" + name + "\"; make one with op \"learner\"", in.at("in"));
  return *found->second;
}

// What this program can do, for clients that choose.
Json Pipe::hello(Fields& in) {
  in.done();
  Json problems = Json::array(), learners = Json::array(), noises = Json::array();
  for (const auto& kind : problem_kinds()) problems.push_back(kind.name);
  for (const auto& kind : learner_kinds()) learners.push_back(kind.name);
  for (const auto& kind : noise_kinds()) noises.push_back(std::string(kind.form));
  return Json::object(
      {{"name", "hannan"},
       {"version", kVersion},
       {"problems", std::move(problems)},
       {"learners", std::move(learners)},
       {"perturbations", Json::array({"bits", "one-hot", "thermometer", "outcomes", "direct", "dense"})},
       {"noises", std::move(noises)},
       {"oracles", Json::array({"tabulate", "branch_bound", "separable", "knapsack", "dynamic_program", "sweep",
                                "shortest_path", "external:COMMAND"})}});
}

Json Pipe::problem(Fields& in) {
  const std::string name = in.word("as");
  const std::string kind = in.word("kind");
  const Json none = Json::object();
  const Json* params = in.maybe("params");
  in.done();
  std::shared_ptr<AnyProblem> made = make_problem(kind, params ? *params : none, "params");
  Json facts = made->describe();
  problems_[name] = std::move(made);
  return facts;
}

Json Pipe::actions(Fields& in) {
  const auto problem = problem_in(in);
  const auto limit = static_cast<std::uint64_t>(in.integer("limit", {0, 10'000'000}, 1000));
  in.done();
  return problem->actions(limit);
}

Json Pipe::loss(Fields& in) {
  const auto problem = problem_in(in);
  const Json& action = in.need("action");
  const Json& outcome = in.need("outcome");
  in.done();
  const auto [loss, raw] = problem->loss(action, outcome);
  return Json::object({{"loss", loss}, {"reward", problem->reward(loss)}, {"raw", raw}});
}

Json Pipe::range(Fields& in) {
  const auto problem = problem_in(in);
  const Json& outcome = in.need("outcome");
  in.done();
  return problem->range(outcome);
}

Json Pipe::row(Fields& in) {
  const auto problem = problem_in(in);
  const std::string perturbation = in.word("perturbation");
  const Json& action = in.need("action");
  in.done();
  return Json::object({{"row", problem->row(perturbation, action)}});
}

Json Pipe::column(Fields& in) {
  const auto problem = problem_in(in);
  const std::string perturbation = in.word("perturbation");
  const auto column = static_cast<std::uint64_t>(in.integer("column", kNatural));
  const int sign = sign_field(in, 1, {-1, 1});
  const Weights weights = in.flag("nonnegative", false) ? Weights::kNonNegative : Weights::kAnySign;
  const Json* outcomes = in.maybe("outcomes");
  in.done();
  return Json::object(
      {{"data", problem->searched_column(
                    {.perturbation = perturbation, .column = column, .sign = sign, .weights = weights}, outcomes)}});
}

Json Pipe::best(Fields& in) {
  const auto problem = problem_in(in);
  const Json& data = in.need("data");
  const std::string oracle = in.word("oracle", "");
  const auto keep = static_cast<std::uint64_t>(in.integer("keep", {1, 1'000'000}, 1));
  in.done();
  return problem->best({.data = data, .oracle = oracle, .keep = keep});
}

Json Pipe::conditions(Fields& in) {
  const auto problem = problem_in(in);
  const std::string perturbation = in.word("perturbation");
  const Json& outcomes = in.need("outcomes");
  const int sign = sign_field(in, 0, {-1, 0, 1});
  const Json* actions = in.maybe("actions");
  in.done();
  return problem->conditions({.perturbation = perturbation, .outcomes = outcomes, .sign = sign, .actions = actions});
}

Json Pipe::noise_size(Fields& in) {
  const auto problem = problem_in(in);
  const std::string perturbation = in.word("perturbation");
  const std::string noise = in.word("noise", "laplace");
  in.done();
  const NoiseSize size = problem->noise_size(perturbation, noise);
  return Json::object({{"M", size.value}, {"low", size.low}, {"high", size.high}, {"method", size.method}});
}

Json Pipe::learner(Fields& in) {
  const std::string name = in.word("as");
  const auto problem = problem_in(in);
  const std::string kind = in.word("kind", default_learner());
  const Json none = Json::object();
  const Json* params = in.maybe("params");
  in.done();
  std::shared_ptr<AnyLearner> made = problem->learner(kind, params ? *params : none, RoundOrder::kAny);
  Json answer = Json::object({{"params", made->params()}});
  learners_[name] = std::move(made);
  return answer;
}

// By kind of turn: late, by context, asleep, in order. Asked twice in a round it answers the same.
Json Pipe::act(Fields& in) {
  AnyLearner& learner = learner_in(in);
  if (DelayedRounds* rounds = learner.delayed_rounds()) return act_delayed(*rounds, in);
  if (ContextLearner* tree = learner.by_context()) return act_for(*tree, in);
  refuse_round(in);
  if (SleepingLearner* sleepers = learner.sleeping()) {
    if (const Json* awake = in.maybe("awake")) sleepers->wake(to_integers(*awake, "awake"));
  }
  in.done();
  const ActView view = learner.act();
  Json answer = Json::object({{"round", view.round}, {"action", learner.action()}});
  append_rate(answer, learner, view);
  if (!view.weights.empty()) answer.set("weights", Json::array(view.weights));
  return answer;
}

// Fields that not every learner has are there only where they mean something, in a fixed order: records hold the same.
Json Pipe::observe(Fields& in) {
  AnyLearner& learner = learner_in(in);
  if (DelayedRounds* rounds = learner.delayed_rounds()) return observe_delayed(*rounds, learner.game(), in);
  if (ContextLearner* tree = learner.by_context()) return observe_for(*tree, in);
  refuse_round(in);
  const Json& outcome = in.need("outcome");
  in.done();
  const ObserveView view = learner.observe(outcome, "outcome");
  Json answer = Json::object({{"loss", view.loss},
                              {"total", view.total},
                              {"best", view.best},
                              {"regret", view.regret},
                              {"oracle_calls", view.oracle_calls}});
  if (learner.switches()) answer.set("switched", view.switched);
  if (view.has_after) answer.set("after", learner.after());
  if (view.stability.parts > 0) answer.set("stability", stability_json(view.stability));
  if (learner.certifies_run()) {
    const auto certified = learner.run_view();
    answer.set("gap", view.gap);
    answer.set("run", certified.run);
    answer.set("limit", certified.limit);
  }
  if (const SleepingLearner* sleepers = learner.sleeping()) {
    answer.set("gap", sleepers->gap());
    answer.set("regrets", Json::array(sleepers->regrets()));
  }
  if (view.discounted) {
    const auto& [total, best] = *view.discounted;
    answer.set("discounted",
               Json::object({{"total", total}, {"best", best}, {"regret", best ? Json(total - *best) : Json()}}));
  }
  if (view.estimates) answer.set("estimates", estimates_json(*view.estimates));
  return answer;
}

Json Pipe::act_delayed(DelayedRounds& rounds, Fields& in) {
  const auto round = static_cast<std::uint64_t>(in.integer("round", kRounds));
  in.done();
  const ActView view = rounds.act(round);
  return Json::object({{"round", view.round}, {"action", rounds.action(round)}, {"multiplier", view.multiplier}});
}

Json Pipe::observe_delayed(DelayedRounds& rounds, const Game& game, Fields& in) {
  const auto round = static_cast<std::uint64_t>(in.integer("round", kRounds));
  const Json& outcome = in.need("outcome");
  in.done();
  AnyOutcome y;
  game.read_outcome(outcome, "outcome", y);
  const ArrivalView view = rounds.observe(round, y);
  return Json::object({{"loss", view.loss},
                       {"settled", view.settled},
                       {"gaps", Json::array(view.gaps)},
                       {"stability", view.stability},
                       {"total", view.total},
                       {"best", view.best},
                       {"regret", view.regret},
                       {"oracle_calls", view.oracle_calls}});
}

Json Pipe::report(Fields& in) {
  AnyLearner& learner = learner_in(in);
  in.done();
  return with_best_range(learner.report(), learner.game());
}

Json Pipe::save(Fields& in) {
  AnyLearner& learner = learner_in(in);
  in.done();
  return Json::object({{"state", learner.save()}});
}

// A state that is refused leaves the learner of that name as it was.
Json Pipe::load(Fields& in) {
  const std::string name = in.word("as");
  const Json& state = in.need("state");
  in.done();
  std::shared_ptr<AnyLearner> made = load_learner(state, RoundOrder::kAny);
  Json answer = Json::object({{"params", made->params()}});
  learners_[name] = std::move(made);
  return answer;
}

Json Pipe::bound(Fields& in) { return Json::object({{"value", bound_value(in)}}); }

}  // namespace hannan::detail
