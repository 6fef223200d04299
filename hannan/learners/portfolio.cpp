// Parameters of a portfolio from JSON. What depends on the problem (whether an action is one, what `largest` is) is
// checked where the learner is made; here names, kinds that stand in the wrong place, and ranges are.
#include "hannan/learners/portfolio.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/rows.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostNameSize = 200;  // bytes
constexpr Interval kPick{0, 1 - 0x1p-53};   // below 1

// The fields of a strategy that are no parameters of its kind.
bool is_own_field(const std::string& name) {
  return name == "name" || name == "kind" || name == "shadow" || name == "params" || name == "problem";
}

StrategyParams read_strategy(const Json& json, const std::string& path) {
  StrategyParams s;
  s.path = path;
  if (json.is_string()) {
    s.name = s.kind = json.as_string();
    return s;
  }
  Fields in(json, path);
  s.kind = in.word("kind");
  s.name = in.word("name", s.kind);
  s.shadow = in.flag("shadow", false);
  if (s.name.empty() || s.name.size() > kMostNameSize)
    throw Error(Code::kOutOfRange, "found a name of " + std::to_string(s.name.size()) + " bytes, expected 1 to 200",
                in.at("name"));
  if (const Json* problem = in.maybe("problem")) s.problem = *problem;
  Json given = Json::object();
  if (in.has("params")) {
    in.fields("params");  // an object
    given = in.need("params");
  }
  for (const auto& [name, value] : json.as_object()) {
    if (is_own_field(name)) continue;
    if (given.find(name))
      throw Error(Code::kUnknownField, "found \"" + name + "\" twice, expected it once", in.at(name));
    given.set(name, value);
  }
  for (const auto& [name, value] : given.as_object()) {
    if (name != "tied") {
      s.params.set(name, value);
      continue;
    }
    if (!value.is_string() || value.as_string() != "all")
      throw Error(Code::kOutOfRange, "found " + describe(value) + ", expected \"all\"", in.at("tied"));
    s.tied = Tied::kAll;
  }
  return s;
}

void refuse_params(const StrategyParams& s, std::initializer_list<std::string_view> taken) {
  for (const auto& [name, value] : s.params.as_object()) {
    if (std::ranges::find(taken, name) == taken.end())
      throw Error(Code::kUnknownField,
                  "found \"" + name + "\", which a strategy of kind \"" + s.kind + "\" does not take",
                  path_of(s.path, name));
  }
  if (s.tied == Tied::kAll)
    throw Error(Code::kUnavailable,
                "found \"tied\" on a strategy of kind \"" + s.kind + "\", expected it on a learner or a rule",
                path_of(s.path, "tied"));
}

void check_strategy(const StrategyParams& s, std::size_t place) {
  if (s.kind == "portfolio")
    throw Error(Code::kUnavailable, "found a portfolio among the strategies of a portfolio, expected another kind",
                path_of(s.path, "kind"));
  if (s.kind == "logged" && place > 0)
    throw Error(Code::kUnavailable,
                "found \"logged\" in place " + std::to_string(place + 1) +
                    ", expected it first or not at all: it is what is done today",
                path_of(s.path, "kind"));
  if (s.shadow && place == 0)
    throw Error(Code::kOutOfRange, "found \"shadow\" on the first strategy, expected it on another: today is played",
                path_of(s.path, "shadow"));
  if (s.kind == "fixed") {
    if (!s.params.find("action"))
      throw Error(Code::kMissingField, "expected the action that is always played", path_of(s.path, "action"));
    refuse_params(s, {"action"});
  }
  if (s.kind == "logged" || s.kind == "given") refuse_params(s, {});
}

std::vector<StrategyParams> read_strategies(Fields& in) {
  const auto& list = in.list("strategies");
  if (list.empty())
    throw Error(Code::kUnavailable, "found no strategy, expected today's decision first", in.at("strategies"));
  if (list.size() > PortfolioOptions::kMostStrategies)
    throw Error(Code::kOutOfRange, "found " + std::to_string(list.size()) + " strategies, expected at most 64",
                in.at("strategies"));
  std::vector<StrategyParams> all;
  std::set<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    all.push_back(read_strategy(list[i], path_of(in.at("strategies"), i)));
    check_strategy(all.back(), i);
    if (!names.insert(all.back().name).second)
      throw Error(Code::kOutOfRange, "found \"" + all.back().name + "\" twice, expected a name for each strategy",
                  path_of(all.back().path, "name"));
  }
  return all;
}

// A share of a log's money is for those who have the log: they put the amount here.
double read_risk(Fields& in) {
  const Json& given = in.need("risk");
  if (given.is_string() && given.as_string().ends_with('%'))
    throw Error(Code::kUnavailable,
                "found " + describe(given) + ", expected an amount: there is no log whose money it is a share of",
                in.at("risk"));
  return in.number("risk", limits::kStake);
}

std::optional<double> read_stake(Fields& in, const char* name) {
  const Json* given = in.maybe(name);
  if (!given || given->is_null()) return std::nullopt;
  return in.number(name, limits::kStake);
}

}  // namespace

Json StrategyParams::json() const {
  Json json = Json::object({{"name", name}, {"kind", kind}});
  Json all = Json::object();
  if (tied == Tied::kAll) all.set("tied", "all");
  for (const auto& [field, value] : params.as_object()) all.set(field, value);
  if (all.size() > 0) json.set("params", std::move(all));
  if (!problem.is_null()) json.set("problem", problem);
  if (shadow) json.set("shadow", true);
  return json;
}

void PortfolioOptions::parse(Fields& in, const LearnerParams&) {
  if (in.has("strategies")) strategies = read_strategies(in);
  if (const Json* given = in.maybe("today")) {
    if (strategies)
      throw Error(Code::kUnavailable, "found \"today\" beside \"strategies\", expected one of them: the first is today",
                  in.at("today"));
    today = *given;
  }
  if (in.has("track")) track = in.choice("track", {"every", "powers", "end"});
  for (const char* name : {"by", "open", "most"}) {
    if (const Json* given = in.maybe(name)) columns.set(name, *given);
  }
  if (const Json* given = in.maybe("risk"); given && !given->is_null()) risk = read_risk(in);
  states_largest = in.has("largest");
  largest = read_stake(in, "largest");
  hard = read_stake(in, "hard");
  warm = static_cast<std::uint64_t>(in.integer("warm", kNatural, 0));
  delta = in.number("delta", limits::kChance, 0.05);
  if (in.has("u")) u = in.numbers("u", kPick);
}

void PortfolioOptions::print(Json& json) const {
  Json list = Json::array();
  for (const StrategyParams& s : strategies.value_or(std::vector<StrategyParams>{})) list.push_back(s.json());
  json.set("strategies", std::move(list))
      .set("risk", risk)
      .set("largest", largest)
      .set("hard", hard)
      .set("warm", warm)
      .set("delta", delta);
  if (u) json.set("u", Json(*u));
}

namespace {

struct PortfolioRow final : PortfolioOptions {
  static constexpr LearnerFacts kFacts{
      .name = "portfolio",
      .about = "today's decision, rules and learners, one of them played each round; a stated amount at risk",
      .params = "strategies today risk largest hard warm u delta track",
      .any_range = true,
      .of_strategies = true};

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    parts.refuse("a portfolio plays", ", and is no learner of single actions");
  }
};

}  // namespace

LearnerKind portfolio_row() { return learner_row<PortfolioRow>(); }

}  // namespace hannan::detail
