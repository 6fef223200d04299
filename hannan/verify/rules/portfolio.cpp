// portfolio: what the header of a record says of its strategies. Its rounds are checked by a turn of their own
// (by_proposals.cpp), in which every learner among the strategies is followed by its own rule.
#include <algorithm>
#include <set>

#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/verify/round_rule.hpp"

namespace hannan::detail {
namespace {

struct Portfolio {
  static constexpr RuleFacts kFacts{.name = "portfolio", .any_range = true, .of_strategies = true};
  static void read(Fields& in, RecordedSetting& s);
};

[[noreturn]] void reject(const std::string& what, const std::string& at) { throw Error(Code::kRejected, what, at); }

RecordedPortfolio::Strategy read_strategy(Fields in, std::size_t place) {
  RecordedPortfolio::Strategy made;
  made.name = in.word("name");
  made.kind = in.word("kind");
  made.shadow = in.flag("shadow", false);
  if (const Json* problem = in.maybe("problem")) made.problem = *problem;
  if (in.has("params")) {
    in.fields("params");  // an object
    for (const auto& [name, value] : in.need("params").as_object()) {
      if (name != "tied") {
        made.params.set(name, value);
        continue;
      }
      made.tied = value.is_string() && value.as_string() == "all";
      if (!made.tied) reject("found another word than \"all\"", in.at("params"));
    }
  }
  in.done();
  made.learns = find_rule(made.kind) != nullptr;
  if (made.kind == "logged" && place > 0) reject("found \"logged\" that is not the first strategy", in.at("kind"));
  if (made.shadow && place == 0) reject("found a first strategy that is not played", in.at("shadow"));
  if ((made.kind == "fixed") != (made.params.find("action") != nullptr))
    reject("found an action beside another kind than \"fixed\", or none beside it", in.at("params"));
  if ((made.tied && made.learns) == made.problem.is_null())
    reject("found a tied learner without its problem, or a problem without one", in.at("problem"));
  return made;
}

std::optional<double> maybe_stake(Fields& in, const char* name) {
  if (in.need(name).is_null()) return std::nullopt;
  return in.number(name, limits::kStake);
}

void Portfolio::read(Fields& in, RecordedSetting& s) {
  RecordedPortfolio& made = s.portfolio.emplace();
  const auto& list = in.list("strategies");
  std::set<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    made.strategies.push_back(read_strategy(Fields(list[i], path_of(in.at("strategies"), i)), i));
    if (!names.insert(made.strategies.back().name).second) reject("found a name twice", in.at("strategies"));
  }
  if (list.empty() || list.size() > 64) reject("found no strategy, or more than 64", in.at("strategies"));
  made.risk = in.number("risk", limits::kStake);
  made.largest = maybe_stake(in, "largest");
  made.hard = maybe_stake(in, "hard");
  made.warm = static_cast<std::uint64_t>(in.integer("warm", kNatural));
  made.delta = in.number("delta", limits::kChance);
  if (in.has("u")) made.u = in.numbers("u", kUnit);
  if (s.asleep) reject("found experts that sleep, which a portfolio does not play", in.at("strategies"));
}

// The turn asks for none.
class NoRounds final : public RoundRule {
 public:
  using RoundRule::RoundRule;
  void decided(const RecordedRound&) override {}
  std::uint64_t oracle_calls() const override { return 0; }
};

}  // namespace

RuleRow portfolio_rule() { return rule_row<Portfolio, NoRounds>(); }

}  // namespace hannan::detail
