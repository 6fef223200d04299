// The loss of what was logged, per round, for the four kinds of data that can say it (as_logged.hpp). Every function
// takes money to losses by the problem's own unit and normaliser, so that players and log are compared in one unit.
#include "hannan/compare/as_logged.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/game/money.hpp"
#include "hannan/runtime/loss_rows.hpp"

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
  const double normaliser = problem.game().normaliser();
  // A cost is a loss as it is.
  if (problem.game().form() == Form::kLoss)
    return [=, money = std::move(money)](const AnyOutcome&) { return money() / unit / normaliser; };
  const double nothing = problem.game().loss_range() == LossRange::kUnitInterval ? 1 : 0;  // the loss of no money
  return [=, money = std::move(money)](const AnyOutcome&) { return nothing - money() / unit / normaliser; };
}

LossAsLogged as_logged_of_rows(const AnyProblem& problem, const Json& summary, double unit) {
  const auto rule = number_at(summary, "as_logged", "rule"), rounds = number_at(summary, "auctions", "used");
  const auto money = problem.game().money();
  if (!rule || !rounds || !(*rounds > 0) || !money || !money->logged) return {};
  const auto rows = rows_bring(summary);
  // Outcomes with the opening bids lack what the reading hid, others what the opening bids brought besides.
  const auto whole = money->shows_openings ? number_at(summary, "hidden", "paid") : rule;
  if (!rows || !whole) return {};
  // Money that the reading of the log lost is spread evenly over the rounds: totals are right, single rounds are not.
  const double unseen = (*whole - *rows) / *rounds / unit;
  return [logged = money->logged, unseen](const AnyOutcome& y) { return logged(y, unseen); };
}

LossAsLogged as_logged_of_column(const AnyProblem& problem, const std::vector<std::string>& names,
                                 const std::string& column, const std::string& at) {
  if (!rows_are_losses(problem_kind(std::string(problem.kind()))))
    throw Error(Code::kUnavailable,
                "found " + std::string(problem.kind()) + ", expected " + kinds_text(rows_are_losses) +
                    ", whose columns are what may be in use, or " +
                    kinds_text([](const ProblemKind& kind) { return kind.decided_in_file; }) +
                    " with --from, whose table has a column of what was decided",
                at);
  if (problem.game().sleeps())
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
