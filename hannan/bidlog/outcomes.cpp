// Which problems a bid log has outcomes for and in which shape, and the log as their source: a table of bids in [0,1]
// or JSON outcomes. fill() adds what the log itself says of the problem's parameters (bidders, items, units).
#include "hannan/bidlog/outcomes.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"

namespace hannan::detail {

const std::vector<std::string>& log_problems() {
  static const std::vector<std::string> kProblems{"vcg-reserves", "level-auction", "second-price-bidding",
                                                  "item-pricing", "multi-unit",    "first-price-bidding"};
  return kProblems;
}

void need_log_problem(const std::string& problem, const std::string& at) {
  const auto& problems = log_problems();
  if (std::find(problems.begin(), problems.end(), problem) != problems.end()) return;
  std::string all;
  for (const auto& kind : problems) all += (all.empty() ? "" : ", ") + kind;
  throw Error(Code::kUnavailable,
              "found " + problem + ", expected one of " + all + ": a bid log has no outcomes for others", at);
}

Shape log_shape(const std::string& problem) {
  if (problem == "second-price-bidding") return Shape::kPrices;
  if (problem == "item-pricing") return Shape::kBuyers;
  if (problem == "first-price-bidding") return Shape::kOwnBid;
  return problem == "multi-unit" ? Shape::kValuations : Shape::kBids;
}

LogOutcomes::LogOutcomes(LogAuctions::Opener open, std::string name, LogPlan plan) {
  if (plan.shape == Shape::kBids || plan.shape == Shape::kPrices) {
    table_ = std::make_unique<LogTable>(std::move(open), std::move(name), std::move(plan));
  } else {
    list_ = std::make_unique<LogList>(std::move(open), std::move(name), std::move(plan));
  }
}

void LogOutcomes::fill(Json& params) const {
  const LogPlan& plan = log().plan();
  if (plan.shape == Shape::kOwnBid) return;  // one item, which the grids say
  const bool items = plan.shape == Shape::kPrices || plan.shape == Shape::kBuyers || plan.shape == Shape::kPosted;
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
  if (plan.shape == Shape::kMoneyBids && plan.units > 1) params.set("units", plan.units);
  if (plan.shape == Shape::kPosted) params.set("demand", "single");
  if (plan.shape == Shape::kBuyers) {
    params.set("demand", plan.demand == Demand::kOneItem ? "unit" : "single");
    if (!params.find("buyers")) params.set("buyers", plan.buyers);
  }
  if (plan.shape == Shape::kValuations) params.set("units", plan.units);
}

Json LogOutcomes::summary(const std::string& problem) const {
  Json params = Json::object();
  fill(params);
  Json summary = log().summary();
  return summary.set("for", problem).set("params", std::move(params));
}

}  // namespace hannan::detail
