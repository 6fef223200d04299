#include "log_flags.hpp"

#include <algorithm>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/streams/source.hpp"
#include "live_input.hpp"

namespace hannan::detail::cli {
namespace {

constexpr const char* kGroup = "Reading a bid log (docs/logs.md)";

[[noreturn]] void usage(const std::string& message, const std::string& at) { throw Error(Code::kUsage, message, at); }

char separator_of(const std::string& text) {
  static const std::pair<std::string_view, char> kNames[] = {
      {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"space", ' '}, {"pipe", '|'}};
  for (const auto& [name, c] : kNames) {
    if (text == name) return c;
  }
  if (text.size() == 1 && text != "\"" && text != "\n" && text != "\r") return text[0];
  if (!text.empty())
    usage("found \"" + text + "\", expected comma, semicolon, tab, space, pipe or one character", "--separator");
  return 0;
}

LogFormat format_of(const LogFlags& flags, const std::string& path) {
  if (flags.format == "openrtb") return LogFormat::kOpenRtb;
  if (flags.format == "wide") return LogFormat::kWide;
  if (flags.format.empty() && looks_like_json_lines(path)) return LogFormat::kOpenRtb;
  return LogFormat::kLong;
}

LogColumns columns_of(const LogFlags& flags, const LogRequest& request) {
  LogColumns columns{.format = format_of(flags, request.path),
                     .separator = separator_of(flags.separator),
                     .round = flags.round,
                     .who = flags.bidder,
                     .bid = flags.bid,
                     .item = flags.item,
                     .segment = flags.segment,
                     .quantity = flags.quantity,
                     .time = flags.timestamp,
                     .columns = flags.columns,
                     .currency = request.currency};
  const bool wide = columns.format == LogFormat::kWide, openrtb = columns.format == LogFormat::kOpenRtb,
             plain = !wide && !openrtb;
  const auto only = [&](bool given, bool fits, const char* flag, const char* where) {
    if (given && !fits) usage(std::string("found ") + flag + ", expected it with --format " + where + " alone", flag);
  };
  only(!flags.columns.empty(), wide, "--columns", "wide");
  only(!flags.item.empty(), plain, "--item", "long");
  only(!flags.timestamp.empty(), plain, "--timestamp", "long");
  only(!flags.quantity.empty(), plain, "--quantity", "long");
  only(!flags.where.empty(), !openrtb, "--where", "long or wide");
  if (flags.header == "none") columns.header = LogColumns::Header::kNone;
  if (columns.round.empty() && plain) columns.round = "round";
  if ((flags.slots == "segment") != !flags.segment.empty()) {
    usage(flags.segment.empty() ? "found --slots segment, expected --segment COLUMN with it"
                                : "found --segment, expected --slots segment with it",
          "--segment");
  }
  if (columns.who.empty()) {
    columns.who = openrtb ? "seat" : "bidder";
  } else if (columns.who == "none") {
    const Shape shape = log_shape(request.problem);
    if (shape == Shape::kValuations || (shape == Shape::kBids && flags.slots == "identity")) {
      usage(
          "found --bidder none, expected " +
              std::string(shape == Shape::kBids ? "--slots order, rank or segment with it: slots by identity need names"
                                                : "a column of bidders: multi-unit splits units among them"),
          "--bidder");
    }
    columns.who.clear();
  }
  for (const auto& rule : flags.where) {
    const auto equals = rule.find('=');
    if (equals == std::string::npos || equals == 0) usage("found \"" + rule + "\", expected column=value", "--where");
    columns.where.emplace_back(rule.substr(0, equals), rule.substr(equals + 1));
  }
  return columns;
}

// Flags that do not apply to the problem are refused: they would be ignored without a word.
void check_shape(const LogFlags& flags, const LogRequest& request) {
  const Shape shape = log_shape(request.problem);
  const auto only = [&](bool given, bool fits, const char* flag, const char* problems) {
    if (given && !fits)
      usage(std::string("found ") + flag + " for " + request.problem + ", expected it for " + problems + " alone",
            flag);
  };
  const bool bids = shape == Shape::kBids, valuations = shape == Shape::kValuations;
  only(flags.slots == "order" || flags.slots == "rank", bids, "--slots", "vcg-reserves and level-auction");
  only(flags.slots == "segment", bids || valuations, "--slots segment", "bids and multi-unit");
  only(flags.rest_slots != 1, bids, "--rest-slots", "vcg-reserves and level-auction");
  only(flags.drop_top != 0, bids, "--drop-top", "vcg-reserves and level-auction");
  only(flags.least != 1, bids, "--least", "vcg-reserves and level-auction");
  only(!flags.quantity.empty(), valuations, "--quantity", "multi-unit");
  only(flags.lot != 1, valuations, "--lot", "multi-unit");
  only(!flags.me.empty(), shape == Shape::kPrices, "--me", "second-price-bidding");
  if (!(flags.lot > 0))
    throw Error(Code::kOutOfRange, "found " + number_text(flags.lot) + ", expected more than 0", "--lot");
  if (valuations && !request.units)
    throw Error(Code::kMissingField, "found no number of units, expected how many there are to split", "units");
  if (!flags.me.empty() && flags.bidder == "none")
    usage("found --me and --bidder none, expected a column of bidders", "--me");
}

}  // namespace

LogPlan log_plan(const LogFlags& flags, const LogRequest& request) {
  if (!request.cap && !flags.quantile) {
    throw Error(Code::kMissingField, "found no scale, expected --cap MONEY (that bid becomes 1) or --cap-quantile Q",
                "--cap");
  }
  if (request.cap && flags.quantile) usage("found --cap and --cap-quantile, expected one of them", "--cap");
  if (request.cap && !(*request.cap > 0))
    throw Error(Code::kOutOfRange, "found " + number_text(*request.cap) + ", expected more than 0", "--cap");
  if (flags.quantile && !(*flags.quantile > 0 && *flags.quantile <= 1)) {
    throw Error(Code::kOutOfRange, "found " + number_text(*flags.quantile) + ", expected a number in (0,1]",
                "--cap-quantile");
  }
  if (flags.rest_slots == 0)
    throw Error(Code::kOutOfRange, "found 0, expected at least one slot; --rest drop leaves the rest out",
                "--rest-slots");
  if (flags.count == 0) throw Error(Code::kOutOfRange, "found 0, expected at least one slot", "-n");
  check_shape(flags, request);
  LogPlan plan{.columns = columns_of(flags, request),
               .shape = log_shape(request.problem),
               .count = flags.count,
               .names = flags.names,
               .rest_slots = flags.rest_slots,
               .drop_top = flags.drop_top,
               .least = flags.least,
               .cap = request.cap,
               .quantile = flags.quantile.value_or(1),
               .me = flags.me,
               .units = request.units.value_or(1),
               .lot = flags.lot};
  if (flags.strict) plan.severity = Severity::kStrict;
  plan.again = flags.again == "drop" ? Again::kDrop : flags.again == "new" ? Again::kNew : Again::kRefuse;
  plan.slots = flags.slots == "order"     ? Slots::kOrder
               : flags.slots == "rank"    ? Slots::kRank
               : flags.slots == "segment" ? Slots::kSegment
                                          : Slots::kIdentity;
  plan.rest = flags.rest == "drop" ? Rest::kDrop : Rest::kPool;
  plan.demand = request.demand == "unit" ? Demand::kOneItem : Demand::kBundle;
  if (!plan.names.empty() && (plan.slots == Slots::kOrder || plan.slots == Slots::kRank)) {
    usage("found --names, expected --slots identity or segment with it", "--names");
  }
  // Without a column of items there is one, which has no name.
  const bool items = plan.shape == Shape::kPrices || plan.shape == Shape::kBuyers;
  if (items && plan.columns.item.empty() && plan.columns.format != LogFormat::kOpenRtb && plan.names.empty()) {
    plan.names = {""};
    plan.rest = Rest::kDrop;
  }
  if (read_once(request.path) && looks_ahead(plan)) {
    usage(std::string("found ") + (request.path == "-" ? "standard input" : "a pipe") +
              ", which is read once, expected --cap MONEY and --names A,B,... or --slots order or rank, with which a "
              "log is read once; or save it to a file first",
          "LOG");
  }
  return plan;
}

std::string first_log_flag(const Command& command) {
  for (const Flag& flag : command.flags) {
    if (flag.group == kGroup && flag.is_given && flag.long_name() != "--format") return flag.long_name();
  }
  return {};
}

void add_log_flags(Command& command, LogFlags& flags) {
  const auto add = [&](const char* name, Destination to, const char* about) -> Flag& {
    return command.add(name, to, about).in_group(kGroup);
  };
  add("--format", &flags.format,
      "the data is a bid log: long (one bid a row), wide (one auction a row) or openrtb (JSON lines); plain or gzipped")
      .one_of({"long", "wide", "openrtb"});
  add("--header", &flags.header, "names, or none: then columns are called 1, 2, ...")
      .one_of({"names", "none"})
      .show_default();
  add("--separator", &flags.separator,
      "comma, semicolon, tab, space, pipe or a character; left out: taken from the first line");
  add("--round", &flags.round, "column of the round; long: round, wide: none");
  add("--bidder", &flags.bidder, "column of the bidder, none if there is none; long: bidder, openrtb: seat");
  add("--bid", &flags.bid, "column of the bid").show_default();
  add("--item", &flags.item,
      "column of what is sold: an auction of its own in each round, or what item-pricing and second-price-bidding "
      "price");
  add("--quantity", &flags.quantity, "multi-unit: column of how many more units the bid is for, each; left out: one");
  add("--segment", &flags.segment, "column for --slots segment; openrtb: a field of the bid, e.g. dealid");
  add("--timestamp", &flags.timestamp, "column of the time; rows that go back in time within a round are counted");
  add("--columns", &flags.columns, "wide: the bidders' columns, A,B,...; left out: all but the round's")
      .split_at(',')
      .again();
  add("--where", &flags.where, "column=value: use only these rows; may be given again").again();
  add("--me", &flags.me,
      "second-price-bidding: your name among the bidders; prices are the highest bids of the others");
  add("--lot", &flags.lot, "multi-unit: so many units of the log are one, e.g. 1000 of kilograms").show_default();
  add("--slots", &flags.slots,
      "who is who: identity (the most frequent bidders, or items), segment, order (of first bids) or rank (of bids)")
      .one_of({"identity", "segment", "order", "rank"})
      .show_default();
  add("-n,--count", &flags.count, "number of slots, the rest not counted").show_default();
  add("--names", &flags.names, "identity or segment: exactly these slots, A,B,...").split_at(',').again();
  add("--rest", &flags.rest, "others than the n: pool (one more slot, their highest bid) or drop")
      .one_of({"pool", "drop"})
      .show_default();
  add("--rest-slots", &flags.rest_slots,
      "slots for the pooled rest: its highest bids; 2 keep the price of a second-price auction")
      .show_default();
  add("--drop-top", &flags.drop_top,
      "leave out so many highest bidders of each auction, where the log hides what they would have paid")
      .show_default();
  add("--least", &flags.least, "drop auctions with fewer bidders").show_default();
  add("--again", &flags.again, "a round that comes again after others: refuse, drop or new (another round)")
      .one_of({"refuse", "drop", "new"})
      .show_default();
  add("--cap-quantile", &flags.quantile,
      "the bid that becomes 1 as a quantile of the bids, e.g. 0.99; 1 is the highest; --cap states it");
  command.add("--strict", &flags.strict, "the first row that cannot be used is an error").in_group(kGroup);
}

}  // namespace hannan::detail::cli
