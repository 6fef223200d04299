// The JSON-lines interface: one request, one answer, in order. A verb is a member function that reads its fields,
// refuses what is left (done()) and returns the body; answer() turns whatever is thrown into
// {"ok":false,"error":{...}}, so a bad request never ends the pipe and never changes a learner. Problems and learners
// are kept by the names that the client gave; a name that is used again is replaced. Cost of a verb: that of the call
// behind it.
#include "hannan/runtime/pipe.hpp"

#include <exception>
#include <optional>
#include <utility>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/noise/noise_kinds.hpp"
#include "hannan/runtime/best_known.hpp"
#include "hannan/runtime/bound_request.hpp"
#include "hannan/runtime/portfolio_requests.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/round_json.hpp"
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
std::uint64_t round_in(Fields& in) {
  return static_cast<std::uint64_t>(in.integer("round", {1, static_cast<std::int64_t>(kMostSavedCount)}));
}

void refuse_round(Fields& in) {
  if (!in.has("round")) return;
  throw Error(
      Code::kUnknownField,
      "found \"round\", which only a learner with delayed outcomes takes (\"ada\" with \"delayed\":true); this one "
      "plays its rounds in turn",
      in.at("round"));
}

std::vector<std::string> context_in(const ContextLearner& learner, Fields& in) {
  std::vector<std::string> context;
  read_context(in.need("context"), learner.by().size(), in.at("context"), context);
  return context;
}

namespace answers {

using namespace round_fields;
constexpr RoundField kActed[] = {kNumber, kAction, kRate, known(kRegime), known(kWeights)};
constexpr RoundField kActedNode[] = {kSegment, kAction, kWeight, kRate, known(kRegime)};
constexpr RoundField kActedByContext[] = {kNumber, kAction, kSegment, nodes(kActedNode)};
constexpr RoundField kObserved[] = {kLoss,
                                    kTotal,
                                    kBest,
                                    kRegret,
                                    kOracleCalls,
                                    kSwitched,
                                    kAfter,
                                    known(kStability),
                                    shown(kGap, When::kCertified),
                                    kRun,
                                    kLimit,
                                    kDiscounted,
                                    kEstimates};
constexpr RoundField kObservedLate[] = {kLoss, kSettled, kGaps, kStability, kTotal, kBest, kRegret, kOracleCalls};
constexpr RoundField kObservedByContext[] = {kLoss,  kRealised, kOwn,    kGaps,        kStabilities,
                                             kTotal, kBest,     kRegret, kOracleCalls, kOpened};
constexpr RoundField kObservedAsleep[] = {kLoss, kTotal,  kBest, kRegret, kOracleCalls, kSwitched, known(kStability),
                                          kGap,  kRegrets};

}  // namespace answers

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
                                                            {"strategies", &Pipe::strategies},
                                                            {"floors", &Pipe::floors},
                                                            {"solve", &Pipe::solve}};
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
    std::optional<Json> of_forecasts = forecasts_.answer(op, in);
    Json body = of_forecasts ? std::move(*of_forecasts) : (this->*verb->second)(in);
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

AnyTurn& Pipe::learner_in(Fields& in) {
  const std::string name = in.word("in");
  const auto found = learners_.find(name);
  if (found == learners_.end())
    throw Error(Code::kUndefined, "no learner is named \"" + name + "\"; make one with op \"learner\"", in.at("in"));
  return found->second;
}

// What this program can do, for clients that choose.
Json Pipe::hello(Fields& in) {
  in.done();
  Json problems = Json::array(), learners = Json::array(), noises = Json::array();
  for (const auto& kind : problem_kinds()) problems.push_back(kind.name);
  problems.push_back(kForecastsKind);
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
  forecasts_.forget_problem(name);
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
  AnyTurn made = problem->turn(kind, params ? *params : none);
  Json answer = Json::object({{"params", made->params()}});
  learners_[name] = std::move(made);
  forecasts_.forget_learner(name);
  return answer;
}

