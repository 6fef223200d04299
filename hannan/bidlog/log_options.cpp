// From flags to a plan of a log: which columns, which problem, what becomes of bids that have no slot. A flag that does
// not apply is refused and never ignored, since a forgotten flag would change the result without a word; messages name
// the flag and what it goes with. No file is read here but that of rates. The order of checks is that in which a user
// would fix them: scale, shape of the problem, columns.
#include "hannan/bidlog/log_options.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/problems/log_kinds.hpp"

namespace hannan::detail {
namespace {

[[noreturn]] void refuse_options(const std::string& message, const std::string& at) {
  throw Error(Code::kUsage, message, at);
}

// 0: found by looking at the first line of the log.
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

LogShape log_shape(const LogRequest& request) { return log_use(request.problem).shape; }

// The command line has checked the word: all but these two is "long".
LogFormat format_of(const LogOptions& options) {
  if (options.format == "openrtb") return LogFormat::kOpenRtb;
  return options.format == "wide" ? LogFormat::kWide : LogFormat::kLong;
}

// What other currencies are worth in the one of the figures: --currency, or the only one with rate 1.
void take_rates(const LogOptions& options, LogColumns& columns) {
  if (options.rates.empty()) return;
  if (options.currency_column.empty() && columns.format != LogFormat::kOpenRtb)
    refuse_options("found --rates, expected --currency-column COLUMN with it", "--rates");
  columns.rates = read_rates(bytes_of_file(options.rates), options.rates);
  std::vector<std::string> units;
  for (const auto& [name, rate] : columns.rates) {
    if (rate == 1) units.push_back(name);
  }
  if (columns.currency.empty() && units.size() == 1) columns.currency = units.front();
  if (columns.currency.empty())
    refuse_options("found --rates, expected --currency CODE with it, or one currency of rate 1: what the rates are in",
                   "--rates");
  const auto own = columns.rates.emplace(columns.currency, 1.0).first;
  if (own->second != 1)
    refuse_options("found the rate " + number_text(own->second) + " of " + columns.currency +
                       ", expected 1: rates are in the currency of the figures",
                   "--rates");
}

// --dates says one of two things: the order of day and month in dates, or the unit of times that are bare numbers.
StatedTimes stated_times(const LogOptions& options) {
  StatedTimes times;
  if (options.dates == "day-first") {
    times.dates = DateOrder::kDayFirst;
  } else if (options.dates == "month-first") {
    times.dates = DateOrder::kMonthFirst;
  } else if (options.dates == "seconds") {
    times.numbers = TimeWriting::Numbers::kSeconds;
  } else if (options.dates == "milliseconds") {
    times.numbers = TimeWriting::Numbers::kMilliseconds;
  } else if (!options.dates.empty()) {
    refuse_options("found \"" + options.dates + "\", expected day-first, month-first, seconds or milliseconds",
                   "--dates");
  }
  if (!options.zone.empty()) times.zone = zone_seconds(options.zone, "--zone");
  return times;
}

std::optional<DecimalMark> decimal_mark(const std::string& name) {
  if (name.empty()) return std::nullopt;
  if (name == "point") return DecimalMark::kPoint;
  if (name == "comma") return DecimalMark::kComma;
  refuse_options("found \"" + name + "\", expected point or comma", "--decimal");
}

// Everything that says where a value stands in a row; checked against the format, not against the file, which is not
// open yet.
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
                     .times = stated_times(options),
                     .sort = options.sort_by,
                     .opening = options.opening,
                     .paid = options.paid,
                     .won = options.won,
                     .outside = options.scale,
                     .outside_factor = options.outside_factor,
                     .choice = options.choice,
                     .value = options.value,
                     .value_factor = options.value_factor,
                     .columns = options.columns,
                     .currency = request.currency,
                     .currency_column = options.currency_column};
  const bool wide = columns.format == LogFormat::kWide, openrtb = columns.format == LogFormat::kOpenRtb,
             plain = !wide && !openrtb;
  // `where` are the formats that the flag goes with, as the message has them.
  const auto only = [&](bool given, bool fits, const char* flag, const char* where) {
    if (given && !fits)
      refuse_options(std::string("found ") + flag + ", expected it with --format " + where + " alone", flag);
  };
  only(!options.columns.empty(), wide, "--columns", "wide");
  only(!options.item.empty(), plain, "--item", "long");
  columns.by = parse_context_columns(request.by, "--by");
  for (ContextColumn& column : proposal_columns(request.proposed)) columns.by.push_back(std::move(column));
  const bool needs_time = std::any_of(columns.by.begin(), columns.by.end(),
                                      [](const ContextColumn& column) { return column.column.empty(); });
  if (needs_time && columns.time.empty())
    refuse_options("found a name with @ and no column of times, expected --timestamp COLUMN", "--by");
  only(!options.timestamp.empty(), plain || needs_time, "--timestamp", "long, or with --by @hour and the like,");
  only(!options.quantity.empty(), plain, "--quantity", "long");
  only(!options.paid.empty(), !openrtb, "--paid", "long or wide");
  only(!options.where.empty(), !openrtb, "--where", "long or wide");
  only(!options.sort_by.empty(), !openrtb, "--sort-by", "long or wide");
  only(!options.won.empty(), plain, "--won", "long");
  only(!options.choice.empty(), wide, "--choice", "wide");
  only(!options.value.empty(), plain, "--value", "long");
  only(!options.scale.empty(), !openrtb, "--scale", "long or wide");
  only(!options.currency_column.empty(), !openrtb, "--currency-column", "long or wide");
  columns.decimal = decimal_mark(options.decimal);
  if (options.accept_hidden) columns.unreadable = LogColumns::Unreadable::kAccept;
  // The log can be read only once (a pipe): how times and numbers are written must be stated and cannot be found by a
  // look at all rows.
  if (options.once) {
    columns.written.emplace();
    columns.written->once = true;
    columns.written->times = {
        .dates = columns.times.dates, .numbers = columns.times.numbers, .zone = columns.times.zone.value_or(0)};
    for (ContextColumn& column : columns.by) column.times = columns.written->times;
  }
  take_rates(options, columns);
  if (options.header == "none") columns.header = LogColumns::Header::kNone;
  if (options.header == "names") columns.header = LogColumns::Header::kNames;
  if (columns.round.empty() && plain) columns.round = "round";
  // The two flags go together; either alone is a mistake.
  if ((options.slots == "segment") != !options.segment.empty()) {
    refuse_options(options.segment.empty() ? "found --slots segment, expected --segment COLUMN with it"
                                           : "found --segment, expected --slots segment with it",
                   "--segment");
  }
  if (columns.who.empty()) {
    columns.who = openrtb ? "seat" : "bidder";
  } else if (columns.who == "none") {
    const LogShape shape = log_shape(request);
    if (shape == LogShape::kValuations || (shape == LogShape::kBids && options.slots == "identity")) {
      refuse_options(
          "found --bidder none, expected " +
              (shape == LogShape::kBids ? "--slots order, rank or segment with it: slots by identity need names"
                                        : "a column of bidders: " + request.problem + " splits units among them"),
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
  const LogShape shape = log_shape(request);
  const auto only = [&](bool given, bool fits, const char* flag, const std::string& problems) {
    if (given && !fits)
      refuse_options(
          std::string("found ") + flag + " for " + request.problem + ", expected it for " + problems + " alone", flag);
  };
  using enum LogShape;
  const bool bids = shape == kBids, valuations = shape == kValuations;
  const std::string of_bids = log_kinds_of({kBids}), of_valuations = log_kinds_of({kValuations}),
                    of_own = log_kinds_of({kOwnBid}), in_money = log_kinds_in_money(), of_posted = log_kinds_posted();
  only(options.slots == "order" || options.slots == "rank", bids, "--slots", of_bids);
  only(options.slots == "all", bids && request.in_money, "--slots all", in_money + " with prices in money");
  only(options.slots == "segment", bids || valuations, "--slots segment", "bids and " + of_valuations);
  only(options.rest_slots.value_or(1) != 1, bids, "--rest-slots", of_bids);
  only(options.drop_top != 0, bids, "--drop-top", of_bids);
  only(!options.opening.empty(), bids, "--opening", of_bids);
  const bool own = shape == kOwnBid, posted = options.payment == "posted";
  only(!options.paid.empty(), bids || own, "--paid", log_kinds_of({kBids, kOwnBid}));
  only(options.least != 1, bids, "--least", of_bids);
  const bool own_bids = options.payment == "pay-as-bid";
  only(!options.quantity.empty(), valuations || own_bids, "--quantity",
       of_valuations + ", or with --payment pay-as-bid,");
  only(!options.won.empty(), bids || own || posted, "--won", "auctions, posted prices and " + of_own);
  only(posted, log_use(request.problem).posted != kNone, "--payment posted", of_posted);
  only(!options.payment.empty() && !posted, bids, "--payment", of_bids + ", posted for " + of_posted + ",");
  only(!options.choice.empty(), posted, "--choice", "posted prices (--payment posted)");
  only(options.randomised, posted, "--randomised", "posted prices (--payment posted)");
  only(options.today.has_value(), options.randomised, "--today", "prices drawn at random (--randomised)");
  only(!options.value.empty(), own, "--value", of_own);
  only(options.top_hidden, bids, "--top-hidden", in_money);
  only(options.reverse, bids, "--reverse", in_money);
  only(!options.scale.empty(), options.reverse, "--scale", "purchases (--reverse)");
  if (!(options.outside_factor > 0))
    throw Error(Code::kOutOfRange, "found " + number_text(options.outside_factor) + ", expected more than 0",
                "--scale-factor");
  only(options.lot != 1, valuations, "--lot", of_valuations);
  only(!options.me.empty(), shape == kPrices, "--me", log_kinds_of({kPrices}));
  if (!(options.lot > 0))
    throw Error(Code::kOutOfRange, "found " + number_text(options.lot) + ", expected more than 0", "--lot");
  if (valuations && !request.units)
    throw Error(Code::kMissingField, "found no number of units, expected how many there are to split", "units");
  if (!options.me.empty() && options.bidder == "none")
    refuse_options("found --me and --bidder none, expected a column of bidders", "--me");
}

// The rest of an auction of s units sets its price by its s + 1 highest bids.
std::uint64_t pooled_slots(const LogRequest& request) {
  return log_shape(request) == LogShape::kBids ? request.units.value_or(1) + 1 : 1;
}

// Bids scaled to [0,1]: a scale must be stated, because a learner's range of losses depends on it.
LogPlan bids_plan(const LogOptions& options, const LogRequest& request) {
  if (!request.cap && !options.quantile) {
    throw Error(Code::kMissingField,
                std::string("found no scale, expected --cap MONEY (that bid becomes 1) or --cap-quantile Q") +
                    (log_use(request.problem).in_money != LogShape::kNone
                         ? ", or JSON lines (-o bids.jsonl), which have bids in money as they are"
                         : ""),
                "--cap");
  }
  if (request.cap && options.quantile) refuse_options("found --cap and --cap-quantile, expected one of them", "--cap");
  if (request.cap && !(*request.cap > 0))
    throw Error(Code::kOutOfRange, "found " + number_text(*request.cap) + ", expected more than 0", "--cap");
  if (options.quantile && !(*options.quantile > 0 && *options.quantile <= 1)) {
    throw Error(Code::kOutOfRange, "found " + number_text(*options.quantile) + ", expected a number in (0,1]",
                "--cap-quantile");
  }
  if (options.rest_slots.value_or(1) == 0)
    throw Error(Code::kOutOfRange, "found 0, expected at least one slot; --rest drop leaves the rest out",
                "--rest-slots");
  if (options.count == 0) throw Error(Code::kOutOfRange, "found 0, expected at least one slot", "-n");
  check_shape(options, request);
  LogPlan plan{.columns = columns_of(options, request),
               .shape = log_shape(request),
               .count = options.count,
               .names = options.names,
               .rest_slots = options.rest_slots.value_or(pooled_slots(request)),
               .drop_top = options.drop_top,
               .least = options.least,
               .cap = request.cap,
               .quantile = options.quantile.value_or(1),
               .me = options.me,
               .units = request.units.value_or(1),
               .lot = options.lot,
               .top_hidden = options.top_hidden};
  plan.payment = options.payment == "pay-as-bid"     ? Payment::kPayAsBid
                 : options.payment == "second-price" ? Payment::kSecondPrice
                                                     : Payment::kUnsaid;
  if (options.reverse) plan.direction = Direction::kReverse;
  if (options.strict) plan.severity = Severity::kStrict;
  plan.again = options.again == "drop" ? Again::kDrop : options.again == "new" ? Again::kNew : Again::kRefuse;
  plan.slots = options.slots == "order"     ? Slots::kOrder
               : options.slots == "rank"    ? Slots::kRank
               : options.slots == "segment" ? Slots::kSegment
               : options.slots == "all"     ? Slots::kAll
                                            : Slots::kIdentity;
  if (plan.slots == Slots::kAll) {
    if (!options.names.empty())
      refuse_options("found --names and --slots all, expected one of them: all bidders share one slot", "--names");
    plan.names = {kAllBidders};
  }
  plan.rest = options.rest == "drop" ? Rest::kDrop : Rest::kPool;
  plan.demand = request.demand == "unit" ? Demand::kOneItem : Demand::kBundle;
  if (!plan.names.empty() && (plan.slots == Slots::kOrder || plan.slots == Slots::kRank)) {
    refuse_options("found --names, expected --slots identity or segment with it", "--names");
  }
  // Without a column of items there is one, which has no name.
  const bool items = plan.shape == LogShape::kPrices || plan.shape == LogShape::kBuyers;
  if (items && plan.columns.item.empty() && plan.columns.format != LogFormat::kOpenRtb && plan.names.empty()) {
    plan.names = {""};
    plan.rest = Rest::kDrop;
  }
  return plan;
}

// Bids in money are not scaled; all else is as for bids.
LogPlan money_plan(const LogOptions& options, const LogRequest& request) {
  const LogShape shape = log_use(request.problem).in_money;
  if (shape == LogShape::kNone)
    refuse_options("found " + request.problem + ", expected " + log_kinds_in_money() + ": others have no bids in money",
                   "--money");
  if (request.cap || options.quantile)
    refuse_options("found a cap and prices in money, expected no cap: bids stay as they are",
                   request.cap ? "--cap" : "--cap-quantile");
  if (options.rest_slots)
    refuse_options("found --rest-slots and prices in money, expected none: the rest needs no slot", "--rest-slots");
  LogRequest bids = request;
  // No scale is used by this shape; a stated cap spares the pass over the log that would look for one.
  bids.cap = 1.0;
  LogPlan plan = bids_plan(options, bids);
  plan.shape = shape;
  plan.rest_slots = 0;
  return plan;
}

// Prices that were posted, and what was sold at them.
LogPlan posted_plan(const LogOptions& options, const LogRequest& request) {
  if (request.cap || options.quantile)
    refuse_options("found a cap and posted prices, expected no cap: prices stay as they are",
                   request.cap ? "--cap" : "--cap-quantile");
  if (options.won.empty() && options.choice.empty())
    throw Error(
        Code::kMissingField,
        "found posted prices and no sales, expected --won COLUMN (units sold), or --choice COLUMN of a wide log",
        "--won");
  LogOptions named = options;
  if (named.bidder.empty() && named.format != "wide") named.bidder = "none";
  LogRequest bids = request;
  bids.cap = 1.0;
  LogPlan plan = bids_plan(named, bids);
  plan.shape = log_use(request.problem).posted;
  plan.payment = Payment::kPosted;
  plan.rest = Rest::kDrop;  // other goods have other prices
  plan.buyers = 1;          // their number has no limit
  if (plan.columns.format == LogFormat::kWide && options.names.empty()) plan.names.clear();
  return plan;
}

// What one bidder knows: its value, the price to beat, and whether it won.
LogPlan own_plan(const LogOptions& options, const LogRequest& request) {
  if (options.value.empty())
    throw Error(Code::kMissingField, "found no value, expected --value COLUMN: what winning is worth to the bidder",
                "--value");
  if (options.format == "wide" || options.format == "openrtb")
    refuse_options("found --format " + options.format + ", expected long: a row for each round", "--format");
  LogOptions named = options;
  if (named.round.empty()) named.round = "none";
  if (named.bidder.empty()) named.bidder = "none";
  LogRequest bids = request;
  bids.cap = 1.0;
  LogPlan plan = bids_plan(named, bids);
  plan.payment = Payment::kOwnLog;
  plan.names = {"own bid"};
  plan.rest = Rest::kDrop;
  return plan;
}

// One amount a round, as it stands.
LogPlan amount_plan(const LogOptions& options, const LogRequest& request) {
  if (request.cap || options.quantile)
    refuse_options("found a cap and amounts that stand as they are, expected no cap",
                   request.cap ? "--cap" : "--cap-quantile");
  LogOptions named = options;
  const LogOptions usual;
  if (named.bid == usual.bid) named.bid = log_use(request.problem).column;
  if (named.round.empty()) named.round = "none";
  if (named.bidder.empty()) named.bidder = "none";
  LogRequest amounts = request;
  amounts.cap = 1.0;
  LogPlan plan = bids_plan(named, amounts);
  plan.names = {named.bid};
  plan.rest = Rest::kDrop;
  return plan;
}

}  // namespace

LogPlan log_plan(const LogOptions& options, const LogRequest& request) {
  const LogUse& use = log_use(request.problem);
  if (options.payment == "posted" && use.posted != LogShape::kNone) return posted_plan(options, request);
  if (use.shape == LogShape::kOwnBid) return own_plan(options, request);
  if (use.shape == LogShape::kAmount) return amount_plan(options, request);
  if (request.in_money) return money_plan(options, request);
  if (options.reverse)
    refuse_options(
        "found --reverse and a scale of bids, expected bids in money: shares or ceilings of " + log_kinds_in_money(),
        "--reverse");
  return bids_plan(options, request);
}

}  // namespace hannan::detail
