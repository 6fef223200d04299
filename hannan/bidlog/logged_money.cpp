#include "hannan/bidlog/logged_money.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "hannan/core/money_text.hpp"

namespace hannan::detail {
namespace {

constexpr std::array<const char*, kReadStages> kStageNames{"raw", "dropped", "pooled", "clipped"};

// Puts the `most` highest bids first, in falling order.
void highest_first(std::span<const double> bids, std::uint64_t most, std::vector<double>& sorted) {
  sorted.assign(bids.begin(), bids.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(most, sorted.size()));
  std::partial_sort(sorted.begin(), middle, sorted.end(), std::greater<>());
}

// Rounding of two sums that are equal in theory may leave the difference below 0.
double share_of(double before, double after, double whole) {
  return whole > 0 ? std::max(0.0, (before - after) / whole) : 0;
}

std::string percent_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

// "pooled 41.2 %, clipped 3.0 %": what each step hides, by the larger of its two shares.
std::string stages_text(const Json& hidden) {
  std::string text;
  for (const Json& stage : hidden.at("stages").as_array()) {
    const double share = std::max(stage.at("hidden_paid").as_number(), stage.at("hidden_tops").as_number());
    if (share > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stage.at("stage").as_string(), percent_text(share));
  }
  return text;
}

constexpr const char* kRemedies =
    "--rest-slots 2 (units + 1) keeps pooled prices, --cap-quantile 1 clips nothing, --least 1, --drop-top 0 and "
    "--rest pool drop nothing";

}  // namespace

double rule_money(std::span<const double> bids, std::uint64_t units, double opening) {
  std::vector<double> sorted;
  highest_first(bids, units + 1, sorted);
  std::uint64_t in = 0;  // winners and the first loser that reach the opening bid
  while (in < sorted.size() && in <= units && sorted[in] >= opening) ++in;
  const double losing = in > units ? sorted[units] : 0;
  return static_cast<double>(std::min(in, units)) * std::max(losing, opening);
}

void LoggedMoney::begin(std::span<const double> bids, const AuctionFacts& facts) {
  ++auctions_;
  last_ = rule_money(bids, units_, facts.opening.value_or(0));
  rule_.add(last_);
  if (facts.opening) ++openings_;
  if (facts.paid) {
    ++paid_auctions_;
    paid_.add(*facts.paid);
    rule_of_paid_.add(last_);
  }
  after(ReadStage::kRaw, bids);
}

void LoggedMoney::after(ReadStage stage, std::span<const double> bids) {
  highest_first(bids, units_ + 1, sorted_);
  Totals& totals = stages_[static_cast<std::size_t>(stage)];
  if (sorted_.size() > units_) totals.paid.add(static_cast<double>(units_) * sorted_[units_]);
  for (std::size_t i = 0; i < std::min<std::uint64_t>(sorted_.size(), units_); ++i) totals.tops.add(sorted_[i]);
}

std::optional<double> LoggedMoney::paid() const {
  if (paid_auctions_ == 0) return std::nullopt;
  return paid_.value();
}

double LoggedMoney::hidden_paid(std::size_t stage) const {
  return share_of(stages_[stage - 1].paid.value(), stages_[stage].paid.value(), stages_[0].paid.value());
}

double LoggedMoney::hidden_tops(std::size_t stage) const {
  return share_of(stages_[stage - 1].tops.value(), stages_[stage].tops.value(), stages_[0].tops.value());
}

double LoggedMoney::hidden() const {
  double paid = 0, tops = 0;
  for (std::size_t stage = 1; stage < kReadStages; ++stage) {
    paid += hidden_paid(stage);
    tops += hidden_tops(stage);
  }
  return std::max(paid, tops);
}

Json LoggedMoney::as_logged() const {
  Json json = Json::object({{"rule", rule()}, {"auctions", auctions_}, {"units", units_}});
  if (openings_ > 0) json.set("openings", openings_).set("without_opening", paid(ReadStage::kRaw));
  if (paid_auctions_ > 0)
    json.set("paid", paid_.value()).set("paid_auctions", paid_auctions_).set("rule_where_paid", rule_of_paid_.value());
  return json;
}

Json LoggedMoney::hidden_json() const {
  Json stages = Json::array();
  for (std::size_t stage = 1; stage < kReadStages; ++stage) {
    stages.push_back(Json::object({{"stage", kStageNames[stage]},
                                   {"paid", stages_[stage].paid.value()},
                                   {"tops", stages_[stage].tops.value()},
                                   {"hidden_paid", hidden_paid(stage)},
                                   {"hidden_tops", hidden_tops(stage)}}));
  }
  const double share = hidden();
  return Json::object({{"share", share},
                       {"action", share > kStopShare   ? "stop"
                                  : share > kWarnShare ? "warn"
                                                       : "ok"},
                       {"paid", stages_[0].paid.value()},
                       {"tops", stages_[0].tops.value()},
                       {"stages", std::move(stages)}});
}

std::string as_logged_text(const Json& as_logged, const std::string& currency) {
  const double rule = as_logged.at("rule").as_number();
  const auto units = static_cast<std::uint64_t>(as_logged.at("units").as_number());
  std::string text = fmt::format(
      "as logged: {} in {} auctions, {}{}\n", money_text(rule, currency), as_logged.at("auctions").as_number(),
      units == 1 ? "the second highest bid" : fmt::format("{} times the highest losing bid", units),
      as_logged.find("openings") ? " or the opening bid" : "");
  if (const Json* without = as_logged.find("without_opening"))
    text += fmt::format("  without the opening bids it would be {}\n", money_text(without->as_number(), currency));
  const Json* paid = as_logged.find("paid");
  if (!paid) return text;
  // Where some auctions do not say what was paid, the two are compared on those that do.
  const double comparable = as_logged.at("rule_where_paid").as_number();
  if (std::abs(paid->as_number() - comparable) > 0.001 * std::abs(comparable)) {
    text += fmt::format("  paid: {} in {} auctions, where the bids say {}\n", money_text(paid->as_number(), currency),
                        as_logged.at("paid_auctions").as_number(), money_text(comparable, currency));
  }
  return text;
}

std::string hidden_text(const Json& hidden) {
  const double share = hidden.at("share").as_number();
  if (!(share > LoggedMoney::kWarnShare)) return {};
  return fmt::format(
      "WARNING: {} of the log's money is hidden by the way it is read ({})\n"
      "  docs/logs.md says what hides it; --rest-slots 2 and --cap-quantile 1 hide least\n",
      percent_text(share), stages_text(hidden));
}

void refuse_hidden(const Json& hidden, const std::string& at) {
  const double share = hidden.at("share").as_number();
  if (!(share > LoggedMoney::kStopShare)) return;
  throw Error(LoggedMoney::kHidden,
              fmt::format("found {} of the log's money hidden by the way it is read ({}), expected at most 10 %; {}; "
                          "--accept-hidden goes on, and then nothing is recommended",
                          percent_text(share), stages_text(hidden), kRemedies),
              at);
}

}  // namespace hannan::detail
