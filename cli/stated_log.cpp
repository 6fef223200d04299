// Reads a log that is not played and hands what it holds to log_statement.hpp; one pass over its rows.
#include "stated_log.hpp"

#include <utility>

#include "hannan/compare/as_logged.hpp"
#include "hannan/compare/log_statement.hpp"
#include "hannan/compare/tested_log.hpp"
#include "hannan/core/error.hpp"
#include "hannan/problems/log_kinds.hpp"

namespace hannan::detail::cli {
namespace {

void refuse_exports(const StatedRequest& flags, const std::string& why) {
  if (flags.data.by.empty() && flags.money.floors.empty() && flags.exported.decisions.empty()) return;
  throw Error(Code::kUnavailable,
              "found --by, --floors or --decisions of a log " + why + ", expected none: nothing is decided from it",
              "--payment");
}

// A log in which winners pay their own bids.
std::shared_ptr<LogData> paid_log(const StatedRequest& flags) {
  refuse_exports(flags, "in which winners pay their own bids");
  LogRequest request = log_request(flags.problem, flags.problem.json(), flags.data.path, flags.money);
  request.in_money = true;
  request.cap.reset();
  return std::make_shared<LogData>(flags.data.log, std::move(request));
}

// A result with the facts of the log it is of.
ComparisonResult with_facts(ComparisonResult result, std::vector<std::string> slots, const Json& summary) {
  result.slots = std::move(slots);
  result.data = summary;
  result.take_money_facts(summary);
  return result;
}

// Of such a log: nothing is played.
ComparisonResult stated(const StatedRequest& flags, LogData& data) {
  LogStatement statement{.doubts = doubts_of_log(Json())};
  if (flags.data.log.reverse) statement.direction = Direction::kReverse;
  Json outcome;
  while ((flags.rounds == 0 || statement.paid.size() < flags.rounds) && data.next(outcome)) {
    statement.paid.push_back(data.last_logged());
    statement.second.push_back(data.last_second());
  }
  const LogFacts facts = flags.money.facts(data.facts());
  statement.currency = facts.currency;
  const Json summary = data.summary();
  statement.doubts = doubts_of_log(summary);
  return with_facts(log_statement(statement), facts.slots, summary);
}

// Of prices that were drawn at random: what each earned an offer. What was sold alone where no price is judged.
ComparisonResult tested_prices(const StatedRequest& flags, LogData& data, const TestedLog::Terms& terms) {
  TestedLog test(flags.data.path);
  Json outcome;
  while ((flags.rounds == 0 || test.rounds() < flags.rounds) && data.next(outcome)) test.add(data.last_offers());
  return test.result(terms);
}

// Of such a log the decisions are its prices, where one is judged.
void check_test_exports(const StatedRequest& flags, const ComparisonResult& result) {
  if (!result.price_test) return refuse_exports(flags, "in which no price is judged (" + result.doubts[0].says + ")");
  if (!flags.data.by.empty() || !flags.money.floors.empty())
    throw Error(
        Code::kUnavailable,
        "found --by or --floors of prices drawn at random, expected --decisions: prices of goods are no floors, "
        "and each is judged over all offers",
        "--randomised");
  if (!flags.exported.decisions.empty() && flags.exported.which == "best")
    throw Error(
        Code::kUnavailable,
        "found best of prices drawn at random, expected next: prices are judged on all offers, and none is held "
        "out",
        "--export");
}

// Of posted prices that say nothing of others, what was sold, and of prices drawn at random what each earned.
// Nothing where prices have limits and are played.
std::optional<ComparisonResult> stated_prices(const StatedRequest& flags, LogData& data) {
  const Json whole = data.whole_summary();
  data.check_hidden(whole.at("hidden"));
  PostedStatement statement{.sold = {},
                            .goods = data.names().size(),
                            .currency = flags.money.facts(data.facts()).currency,
                            .doubts = doubts_of_log(whole)};
  if (flags.data.log.randomised) {
    ComparisonResult result = tested_prices(flags, data,
                                            {.goods = data.names(),
                                             .today = flags.data.log.today,
                                             .currency = statement.currency,
                                             .doubts = statement.doubts});
    check_test_exports(flags, result);
    return with_facts(std::move(result), data.names(), whole);
  }
  if (statement.doubts.censored->empty()) return std::nullopt;
  refuse_exports(flags, "that says nothing of other prices (" + *statement.doubts.censored + ")");
  Json outcome;
  while ((flags.rounds == 0 || statement.sold.size() < flags.rounds) && data.next(outcome))
    statement.sold.push_back(data.last_logged());
  return with_facts(posted_statement(statement), data.names(), whole);
}

}  // namespace

std::optional<StatedLog> stated_log(const StatedRequest& flags) {
  const LogFlags& log = flags.data.log;
  if (log.payment == "pay-as-bid") {
    auto data = paid_log(flags);
    ComparisonResult result = stated(flags, *data);
    return StatedLog{std::move(result), std::move(data)};
  }
  if (log.payment != "posted" || log_use(flags.problem.kind).posted == LogShape::kNone || log.format.empty())
    return std::nullopt;
  auto data =
      std::make_shared<LogData>(log, log_request(flags.problem, flags.problem.json(), flags.data.path, flags.money));
  auto result = stated_prices(flags, *data);
  if (!result) return std::nullopt;
  return StatedLog{std::move(*result), std::move(data)};
}

}  // namespace hannan::detail::cli
