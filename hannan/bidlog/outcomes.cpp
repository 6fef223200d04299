// Which problems a bid log has outcomes for and in which shape, and the log as their source: a table of bids in [0,1]
// or JSON outcomes. fill() adds what the log itself says of the problem's parameters (bidders, items, units).
#include "hannan/bidlog/outcomes.hpp"

#include "hannan/core/error.hpp"
#include "hannan/problems/log_kinds.hpp"

namespace hannan::detail {

std::vector<std::string> log_problems() {
  std::vector<std::string> names;
  for (const LogKind& kind : log_kinds()) names.emplace_back(kind.name);
  return names;
}

void need_log_problem(const std::string& problem, const std::string& at) {
  if (log_use(problem).shape != LogShape::kNone) return;
  std::string all;
  for (const auto& kind : log_problems()) all += (all.empty() ? "" : ", ") + kind;
  throw Error(Code::kUnavailable,
              "found " + problem + ", expected one of " + all + ": a bid log has no outcomes for others", at);
}

LogOutcomes::LogOutcomes(LogAuctions::Opener open, std::string name, LogPlan plan) {
  if (plan.shape == LogShape::kBids || plan.shape == LogShape::kPrices || plan.shape == LogShape::kAmount) {
    table_ = std::make_unique<LogTable>(std::move(open), std::move(name), std::move(plan));
  } else {
    list_ = std::make_unique<LogList>(std::move(open), std::move(name), std::move(plan));
  }
}

void LogOutcomes::fill(Json& params) const {
  const LogPlan& plan = log().plan();
  if (plan.shape == LogShape::kOwnBid || plan.shape == LogShape::kAmount) return;  // one of them, which needs no word
  const bool items =
      plan.shape == LogShape::kPrices || plan.shape == LogShape::kBuyers || plan.shape == LogShape::kPosted;
  const char* name = items ? "items" : "bidders";
  const std::size_t found = log().slots().size();
  const Json* stated = params.find(name);
  if (stated && stated->is_number() && stated->as_number() != static_cast<double>(found)) {
    throw Error(Code::kUsage,
                "found " + number_text(stated->as_number()) + ", expected " + std::to_string(found) +
                    " as the log is read: -n, --names and --rest say how many",
                name);
  }
  // A list of prices for each bidder says how many there are.
  const Json* prices = params.find("prices");
  const bool lists = prices && prices->is_array() && prices->size() > 0 && (*prices)[0].is_array();
  if (!lists) params.set(name, found);
  if (plan.shape == LogShape::kMoneyBids && plan.units > 1) params.set("units", plan.units);
  if (plan.shape == LogShape::kPosted) params.set("demand", "single");
  if (plan.shape == LogShape::kBuyers) {
    params.set("demand", plan.demand == Demand::kOneItem ? "unit" : "single");
    if (!params.find("buyers")) params.set("buyers", plan.buyers);
  }
  if (plan.shape == LogShape::kValuations) params.set("units", plan.units);
}

Json LogOutcomes::summary(const std::string& problem) const {
  Json params = Json::object();
  fill(params);
  Json summary = log().summary();
  return summary.set("for", problem).set("params", std::move(params));
}

}  // namespace hannan::detail
