// Each auction is priced by the rule as it was logged and after each step of the reading, and the sums are compared at
// the end: nothing of an auction is kept. Sums are compensated (core/sum.hpp), since shares are differences of large
// ones.
#include "hannan/bidlog/logged_money.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "hannan/io/amount_text.hpp"
#include "hannan/problems/unreserved_auction.hpp"

namespace hannan::detail {
namespace {

constexpr std::array<const char*, kReadStages> kStageNames{"raw", "dropped", "pooled", "clipped"};
constexpr const char* kUnpriced =
    "the log does not say what was paid for what was won, and the price to beat is the least it can have been: name "
    "the column with --paid, that of the price to beat where winners paid it (second price)";

// Rounding of two sums that are equal in theory may leave the difference below 0. A cost may grow where asks are lost.
double share_of(double before, double after, double whole, bool reverse) {
  if (!(whole > 0)) return 0;
  return reverse ? std::abs(before - after) / whole : std::max(0.0, (before - after) / whole);
}

std::string percent_text(double share) { return fmt::format("{:.1f} %", 100 * share); }
constexpr const char* kByRank =
    "ranks are not known before the bids are, so that prices by rank cannot be set: say --slots identity or all for "
    "prices that can";

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

// Units sold times their price. An offer that sold nothing still counts one unit in most_, since it might have sold
// one.
void LoggedMoney::begin_posted(const AuctionFacts& facts) {
  Sum sold;
  double units = 0;
  for (const LoggedRow& row : facts.rows) {
    sold.add(row.bid * row.won.value_or(0));
    units_won_ += row.won.value_or(0);
    units += std::max(1.0, row.won.value_or(0));
  }
  last_ = sold.value();
  rule_.add(last_);
  most_ = std::max(most_, units);
  stages_[0].paid.add(last_);
}

// Steps of the reading are not told apart for posted prices: what they hide in all stands at the first one.
void LoggedMoney::after_posted(double kept, std::span<const LoggedOffer> offers) {
  demand_.add(offers);
  for (std::size_t stage = 1; stage < kReadStages; ++stage) stages_[stage].paid.add(kept);
}

// What was won costs at least the price to beat, which counts where the row does not say what was paid. Its worth less
// that is what was earned.
void LoggedMoney::begin_own(const AuctionFacts& facts) {
  double paid = 0, worth = 0;
  for (const LoggedRow& row : facts.rows) {
    most_ = std::max(most_, row.value.value_or(0));
    if (!(row.won.value_or(1) > 0)) continue;
    ++units_won_;
    unpriced_ += row.paid ? 0 : 1;
    paid += row.paid.value_or(row.bid);
    worth += row.value.value_or(0);
  }
  last_ = worth - paid;
  rule_.add(paid);
  worth_.add(worth);
  for (Totals& totals : stages_) totals.paid.add(paid);
}

// Once for every auction, also for those that the reading drops. last_ is what this auction brought, by the rule that
// applies; note_round() and the baseline of the replay ask for it.
void LoggedMoney::begin(std::span<const double> bids, const AuctionFacts& facts) {
  ++auctions_;
  if (terms_.payment == Payment::kPosted) return begin_posted(facts);
  if (terms_.payment == Payment::kOwnLog) return begin_own(facts);
  const double highest = bids.empty() ? 0 : *std::max_element(bids.begin(), bids.end());
  outside_ = reverse() ? facts.outside.value_or(highest) : 0;
  most_outside_ = std::max(most_outside_, outside_);
  signs_.add(facts.rows, terms_.direction);
  better_lost_ += better_bid_lost(facts.rows, terms_.direction) ? 1 : 0;
  if (terms_.payment == Payment::kPayAsBid) {
    const PaidAsBid found =
        paid_as_bid(facts.rows, {.units = units_, .direction = terms_.direction, .opening = facts.opening.value_or(0)});
    last_ = found.paid;
    second_ = found.second;
    seconds_.add(second_);
    alone_ += found.alone ? 1 : 0;
  } else {
    last_ = reverse() ? rule_cost(bids, units_, outside_) : rule_money(bids, units_, facts.opening.value_or(0));
  }
  rule_.add(last_);
  if (facts.opening) ++openings_;
  if (facts.paid && terms_.payment != Payment::kPayAsBid) {
    ++paid_auctions_;
    paid_.add(*facts.paid);
    rule_of_paid_.add(last_);
  }
  after(ReadStage::kRaw, bids);
}

// The largest auction is named so that a user can look up a typing error in it. Own logs have no such figure: last_ is
// a profit there.
void LoggedMoney::note_round(std::string_view name) {
  if (!(last_ > largest_) || terms_.payment == Payment::kOwnLog) return;
  largest_ = last_;
  largest_round_ = name;
}

// paid: s times the first losing bid, without an opening bid; tops: the sum of the s highest. The first falls where
// prices are lost, the second where values are; hidden() takes the larger of the two shares.
void LoggedMoney::after(ReadStage stage, std::span<const double> bids) {
  Totals& totals = stages_[static_cast<std::size_t>(stage)];
  // Missing asks are as good as the outside price, so that sorted_ has units + 1 entries and sorted_[units] is the
  // price.
  if (reverse()) {
    sorted_.assign(bids.begin(), bids.end());
    std::sort(sorted_.begin(), sorted_.end());
    sorted_.resize(units_ + 1, outside_);
    for (double& ask : sorted_) ask = std::min(ask, outside_);
    totals.paid.add(static_cast<double>(units_) * sorted_[units_]);
    for (std::size_t i = 0; i < units_; ++i) totals.tops.add(sorted_[i]);
    return;
  }
  highest_first(bids, units_ + 1, sorted_);
  if (sorted_.size() > units_) totals.paid.add(static_cast<double>(units_) * sorted_[units_]);
  for (std::size_t i = 0; i < std::min<std::uint64_t>(sorted_.size(), units_); ++i) totals.tops.add(sorted_[i]);
}

std::optional<double> LoggedMoney::paid() const {
  if (paid_auctions_ == 0) return std::nullopt;
  return paid_.value();
}

// Each step against the one before it, as a share of the raw log, so that the shares of all steps add up.
double LoggedMoney::hidden_paid(std::size_t stage) const {
  return share_of(stages_[stage - 1].paid.value(), stages_[stage].paid.value(), stages_[0].paid.value(), reverse());
}

double LoggedMoney::hidden_tops(std::size_t stage) const {
  return share_of(stages_[stage - 1].tops.value(), stages_[stage].tops.value(), stages_[0].tops.value(), reverse());
}

// Money that could not be read is no part of the raw sum, hence the sum of both below the line.
double LoggedMoney::unreadable_of(double money) const {
  return terms_.unreadable > 0 ? terms_.unreadable / (money + terms_.unreadable) : 0;
}

double LoggedMoney::hidden() const {
  double paid = unreadable_of(stages_[0].paid.value()), tops = unreadable_of(stages_[0].tops.value());
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
  if (terms_.payment == Payment::kPayAsBid)
    json.set("payment", "pay-as-bid").set("second_price", seconds_.value()).set("alone", alone_);
  if (terms_.payment == Payment::kPosted) {
    json.set("payment", "posted").set("sold", units_won_).set("most", most_);
    json.set("offers", demand_.offers()).set("declined", demand_.declined());
    const std::string doubt = demand_.doubt(goods_ ? *goods_ : std::span<const std::string>(), terms_.rounds);
    if (!doubt.empty()) json.set("censored", doubt);
  }
  if (terms_.payment == Payment::kOwnLog)
    json.set("payment", "own log").set("won", units_won_).set("worth", worth_.value()).set("most", most_);
  if (reverse()) json.set("direction", "reverse").set("most_outside", most_outside_);
  if (largest_ > 0) json.set("largest", Json::object({{"round", largest_round_}, {"money", largest_}}));
  if (terms_.top_hidden) json.set("top_hidden", true);
  if (terms_.won && terms_.payment <= Payment::kPayAsBid)
    json.set(reverse() ? "lower_bid_lost" : "higher_bid_lost", better_lost_);
  auto asks = signs_.asks({.payment = terms_.payment,
                           .direction = terms_.direction,
                           .top_hidden = terms_.top_hidden,
                           .won = terms_.won,
                           .paid = paid(),
                           .rule = rule_of_paid_.value(),
                           .columns = columns_ ? *columns_ : std::span<const std::string>()});
  if (unpriced_ > 0) asks.emplace_back(kUnpriced);
  if (terms_.ranks) asks.emplace_back(kByRank);
  if (!asks.empty()) json.set("asks", Json::array(asks));
  return json;
}

Json LoggedMoney::hidden_json() const {
  Json stages = Json::array();
  if (terms_.unreadable > 0) {
    stages.push_back(Json::object({{"stage", "unreadable"},
                                   {"paid", stages_[0].paid.value()},
                                   {"tops", stages_[0].tops.value()},
                                   {"hidden_paid", unreadable_of(stages_[0].paid.value())},
                                   {"hidden_tops", unreadable_of(stages_[0].tops.value())}}));
  }
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

// The two limits: above kWarnShare a warning is printed, above kStopShare the command ends (refuse_hidden).
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