// By kind of turn: late, by context, asleep, in order. Asked twice in a round it answers the same.
Json Pipe::act(Fields& in) {
  return learner_in(in).visit(
      [&](PlainLearner& learner) {
        refuse_round(in);
        in.done();
        return round_json(learner.act(), answers::kActed);
      },
      [&](DelayedLearner& learner) {
        const std::uint64_t round = round_in(in);
        in.done();
        return round_json(learner.act(round), answers::kActed);
      },
      [&](ContextLearner& learner) {
        const auto context = context_in(learner, in);
        in.done();
        return round_json(learner.act(context), answers::kActedByContext);
      },
      [&](SleepingLearner& learner) {
        refuse_round(in);
        if (const Json* awake = in.maybe("awake")) learner.wake(to_integers(*awake, "awake"));
        in.done();
        return round_json(learner.act(), answers::kActed);
      },
      [&](PortfolioLearner& learner) {
        refuse_round(in);
        return act_portfolio(learner, in);
      },
      [&](PartLearner& learner) { return act_in_part(learner, in); });
}

// Fields that not every learner has are there only where they mean something, in a fixed order: records hold the same.
Json Pipe::observe(Fields& in) {
  AnyTurn& turn = learner_in(in);
  const bool warm = in.flag("warm", false);
  if (warm) turn->check_rehearsal("warm");
  // Called once the fields before the outcome were read.
  const auto outcome = [&]() -> const AnyOutcome& {
    const Json& given = in.need("outcome");
    in.done();
    return turn->read(given, "outcome");
  };
  Json answer = turn.visit(
      [&](PlainLearner& learner) {
        refuse_round(in);
        Round round = learner.observe(outcome());
        if (learner.setting().certifies_run) {
          const auto certified = learner.run_view();
          round.run = certified.run;
          round.limit = certified.limit;
        }
        return round_json(round, answers::kObserved);
      },
      [&](DelayedLearner& learner) {
        const std::uint64_t round = round_in(in);
        return round_json(learner.observe(round, outcome()), answers::kObservedLate);
      },
      [&](ContextLearner& learner) {
        const auto context = context_in(learner, in);
        return round_json(learner.observe(context, outcome()), answers::kObservedByContext);
      },
      [&](SleepingLearner& learner) {
        refuse_round(in);
        return round_json(learner.observe(outcome()), answers::kObservedAsleep);
      },
      [&](PortfolioLearner& learner) {
        refuse_round(in);
        return observe_portfolio(learner, in);
      },
      [&](PartLearner& learner) { return observe_in_part(learner, in); });
  if (warm) turn->count_as_rehearsed();
  return answer;
}

Json Pipe::report(Fields& in) {
  AnyLearner& learner = *learner_in(in);
  in.done();
  return with_best_range(learner.report(), learner.game());
}

Json Pipe::save(Fields& in) {
  AnyLearner& learner = *learner_in(in);
  in.done();
  return Json::object({{"state", learner.save()}});
}

// A state that is refused leaves the learner of that name as it was.
Json Pipe::load(Fields& in) {
  const std::string name = in.word("as");
  const Json& state = in.need("state");
  in.done();
  AnyTurn made = load_turn(state);
  Json answer = Json::object({{"params", made->params()}});
  learners_[name] = std::move(made);
  forecasts_.forget_learner(name);
  return answer;
}

Json Pipe::strategies(Fields& in) {
  PortfolioLearner* learner = learner_in(in).as<PortfolioLearner>();
  if (!learner) throw Error(Code::kUnavailable, "found another learner, expected a portfolio", in.at("in"));
  in.done();
  return Json::object({{"strategies", learner->strategies_json()}});
}

Json Pipe::bound(Fields& in) { return Json::object({{"value", bound_value(in)}}); }

}  // namespace hannan::detail
