// The flags of bid logs, defined once for convert, run and compare.
#include "log_flags.hpp"

#include <algorithm>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/problems/log_kinds.hpp"
#include "hannan/streams/source.hpp"
#include "live_input.hpp"

namespace hannan::detail::cli {
namespace {

constexpr const char* kGroup = "Reading a bid log (hannan help logs)";

}  // namespace

LogPlan log_plan(const LogFlags& flags, const LogRequest& request) {
  LogOptions options = flags;
  if (options.format.empty() && looks_like_json_lines(request.path)) options.format = "openrtb";
  options.once = read_once(request.path);
  LogPlan plan = hannan::detail::log_plan(options, request);
  if (options.once && looks_ahead(plan)) {
    throw Error(
        Code::kUsage,
        std::string("found ") + (request.path == "-" ? "standard input" : "a pipe") +
            ", which is read once, expected --cap MONEY and --names A,B,... or --slots order or rank, with which a "
            "log is read once; or save it to a file first",
        "LOG");
  }
  return plan;
}

std::string first_log_flag(const Command& command, const std::vector<std::string_view>& besides) {
  for (const Flag& flag : command.flags) {
    if (flag.group == kGroup && flag.is_given && flag.long_name() != "--format" &&
        std::find(besides.begin(), besides.end(), flag.long_name()) == besides.end())
      return flag.long_name();
  }
  return {};
}

void add_log_flags(Command& command, LogFlags& flags) {
  const auto add = [&](const char* name, Destination to, std::string about) -> Flag& {
    return command.add(name, to, std::move(about)).in_group(kGroup);
  };
  using enum LogShape;
  const std::string of_valuations = log_kinds_of({kValuations}), of_own = log_kinds_of({kOwnBid});
  add("--format", &flags.format,
      "the data is a bid log: long (one bid a row), wide (one auction a row) or openrtb (JSON lines); plain or gzipped")
      .one_of({"long", "wide", "openrtb"});
  add("--header", &flags.header,
      "names, or none: then columns are called 1, 2, ...; left out: none where the first row has amounts and times "
      "alone")
      .one_of({"names", "none"});
  add("--separator", &flags.separator,
      "comma, semicolon, tab, space, pipe or a character; left out: taken from the first line");
  add("--round", &flags.round, "column of the round; long: round, wide: none; none: every row is a round");
  add("--bidder", &flags.bidder, "column of the bidder, none if there is none; long: bidder, openrtb: seat");
  add("--bid", &flags.bid, "column of the bid").show_default();
  add("--item", &flags.item,
      "column of what is sold: an auction of its own in each round, or what " + log_kinds_of({kBuyers, kPrices}) +
          " price");
  add("--quantity", &flags.quantity,
      of_valuations + ": column of how many more units the bid is for, each; left out: one");
  add("--segment", &flags.segment, "column for --slots segment; openrtb: a field of the bid, e.g. dealid");
  add("--timestamp", &flags.timestamp,
      "column of the time; rows that go back in time within a round are counted; in a table: a column that is no "
      "number");
  add("--sort-by", &flags.sort_by,
      "read the whole log first, put the rows of a round together and the rounds in order of this column, such as the "
      "time: numbers, text as 2024-01-31 12:00, or dates as 25/4/2003");
  add("--dates", &flags.dates,
      "what 4/5/2003 is in these two columns, where no date says it by a number above 12: day-first (4 May) or "
      "month-first (5 April); what numbers are that do not say it: seconds or milliseconds since 1970")
      .one_of({"day-first", "month-first", "seconds", "milliseconds"});
  add("--zone", &flags.zone,
      "UTC or an offset such as +02:00: in which hours and days are counted, and which times without an offset are in; "
      "left out: UTC");
  add("--decimal", &flags.decimal,
      "the decimal mark of all amounts, where 1,234 or 1.234 does not say it: point or comma; left out: found from all "
      "cells of a column")
      .one_of({"point", "comma"});
  add("--opening", &flags.opening,
      "column of the auction's opening bid or reserve, part of what the log brought; openrtb: imp.bidfloor");
  add("--paid", &flags.paid,
      "column of what the auction brought, shown beside what its bids say; with --payment pay-as-bid, and of one "
      "bidder's log, "
      "of what each row paid");
  add("--won", &flags.won, "column of the units that a row won, or column=value of the rows that won one");
  add("--payment", &flags.payment,
      "what winners pay: second-price, pay-as-bid (their own bids: nothing can be replayed, what was paid is stated) "
      "or posted (" +
          log_kinds_posted() + ": bids are posted prices)")
      .one_of({"second-price", "pay-as-bid", "posted"});
  add("--choice", &flags.choice, "posted prices, wide: column of the name of what was bought; price columns end in it");
  add("--randomised", &flags.randomised,
      "posted prices: each offer's price was drawn at random, a round is an offer to one person: the means of what "
      "prices earned are compared");
  add("--today", &flags.today,
      "--randomised: the price in use today; left out: prices are held against the log as it was run");
  add("--value", &flags.value, of_own + ": column of what winning is worth to the bidder whose log it is");
  add("--value-factor", &flags.value_factor, "so many times that column").show_default();
  add("--reverse", &flags.reverse, "a purchase: the lowest bid wins");
  add("--scale", &flags.scale, "--reverse: column of what it costs not to buy: the estimate, the budget, a list price");
  add("--scale-factor", &flags.outside_factor, "so many times that column").show_default();
  add("--top-hidden", &flags.top_hidden, "of the winner's bid the log shows only what was paid (eBay)");
  add("--currency-column", &flags.currency_column,
      "column of the row's currency; two of them need --rates; none: columns called currency are not those of bids");
  add("--rates", &flags.rates, "file of lines EUR,1.08: what one EUR is worth in --currency, which has rate 1");
  add("--columns", &flags.columns,
      "wide: the bidders' columns, A,B,...; left out: all but the round's, with --choice those whose names begin with "
      "price")
      .split_at(',')
      .again();
  add("--where", &flags.where, "column=value: use only these rows; may be given again").again();
  add("--me", &flags.me,
      log_kinds_of({kPrices}) + ": your name among the bidders; prices are the highest bids of the others");
  add("--lot", &flags.lot, of_valuations + ": so many units of the log are one, e.g. 1000 of kilograms").show_default();
  add("--slots", &flags.slots,
      "who is who: identity (the most frequent bidders, or items), segment, all (one price for all bidders), order (of "
      "first bids) or rank (of bids)")
      .one_of({"identity", "segment", "all", "order", "rank"})
      .show_default();
  add("-n,--count", &flags.count, "number of slots, the rest not counted").show_default();
  add("--names", &flags.names, "identity or segment: exactly these slots, A,B,...").split_at(',').again();
  add("--rest", &flags.rest, "others than the n: pool (one more slot, their highest bid) or drop")
      .one_of({"pool", "drop"})
      .show_default();
  add("--rest-slots", &flags.rest_slots,
      "slots for the pooled rest: its highest bids; left out: one more than there are units, which keeps all prices");
  add("--drop-top", &flags.drop_top,
      "leave out so many highest bidders of each auction, where the log hides what they would have paid")
      .show_default();
  add("--least", &flags.least, "drop auctions with fewer bidders").show_default();
  add("--again", &flags.again, "a round that comes again after others: refuse, drop or new (another round)")
      .one_of({"refuse", "drop", "new"})
      .show_default();
  add("--cap-quantile", &flags.quantile,
      "the bid that becomes 1 as a quantile of the bids, e.g. 0.99; 1 is the highest; --cap states it");
  command
      .add("--accept-hidden", &flags.accept_hidden,
           "go on where more than 10 % of the log's money is hidden by the way it is read, or more than 1 % of the "
           "cells of a column cannot be read; then nothing is recommended")
      .in_group(kGroup);
  command.add("--strict", &flags.strict, "the first row that cannot be used is an error").in_group(kGroup);
}

}  // namespace hannan::detail::cli
