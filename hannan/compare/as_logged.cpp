// The loss of what was logged, per round, for the four kinds of data that can say it (as_logged.hpp). Every function
// takes money to losses by the problem's own unit and normaliser, so that players and log are compared in one unit.
#include "hannan/compare/as_logged.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "hannan/bidlog/logged_money.hpp"
#include "hannan/core/error.hpp"
#include "hannan/problems/vcg_reserves/vcg_reserves_codec.hpp"

namespace hannan::detail {
namespace {

// Numbers at a path of the summary; nothing where it has no such number.
std::optional<double> number_at(const Json& summary, const char* group, const char* name) {
  const Json* outer = summary.is_object() ? summary.find(group) : nullptr;
  const Json* inner = outer && outer->is_object() ? outer->find(name) : nullptr;
  if (!inner || !inner->is_number()) return std::nullopt;
  return inner->as_number();
}

// What the rule brings on the rows of the table: after the last step of the reading.
std::optional<double> rows_bring(const Json& summary) {
  const Json* hidden = summary.find("hidden");
  const Json* stages = hidden && hidden->is_object() ? hidden->find("stages") : nullptr;
  if (!stages || !stages->is_array() || stages->size() == 0) return std::nullopt;
  const Json& last = (*stages)[stages->size() - 1];
  const Json* paid = last.is_object() ? last.find("paid") : nullptr;
  if (!paid || !paid->is_number()) return std::nullopt;
  return paid->as_number();
}

}  // namespace

LossAsLogged as_logged_of_log(const AnyProblem& problem, double unit, std::function<double()> money) {
  const double normaliser = problem.describe().at("normaliser").as_number();
  // A cost is a loss as it is.
  if (problem.game().form() == Form::kLoss)
    return [=, money = std::move(money)](const AnyOutcome&) { return money() / unit / normaliser; };
  const double nothing = problem.game().loss_range() == LossRange::kUnitInterval ? 1 : 0;  // the loss of no money
  return [=, money = std::move(money)](const AnyOutcome&) { return nothing - money() / unit / normaliser; };
}

LossAsLogged as_logged_of_rows(const AnyProblem& problem, const Json& summary, double unit) {
  const auto rule = number_at(summary, "as_logged", "rule"), rounds = number_at(summary, "auctions", "used");
  if (!rule || !rounds || !(*rounds > 0) || problem.kind() != Codec<VcgReserves>::kKind) return {};
  const auto rows = rows_bring(summary);
  if (!rows) return {};
  const Json params = problem.params();
  Fields fields(params, "params");
  const auto typed = Codec<VcgReserves>::parse(fields);
  const double normaliser = problem.describe().at("normaliser").as_number();
  if (typed->money()) {  // outcomes have the opening bids, and the lowest action is what was done
    const auto raw = number_at(summary, "hidden", "paid");
    if (typed->money()->reverse() || !raw) return {};
    const double hidden = (*raw - *rows) / *rounds / unit / normaliser;
    return [typed, hidden, lowest = VcgReserves::Action(typed->coordinates(), typed->lowest())](const AnyOutcome& y) {
      return typed->loss(lowest, y.get<VcgReserves::Outcome>()) - hidden;
    };
  }
  // Money that the reading of the log lost is spread evenly over the rounds: totals are right, single rounds are not.
  const double unseen = (*rule - *rows) / *rounds;
  const auto units = static_cast<std::uint64_t>(params.at("units").as_number());
  return [unseen, unit, normaliser, units](const AnyOutcome& y) {
    return 1 - (rule_money(y.get<VcgReserves::Outcome>(), units, 0) + unseen / unit) / normaliser;
  };
}

LossAsLogged as_logged_of_column(const AnyProblem& problem, const std::vector<std::string>& names,
                                 const std::string& column, const std::string& at) {
  if (problem.kind() != "experts")
    throw Error(Code::kUnavailable,
                "found " + std::string(problem.kind()) +
                    ", expected experts, whose columns are what may be in use, or classification with --from, whose "
                    "table has a column of what was decided",
                at);
  const Json params = problem.params();
  if (const Json* missing = params.find("missing"); missing && missing->is_string() && missing->as_string() == "sleep")
    throw Error(Code::kUnavailable, "found experts that sleep, expected every loss of the column: --missing worst", at);
  const auto found = std::find(names.begin(), names.end(), column);
  if (found == names.end()) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    throw Error(Code::kUnknownName,
                "found \"" + column + "\", expected a column of the data" +
                    (all.empty() ? ", which has no header" : ": " + all),
                at);
  }
  const Game& game = problem.game();
  const AnyAction action = game.parse_action(Json(static_cast<double>(found - names.begin())), at);
  return [&game, action](const AnyOutcome& y) { return game.loss(action, y); };
}

LossAsLogged as_logged_of_list(std::vector<double> losses) {
  return [losses = std::move(losses), round = std::size_t{0}](const AnyOutcome&) mutable { return losses.at(round++); };
}

double most_outside(const Json& summary) { return number_at(summary, "as_logged", "most_outside").value_or(0); }

double largest_amount(const Json& summary) { return number_at(summary, "as_logged", "most").value_or(0); }

}  // namespace hannan::detail
