// A learner's configuration from the body of PUT, and back. Two forms are kept: as it was given, which is stored and
// made again at every start, so that defaults of a later version do not change it in the middle; and with every default
// filled in, by which two PUTs are compared and which GET shows.
#include "service/learner_config.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/bidlog/map_floors.hpp"
#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/runtime/context_learner.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/state_digest.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kMostTags = 32;

// Of a learner, or of one among the strategies of a portfolio, whose parameters may stand beside its kind.
bool has_external(const Json& params) {
  const Json* oracle = params.find("oracle");
  if (oracle && oracle->is_string() && oracle->as_string().starts_with("external")) return true;
  if (const Json* inner = params.find("params"); inner && has_external(*inner)) return true;
  const Json* strategies = params.find("strategies");
  return strategies && strategies->is_array() && std::ranges::any_of(strategies->as_array(), has_external);
}

// Such an oracle starts a program on the server's machine: only where the operator allowed it.
void refuse_external(const Json& params, ExternalOracles oracles, const char* at) {
  if (oracles == ExternalOracles::kAllowed || !has_external(params)) return;
  throw Error(Code::kUnavailable,
              "found an oracle that runs a command, expected one of the program's own; the service must be started "
              "with --allow-external for others",
              at);
}

// Names of the bidders in the order of the problem; null stands for all others, "*" in floors.
std::vector<std::string> read_slots(Fields& in) {
  std::vector<std::string> slots;
  const Json* given = in.maybe("slots");
  if (!given) return slots;
  const auto& list = to_list(*given, "slots");
  for (std::size_t i = 0; i < list.size(); ++i)
    slots.push_back(list[i].is_null() ? "*" : to_word(list[i], path_of("slots", i)));
  return slots;
}

// Only floors can be public: they are read by pages of browsers, which hold no token.
bool read_public(Fields& in) {
  const Json* given = in.maybe("public");
  if (!given) return false;
  for (const auto& name : to_words(*given, "public")) {
    if (name != "floors") throw Error(Code::kUnknownName, "found \"" + name + "\", expected \"floors\"", "public[0]");
  }
  return given->size() > 0;
}

}  // namespace

// Nothing here depends on them.
Json read_tags(Fields& in) {
  const Json* given = in.maybe("tags");
  if (!given) return Json::object();
  if (!given->is_object()) throw Error(Code::kWrongType, "found " + describe(*given) + ", expected an object", "tags");
  if (given->size() > kMostTags) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(given->size()) + " tags, expected at most " + std::to_string(kMostTags),
                "tags");
  }
  for (const auto& [name, value] : given->as_object()) to_word(value, path_of("tags", name));
  return *given;
}

Json begun_from(std::uint64_t rounds, const Json& state) {
  Digest digest;
  digest.add(dump(state));
  return Json::object({{"rounds", rounds}, {"digest", digest.hex()}});
}

// With every default, for comparisons and answers. A state is shown by its rounds and digest, not as a whole.
Json LearnerConfig::json() const {
  Json all = with_facts(parts(problem_params, learner_params));
  if (!state.is_null()) all.set("from", begun_from(first_rounds, state));
  return all;
}

// As it was given, for the store: what is made again from it at the next start.
Json LearnerConfig::given() const {
  return with_facts(state.is_null() ? parts(given_problem_params, given_learner_params)
                                    : Json::object({{"state", state}}));
}

Json LearnerConfig::parts(const Json& of_problem, const Json& of_learner) const {
  return Json::object({{"problem", Json::object({{"kind", problem_kind}, {"params", of_problem}})},
                       {"learner", Json::object({{"kind", learner_kind}, {"params", of_learner}})}});
}

Json LearnerConfig::with_facts(Json all) const {
  if (!slots.empty()) all.set("slots", Json(slots));
  if (cap) all.set("cap", *cap);
  if (!currency.empty()) all.set("currency", currency);
  all.set("tags", tags);
  all.set("public", public_floors ? Json::array({"floors"}) : Json::array());
  all.set("delay", delayed ? "settled" : "shared");
  all.set("keep", Json::object({{"rounds", keep_rounds}}));
  all.set("max_age", max_age);
  all.set("floors_age", floors_age);
  if (!floor_fields.empty() || floors_drop_empty)
    all.set("floors", Json::object({{"fields", Json(floor_fields)}, {"drop_empty", floors_drop_empty}}));
  return all;
}

// Whether numbers of the problem are money already, so that a cap makes no sense.
bool LearnerConfig::in_money() const { return money && !money->amounts.lists.empty(); }

// What price floors need to know of a log, from the configuration in its place.
LogFacts LearnerConfig::facts() const {
  LogFacts facts;
  facts.cap = cap.value_or(1);
  facts.priced = cap.has_value();
  facts.currency = currency;
  facts.slots = slots;
  if (std::find(slots.begin(), slots.end(), "*") != slots.end()) facts.rest = {"*"};
  return facts;
}

