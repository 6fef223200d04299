// Problems whose rules are Python objects, as a kind of the registry ("custom"). Actions and outcomes are the text of
// JSON values; every loss is a call of Python under its lock. A problem is known by its name while the process lives: a
// state names it, and loading looks it up here and refuses one whose facts differ. Names are kept in a map under a
// mutex; what is dropped is destroyed after the lock is given back, because that may call Python.
#include "own_problem.hpp"

#include <map>
#include <mutex>

#include "hannan/core/error.hpp"
#include "hannan/external/external_oracle.hpp"
#include "hannan/external/own_oracles.hpp"
#include "hannan/game/game_of.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/perturbations/outcome_columns.hpp"
#include "hannan/runtime/kind_of.hpp"
#include "hannan/runtime/own_kinds.hpp"
#include "hannan/runtime/state_digest.hpp"

namespace hannan::detail::python {
namespace {

struct OwnProblems {
  std::mutex lock;
  std::map<std::string, std::shared_ptr<const OwnProblem>, std::less<>> by_name;
};
OwnProblems& own_problems() {
  static auto* all = new OwnProblems();  // never freed: the rules are Python objects, and the interpreter may be gone
  return *all;
}

std::shared_ptr<const OwnProblem> find_own_problem(const std::string& name) {
  OwnProblems& all = own_problems();
  const std::lock_guard lock(all.lock);
  const auto found = all.by_name.find(name);
  return found == all.by_name.end() ? nullptr : found->second;
}

// The object with one field replaced; the others in their order.
Json with_field(const Json& object, std::string_view name, const Json& value) {
  Json made = Json::object();
  for (const auto& [field, old] : object.as_object()) made.set(field, field == name ? value : old);
  return made;
}

// A state with one parameter replaced: problems and oracles of a process have other names in the next.
Json with_inner_field(const Json& object, std::string_view outer, std::string_view name, const Json& value) {
  const Json* part = object.find(outer);
  const Json* params = part && part->is_object() ? part->find("params") : nullptr;
  if (!params || !params->is_object() || !params->find(name))
    throw Error(Code::kBadState, "found no field \"" + std::string(name) + "\", expected one",
                path_of(path_of("state", std::string(outer)), "params"));
  return with_field(object, outer, with_field(*part, "params", with_field(*params, name, value)));
}

}  // namespace

// Asked of saved states, whose texts may have been written by another version.
bool OwnProblem::allows(const OwnAction& x) const {
  try {
    if (dump(parse_json(x.text)) != x.text) return false;
    parts_.rules->check(x, "action");
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::vector<std::shared_ptr<const Perturbation<OwnProblem>>> OwnProblem::perturbations(
    const std::shared_ptr<const OwnProblem>& p) {
  OutcomeColumns<OwnProblem>::Parts outcomes{
      .problem = p, .columns = p->parts_.columns, .form = Form::kLoss, .gamma = std::nullopt, .negative = nullptr};
  if (outcomes.columns.empty() && p->parts_.outcomes) {
    for (std::uint64_t d = 0; d < *p->parts_.outcomes; ++d)
      outcomes.columns.push_back({{1.0, OwnOutcome{std::to_string(d)}}});
    outcomes.gamma = p->ln_size() > 0 ? 1.0 : 0.0;
    outcomes.hedge_sign = HedgeSign::kNonNegative;
  }
  return {std::make_shared<OutcomeColumns<OwnProblem>>(std::move(outcomes))};
}

std::vector<std::shared_ptr<const AnyOracle<OwnProblem>>> OwnProblem::oracles(std::shared_ptr<const OwnProblem> p) {
  auto asked = make_own_oracle(p->parts_.oracle, "oracle");
  auto audited = external_oracle(std::make_shared<const GameOf<OwnProblem, Codec<OwnProblem>>>(p), std::move(asked));
  return {std::make_shared<detail::TypedOracle<OwnProblem>>(std::move(p), std::move(audited))};
}

void register_own_problem(const std::shared_ptr<const OwnProblem>& problem) {
  static const bool once = [] {
    register_kind(kind_custom());
    return true;
  }();
  static_cast<void>(once);
  OwnProblems& all = own_problems();
  std::shared_ptr<const OwnProblem> replaced;  // dropped after the lock: its rules are Python objects
  const std::lock_guard lock(all.lock);
  replaced = std::exchange(all.by_name[problem->parts().name], problem);
}

void forget_own_problem(const std::string& name) {
  OwnProblems& all = own_problems();
  std::shared_ptr<const OwnProblem> dropped;
  {
    const std::lock_guard lock(all.lock);
    const auto found = all.by_name.find(name);
    if (found == all.by_name.end()) return;
    dropped = std::move(found->second);
    all.by_name.erase(found);
  }
}

Json renamed_state(const Json& state, const OwnNames& names) {
  if (!state.is_object()) throw Error(Code::kBadState, "found " + describe(state) + ", expected a state", "state");
  check_digest(state);
  Json made = state;
  if (!names.problem.empty()) made = with_inner_field(made, "problem", "name", Json(names.problem));
  if (!names.oracle.empty()) made = with_inner_field(made, "learner", "oracle", Json(names.oracle));
  return sealed(made);
}

Json marked_state(const Json& state, const std::string& rules) {
  Json made = state;
  return sealed(made.set(std::string(kOwnRules), rules));
}

Json state_with_columns(const Json& state, const std::vector<std::string>& names) {
  Json made = state;
  return sealed(made.set("columns", Json::array(names)));
}

Json unmarked_state(const Json& state) {
  if (!state.is_object()) throw Error(Code::kBadState, "found " + describe(state) + ", expected a state", "state");
  check_digest(state);
  Json made = Json::object();
  for (const auto& [name, value] : state.as_object()) {
    if (name != kOwnRules) made.set(name, value);
  }
  return sealed(made);
}

ProblemKind kind_custom() { return kind_of<OwnProblem>(); }

}  // namespace hannan::detail::python

namespace hannan::detail {

using python::OwnAction;
using python::OwnOutcome;
using python::OwnProblem;

static_assert(Codec<OwnProblem>::kKind == kCustomKind);

// From a name to a problem of this process. Its facts must be those of the state: a state of another problem with the
// same name is refused.
std::shared_ptr<const OwnProblem> Codec<OwnProblem>::parse(Fields& params) {
  const std::string name = params.word("name");
  auto problem = python::find_own_problem(name);
  if (!problem)
    throw Error(Code::kUndefined,
                "found \"" + name + "\", expected a problem that hannan.custom has made in this process",
                params.at("name"));
  const Json known = Codec::params(*problem);
  for (const char* field : {"ln_size", "outcomes", "columns"}) {
    const Json& found = params.need(field);
    if (dump(found) == dump(known.at(field))) continue;
    throw Error(Code::kBadState,
                "found " + describe(found) + ", but the problem \"" + name + "\" of this process has " +
                    describe(known.at(field)),
                params.at(field));
  }
  return problem;
}

Json Codec<OwnProblem>::params(const OwnProblem& p) {
  const OwnProblem::Parts& parts = p.parts();
  Json columns = Json::array();
  for (const auto& column : parts.columns) {
    Json set = Json::array();
    for (const auto& [weight, outcome] : column) set.push_back(Json::array({Json(weight), parse_json(outcome.text)}));
    columns.push_back(std::move(set));
  }
  return Json::object({{"name", parts.name},
                       {"ln_size", parts.ln_size},
                       {"outcomes", parts.outcomes},
                       {"columns", std::move(columns)}});
}

Json Codec<OwnProblem>::action_json(const OwnProblem&, const OwnAction& x) {
  return x.text.empty() ? Json() : parse_json(x.text);
}

OwnAction Codec<OwnProblem>::parse_action(const OwnProblem& p, const Json& json, std::string_view path) {
  OwnAction x{dump(json)};
  p.parts().rules->check(x, path);
  return x;
}

Json Codec<OwnProblem>::outcome_json(const OwnProblem&, const OwnOutcome& y) { return parse_json(y.text); }

OwnOutcome Codec<OwnProblem>::parse_outcome(const OwnProblem& p, const Json& json, std::string_view path) {
  if (const auto count = p.parts().outcomes) to_integer(json, path, {0, static_cast<std::int64_t>(*count) - 1});
  return {dump(json)};
}

}  // namespace hannan::detail
