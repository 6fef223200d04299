// What was read of a log, as lines for a terminal: rows, what was dropped and why, scale, slots. Numbers come from
// summary(), the same as in the file, so that text and file cannot disagree. Lines that count nothing are left out.
#include <fmt/format.h>

#include "hannan/bidlog/outcomes.hpp"
#include "hannan/core/printable.hpp"

namespace hannan::detail {

std::string summary_text(const LogAuctions& log) {
  const Json summary = log.summary();
  const Json* as_logged = summary.find("as_logged");
  if (!as_logged) return unreadable_text(summary.at("unreadable")) + reading_text(log);
  const Json* currency = summary.find("currency");
  return unreadable_text(summary.at("unreadable")) + questions_text(*as_logged) + hidden_text(summary.at("hidden")) +
         as_logged_text(*as_logged, currency ? printable(currency->as_string()) : "") + reading_text(log);
}

std::string reading_text(const LogAuctions& log) {
  std::string lines;
  const LogTally& tally = log.tally();
  const LogPlan& plan = log.plan();
  const Json summary = log.summary();
  const auto count = [&](const char* group, const char* name) {
    return static_cast<std::uint64_t>(summary.at(group).at(name).as_number());
  };
  const auto line = [&](const std::string& text) { lines += printable(text) + "\n"; };
  const auto some = [&](const char* name, const char* text) {
    if (const auto found = count("bids", name); found > 0) line(fmt::format(fmt::runtime(text), found));
  };
  const bool reverse = plan.direction == Direction::kReverse;
  const bool paid_as_bid = plan.payment == Payment::kPayAsBid;  // every row counts, and no price is decided
  line(fmt::format("{}: {} rows read, {} used", log.name(), tally.rows, tally.used));
  if (tally.no_header)
    line(
        "  the first row is numbers like all others, and was taken as data: columns are called 1, 2, ...; --header "
        "names if it has their names");
  for (std::size_t i = 0; i < kDrops; ++i) {
    if (tally.dropped[i] == 0) continue;
    const bool of_currency = static_cast<Drop>(i) == Drop::kCurrency;
    line(fmt::format("  dropped {} {}{}, the first at {}", tally.dropped[i], fact_of(static_cast<Drop>(i)).about,
                     of_currency ? " than " + tally.currency : "", tally.first_at[i]));
  }
  if (tally.duplicates > 0)
    line(fmt::format("  {} duplicates: rows that repeat a bid of the same bidder in the round{}", tally.duplicates,
                     paid_as_bid ? "; each counts" : ""));
  if (tally.superseded > 0 && !paid_as_bid)
    line(fmt::format("  {} bids {} in the round", tally.superseded,
                     reverse ? "above the same bidder's lowest" : "below the same bidder's highest"));
  if (tally.not_utf8 > 0)
    line(fmt::format("  {} rows with names that are not UTF-8, used as they are", tally.not_utf8));
  if (tally.backwards > 0)
    line(fmt::format("  {} rows with a timestamp before that of the row before them", tally.backwards));
  if (tally.context_differs > 0)
    line(fmt::format("  {} rows with another context than the first row of their auction, which counts",
                     tally.context_differs));
  if (tally.context_not_a_number > 0)
    line(fmt::format("  {} rows with a cell of their context that is no number, or no time: its value is empty",
                     tally.context_not_a_number));
  if (tally.baseline_differs > 0)
    line(fmt::format("  {} rows with another opening bid or price than the first row of their auction, which counts",
                     tally.baseline_differs));
  if (tally.baseline_not_a_number > 0)
    line(fmt::format("  {} rows whose opening bid or price is no number from 0 up: not used",
                     tally.baseline_not_a_number));
  if (tally.cut_short) line("  the last line has no line end: was the file cut short?");
  const bool single = plan.shape == LogShape::kOwnBid || plan.shape == LogShape::kAmount;  // a row is a round
  const bool of_rounds = plan.shape == LogShape::kPosted || single;
  line(fmt::format("{} {} read, {} used, {} without a bid, {} with too few bidders", count("auctions", "read"),
                   of_rounds ? "rounds" : "auctions", count("auctions", "used"), count("auctions", "empty"),
                   count("auctions", "few_bidders")));
  const bool in_money = plan.shape == LogShape::kMoneyBids || of_rounds;
  if (in_money)
    line(fmt::format("{}, as they are; the largest is {}",
                     plan.shape == LogShape::kPosted   ? "prices in money"
                     : plan.shape == LogShape::kAmount ? "amounts"
                                                       : "bids in money",
                     number_text(summary.at("largest_bid").as_number())));
  if (!in_money)
    line(fmt::format("scale: {} becomes 1{}; {} of {} bids clipped, the largest is {}", number_text(log.cap()),
                     summary.find("cap_quantile") ? fmt::format(" (quantile {})", number_text(plan.quantile)) : "",
                     count("bids", "clipped"), count("bids", "in_slots"),
                     number_text(summary.at("largest_bid").as_number())));
  // More than half clipped is nearly always a cap in another unit (cents for dollars).
  if (2 * count("bids", "clipped") > count("bids", "in_slots")) line("  more than half of them: is --cap too low?");
  some("tops_dropped", "{} highest bidders left out by --drop-top");
  const bool items =
      plan.shape == LogShape::kPrices || plan.shape == LogShape::kBuyers || plan.shape == LogShape::kPosted;
  std::string slots;
  for (const Json& slot : summary.at("slots").as_array()) {
    const std::string& name = slot.at("name").as_string();
    slots += fmt::format("{}{} ({})", slots.empty() ? "" : ", ", name.empty() ? "the only one" : name,
                         number_text(slot.at("auctions").as_number()));
  }
  if (!paid_as_bid && !single)
    line(fmt::format("{}, and the {}: {}", items ? "items" : "slots",
                     items ? "rounds in which they occur" : "auctions in which they bid", slots));
  if (const Json* segments = summary.find("segments")) {
    std::string columns, finest;
    for (const Json& column : segments->at("columns").as_array())
      columns += fmt::format("{}{} ({} values)", columns.empty() ? "" : ", ", column.at("name").as_string(),
                             number_text(column.at("values").as_number()));
    for (const auto& [rounds, number] : segments->at("finest").as_object())
      finest += fmt::format("{}{} with {}", finest.empty() ? "" : ", ", number_text(number.as_number()), rounds);
    line(fmt::format("segments by {}: of the finest {} rounds", columns, finest));
  }
  if (!paid_as_bid)
    some("pooled", in_money && reverse    ? "  {} bids of others, which have no ceiling"
                   : in_money             ? "  {} bids of others, which have no reserve"
                   : plan.rest_slots == 1 ? "  {} bids pooled into the slot for the rest"
                                          : "  {} bids pooled into the slots for the rest");
  if (!paid_as_bid && in_money && 2 * count("bids", "pooled") > count("bids", "in_slots"))
    line(fmt::format("  which is most of them: --slots all sets one {} for all bidders",
                     reverse ? "ceiling" : "reserve"));
  some("left_out", "  {} bids of others left out");
  some("beyond_units", "  {} bids beyond the units there are, which count for nothing");
  some(
      "seconds_hidden",
      plan.slots == Slots::kSegment
          ? "  in {} auctions the second highest bid is lost, and with it the price: its segment bid more, or it is "
            "pooled"
          : "  in {} auctions the second highest bid is lost that way, and with it the price; --rest-slots 2 keeps it");
  return lines;
}

}  // namespace hannan::detail
