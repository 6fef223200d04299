#include "hannan/bidlog/log_options.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

[[noreturn]] void refuse_options(const std::string& message, const std::string& at) {
  throw Error(Code::kUsage, message, at);
}

char separator_of(const std::string& text) {
  static const std::pair<std::string_view, char> kNames[] = {
      {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"space", ' '}, {"pipe", '|'}};
  for (const auto& [name, c] : kNames) {
    if (text == name) return c;
  }
  if (text.size() == 1 && text != "\"" && text != "\n" && text != "\r") return text[0];
  if (!text.empty())
    refuse_options("found \"" + text + "\", expected comma, semicolon, tab, space, pipe or one character",
                   "--separator");
  return 0;
}

LogFormat format_of(const LogOptions& options) {
  if (options.format == "openrtb") return LogFormat::kOpenRtb;
  return options.format == "wide" ? LogFormat::kWide : LogFormat::kLong;
}

LogColumns columns_of(const LogOptions& options, const LogRequest& request) {
  LogColumns columns{.format = format_of(options),
                     .separator = separator_of(options.separator),
                     .round = options.round,
                     .who = options.bidder,
                     .bid = options.bid,
                     .item = options.item,
                     .segment = options.segment,
                     .quantity = options.quantity,
                     .time = options.timestamp,
                     .sort = options.sort_by,
                     .opening = options.opening,
                     .paid = options.paid,
                     .columns = options.columns,
                     .currency = request.currency};
  const bool wide = columns.format == LogFormat::kWide, openrtb = columns.format == LogFormat::kOpenRtb,
             plain = !wide && !openrtb;
  const auto only = [&](bool given, bool fits, const char* flag, const char* where) {
    if (given && !fits)
      refuse_options(std::string("found ") + flag + ", expected it with --format " + where + " alone", flag);
  };
  only(!options.columns.empty(), wide, "--columns", "wide");
  only(!options.item.empty(), plain, "--item", "long");
  columns.by = parse_context_columns(request.by, "--by");
  const bool needs_time = std::any_of(columns.by.begin(), columns.by.end(),
                                      [](const ContextColumn& column) { return column.column.empty(); });
  if (needs_time && columns.time.empty())
    refuse_options("found @hour or @weekday and no column of times, expected --timestamp COLUMN", "--by");
  only(!options.timestamp.empty(), plain || needs_time, "--timestamp", "long, or with --by @hour or @weekday,");
  only(!options.quantity.empty(), plain, "--quantity", "long");
  only(!options.paid.empty(), !openrtb, "--paid", "long or wide");
  only(!options.where.empty(), !openrtb, "--where", "long or wide");
  only(!options.sort_by.empty(), !openrtb, "--sort-by", "long or wide");
  if (options.header == "none") columns.header = LogColumns::Header::kNone;
  if (columns.round.empty() && plain) columns.round = "round";
  if ((options.slots == "segment") != !options.segment.empty()) {
    refuse_options(options.segment.empty() ? "found --slots segment, expected --segment COLUMN with it"
                                           : "found --segment, expected --slots segment with it",
                   "--segment");
  }
  if (columns.who.empty()) {
    columns.who = openrtb ? "seat" : "bidder";
  } else if (columns.who == "none") {
    const Shape shape = log_shape(request.problem);
    if (shape == Shape::kValuations || (shape == Shape::kBids && options.slots == "identity")) {
      refuse_options(
          "found --bidder none, expected " +
              std::string(shape == Shape::kBids ? "--slots order, rank or segment with it: slots by identity need names"
                                                : "a column of bidders: multi-unit splits units among them"),
          "--bidder");
    }
    columns.who.clear();
  }
  for (const auto& rule : options.where) {
    const auto equals = rule.find('=');
    if (equals == std::string::npos || equals == 0)
      refuse_options("found \"" + rule + "\", expected column=value", "--where");
    columns.where.emplace_back(rule.substr(0, equals), rule.substr(equals + 1));
  }
  return columns;
}