namespace {

// From {"problem","learner"}, with every default.
void make_new(Fields& in, ExternalOracles oracles, MadeLearner& made) {
  LearnerConfig& config = made.config;
  const Json none = Json::object();
  Fields problem = in.fields("problem");
  config.problem_kind = problem.word("kind");
  const Json* problem_params = problem.maybe("params");
  problem.done();
  const Json* learner = in.maybe("learner");
  Fields chosen(learner ? *learner : none, "learner");
  config.learner_kind = chosen.word("kind", default_learner());
  const Json* learner_params = chosen.maybe("params");
  chosen.done();
  const Json& params = learner_params ? *learner_params : none;
  refuse_external(params, oracles, "learner.params.oracle");
  made.problem = make_problem(config.problem_kind, problem_params ? *problem_params : none, "problem.params");
  made.learner = made.problem->turn(config.learner_kind, params);
  if (problem_params) config.given_problem_params = *problem_params;
  config.given_learner_params = params;
}

// From what save of the pipe, `hannan run --save` or GET state gave.
void make_from_state(const Json& state, ExternalOracles oracles, MadeLearner& made) {
  LearnerConfig& config = made.config;
  check_state(state);
  Fields problem(state.at("problem"), "state.problem");
  config.problem_kind = problem.word("kind");
  config.given_problem_params = problem.need("params");
  problem.done();
  Fields learner(state.at("learner"), "state.learner");
  config.learner_kind = learner.word("kind");
  config.given_learner_params = learner.need("params");
  refuse_external(config.given_learner_params, oracles, "state.learner.params.oracle");
  made.problem = make_problem(config.problem_kind, config.given_problem_params, "state.problem.params");
  made.learner = made.problem->load(state);
  config.state = state;
  config.first_rounds = made.learner->rounds();
}

// Checked here against the columns of the learner, so that a wrong field is refused with the PUT and not with the first
// file of floors.
void read_floors(const Json& floors, MadeLearner& made) {
  Fields in(floors, "floors");
  if (in.has("fields")) made.config.floor_fields = in.words("fields");
  made.config.floors_drop_empty = in.flag("drop_empty", false);
  in.done();
  try {
    read_floor_fields(made.config.floor_fields, made.config.orders);
  } catch (const Error& e) {
    throw Error(e.code(), e.message(), "floors.fields");
  }
}

// The body may say how late outcomes are treated; it must be what the learner does.
void check_delay(const Json* given, MadeLearner& made) {
  made.config.delayed = made.learner.as<DelayedLearner>() != nullptr;
  if (!given) return;
  const std::string wanted = made.config.delayed ? "settled" : "shared";
  const std::string& found = to_word(*given, "delay");
  if (found == wanted) return;
  throw Error(Code::kUnavailable,
              "found \"" + found + "\", expected \"" + wanted +
                  "\": \"settled\" is for a learner with \"delayed\":true, " + "\"shared\" for all others",
              "delay");
}

}  // namespace

// Used for a PUT, and at every start for what was stored. Order: the learner first, then what the service keeps beside
// it, then fields that are left over are refused.
MadeLearner make_learner(const Json& body, ExternalOracles oracles) {
  Fields in(body, "");
  MadeLearner made;
  LearnerConfig& config = made.config;
  if (const Json* state = in.maybe("state")) {
    make_from_state(*state, oracles, made);
  } else {
    make_new(in, oracles, made);
  }
  if (const ContextLearner* tree = made.learner.as<ContextLearner>()) config.orders = tree->orders();
  if (const PortfolioLearner* portfolio = made.learner.as<PortfolioLearner>()) {
    config.orders = portfolio->orders();
    config.rehearsed = portfolio->warm();
  }
  config.slots = read_slots(in);
  if (in.has("cap")) config.cap = in.number("cap", Interval{1e-300, 1e300});
  config.currency = in.word("currency", "");
  config.tags = read_tags(in);
  config.public_floors = read_public(in);
  check_delay(in.maybe("delay"), made);
  if (const Json* keep = in.maybe("keep")) {
    Fields kept(*keep, "keep");
    config.keep_rounds = static_cast<std::uint64_t>(kept.integer("rounds", kNatural, 0));
    kept.done();
  }
  config.max_age = static_cast<std::uint64_t>(in.integer("max_age", {0, 31'536'000}, 0));
  config.floors_age = static_cast<std::uint64_t>(in.integer("floors_age", {0, 31'536'000}, 600));
  if (const Json* floors = in.maybe("floors")) read_floors(*floors, made);
  in.done();

  config.problem_params = made.problem->params();
  config.learner_params = made.learner->params();
  if (PartLearner* part = made.learner.as<PartLearner>()) {
    config.feedback = config.learner_params.at("feedback").as_string();
    config.client_coins = part->decisions() != nullptr;
    config.coins_told = part->coins_from_elsewhere();
  }
  config.money = made.problem->game().money();
  const bool bidders = config.money && config.money->amounts.owner == "bidder";
  if (!config.slots.empty() && bidders && config.slots.size() != config.money->amounts.owners) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(config.slots.size()) + " names, expected " +
                    std::to_string(config.money->amounts.owners) + ", one per bidder",
                "slots");
  }
  return made;
}

// Names stand in paths and file names: nothing in them needs quoting, and "." and ".." are no names.
void check_learner_name(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
  };
  if (name.empty() || name.size() > 64 || !std::all_of(name.begin(), name.end(), fits) || name == "." || name == "..") {
    throw Error(Code::kOutOfRange,
                "found a name of other characters or another length, expected 1 to 64 of A-Z a-z 0-9 . _ -", "name");
  }
}

// An upper guess, counted against --memory when a learner is made: 100 KB for histories and answers, 64 bytes an action
// where actions are listed.
double estimated_bytes(const AnyProblem& problem) {
  constexpr double kMostListed = 4e6;  // beyond it no problem keeps a number per action
  const double actions = std::min(kMostListed, std::exp(problem.game().ln_size()));
  return 1e5 + 64 * actions;
}

}  // namespace hannan::detail::service