// Flags that do not apply to the problem are refused: they would be ignored without a word.
void check_shape(const LogOptions& options, const LogRequest& request) {
  const Shape shape = log_shape(request.problem);
  const auto only = [&](bool given, bool fits, const char* flag, const char* problems) {
    if (given && !fits)
      refuse_options(
          std::string("found ") + flag + " for " + request.problem + ", expected it for " + problems + " alone", flag);
  };
  const bool bids = shape == Shape::kBids, valuations = shape == Shape::kValuations;
  only(options.slots == "order" || options.slots == "rank", bids, "--slots", "vcg-reserves and level-auction");
  only(options.slots == "segment", bids || valuations, "--slots segment", "bids and multi-unit");
  only(options.rest_slots != 1, bids, "--rest-slots", "vcg-reserves and level-auction");
  only(options.drop_top != 0, bids, "--drop-top", "vcg-reserves and level-auction");
  only(!options.opening.empty(), bids, "--opening", "vcg-reserves and level-auction");
  only(!options.paid.empty(), bids, "--paid", "vcg-reserves and level-auction");
  only(options.least != 1, bids, "--least", "vcg-reserves and level-auction");
  only(!options.quantity.empty(), valuations, "--quantity", "multi-unit");
  only(options.lot != 1, valuations, "--lot", "multi-unit");
  only(!options.me.empty(), shape == Shape::kPrices, "--me", "second-price-bidding");
  if (!(options.lot > 0))
    throw Error(Code::kOutOfRange, "found " + number_text(options.lot) + ", expected more than 0", "--lot");
  if (valuations && !request.units)
    throw Error(Code::kMissingField, "found no number of units, expected how many there are to split", "units");
  if (!options.me.empty() && options.bidder == "none")
    refuse_options("found --me and --bidder none, expected a column of bidders", "--me");
}

// Bids in money are not scaled; all else is as for bids.
LogPlan money_plan(const LogOptions& options, const LogRequest& request) {
  if (request.problem != "vcg-reserves")
    refuse_options("found " + request.problem + ", expected vcg-reserves: others have no bids in money", "--money");
  if (request.cap || options.quantile)
    refuse_options("found a cap and prices in money, expected no cap: bids stay as they are",
                   request.cap ? "--cap" : "--cap-quantile");
  if (options.rest_slots != 1)
    refuse_options("found --rest-slots and prices in money, expected none: the rest needs no slot", "--rest-slots");
  LogRequest bids = request;
  bids.in_money = false;
  bids.cap = 1.0;
  LogPlan plan = log_plan(options, bids);
  plan.shape = Shape::kMoneyBids;
  plan.rest_slots = 0;
  return plan;
}

}  // namespace

LogPlan log_plan(const LogOptions& options, const LogRequest& request) {
  if (request.in_money) return money_plan(options, request);
  if (!request.cap && !options.quantile) {
    throw Error(Code::kMissingField, "found no scale, expected --cap MONEY (that bid becomes 1) or --cap-quantile Q",
                "--cap");
  }
  if (request.cap && options.quantile) refuse_options("found --cap and --cap-quantile, expected one of them", "--cap");
  if (request.cap && !(*request.cap > 0))
    throw Error(Code::kOutOfRange, "found " + number_text(*request.cap) + ", expected more than 0", "--cap");
  if (options.quantile && !(*options.quantile > 0 && *options.quantile <= 1)) {
    throw Error(Code::kOutOfRange, "found " + number_text(*options.quantile) + ", expected a number in (0,1]",
                "--cap-quantile");
  }
  if (options.rest_slots == 0)
    throw Error(Code::kOutOfRange, "found 0, expected at least one slot; --rest drop leaves the rest out",
                "--rest-slots");
  if (options.count == 0) throw Error(Code::kOutOfRange, "found 0, expected at least one slot", "-n");
  check_shape(options, request);
  LogPlan plan{.columns = columns_of(options, request),
               .shape = log_shape(request.problem),
               .count = options.count,
               .names = options.names,
               .rest_slots = options.rest_slots,
               .drop_top = options.drop_top,
               .least = options.least,
               .cap = request.cap,
               .quantile = options.quantile.value_or(1),
               .me = options.me,
               .units = request.units.value_or(1),
               .lot = options.lot};
  if (options.strict) plan.severity = Severity::kStrict;
  plan.again = options.again == "drop" ? Again::kDrop : options.again == "new" ? Again::kNew : Again::kRefuse;
  plan.slots = options.slots == "order"     ? Slots::kOrder
               : options.slots == "rank"    ? Slots::kRank
               : options.slots == "segment" ? Slots::kSegment
                                            : Slots::kIdentity;
  plan.rest = options.rest == "drop" ? Rest::kDrop : Rest::kPool;
  plan.demand = request.demand == "unit" ? Demand::kOneItem : Demand::kBundle;
  if (!plan.names.empty() && (plan.slots == Slots::kOrder || plan.slots == Slots::kRank)) {
    refuse_options("found --names, expected --slots identity or segment with it", "--names");
  }
  // Without a column of items there is one, which has no name.
  const bool items = plan.shape == Shape::kPrices || plan.shape == Shape::kBuyers;
  if (items && plan.columns.item.empty() && plan.columns.format != LogFormat::kOpenRtb && plan.names.empty()) {
    plan.names = {""};
    plan.rest = Rest::kDrop;
  }
  return plan;
}

}  // namespace hannan::detail
