// What a reader must know of the data before the figures: hidden money first, then what was left out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hannan/bidlog/logged_money.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/page_text.hpp"
#include "hannan/report/verdict_blocks.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostWarnings = 4;

Json warning(const std::string& what, const std::string& text) {
  return Json::object({{"what", what}, {"text", text}});
}

// 0 where the field is missing: every use asks whether a count is positive.
double number_in(const Json& object, const char* name) {
  return object.is_object() ? object.find_number(name).value_or(0) : 0;
}

double number_in(const Json& object, const char* group, const char* name) {
  const Json* inner = object.is_object() ? object.find(group) : nullptr;
  return inner ? number_in(*inner, name) : 0;
}

std::uint64_t count_in(const Json& object, const char* group, const char* name) {
  const double count = number_in(object, group, name);
  return count >= 1 && count < 1e15 ? static_cast<std::uint64_t>(count) : 0;
}

// "12.0 %", without a sign.
std::string share_words(double share) {
  const std::string text = page_percent(share);
  return text.starts_with('+') ? text.substr(1) : text;
}

// "pooled 20.0 %, clipped 13.3 %": the steps of the reading that hide money.
std::string stages_words(const Json& hidden) {
  static constexpr std::array<std::pair<const char*, const char*>, 3> kWords{
      {{"dropped", "rows and auctions that were left out"},
       {"pooled", "bids that share one place"},
       {"clipped", "bids above the largest amount that was allowed"}}};
  std::string text;
  const Json* stages = hidden.find("stages");
  for (std::size_t i = 0; stages && stages->is_array() && i < stages->size(); ++i) {
    const Json& stage = (*stages)[i];
    const double share = std::max(number_in(stage, "hidden_paid"), number_in(stage, "hidden_tops"));
    if (!(share > 0.0005)) continue;
    const Json* name = stage.is_object() ? stage.find("stage") : nullptr;
    for (const auto& [key, words] : kWords) {
      if (name && *name == Json(key)) text += (text.empty() ? "" : ", ") + (share_words(share) + " by ") + words;
    }
  }
  return text;
}

// Rows, auctions and bids that were not used as they stand, in the words of a reader of logs.
void add_left_out(Json& items, const ComparedPage& page) {
  const Json& log = page.log.summary;
  if (!log.is_object()) return;
  const std::uint64_t read = count_in(log, "rows", "read"), used = count_in(log, "rows", "used");
  const std::uint64_t empty = count_in(log, "auctions", "empty"), few = count_in(log, "auctions", "few_bidders");
  const Json* rows = log.find("rows");
  const Json* dropped = rows && rows->is_object() ? rows->find("dropped") : nullptr;
  // What --where leaves out was asked for.
  const std::uint64_t asked = dropped ? count_in(*dropped, "filtered", "rows") : 0;
  const std::uint64_t superseded = count_in(log, "rows", "superseded");
  if (read > used + asked) {
    const std::uint64_t lost = read - used - asked;
    items.push_back(warning(fmt::format("{} of {} rows were left out", page_count(lost), page_count(read)),
                            fmt::format("({}): they could not be used as bids.{}",
                                        share_words(static_cast<double>(lost) / static_cast<double>(read)),
                                        superseded == 0 || page.paid_as_bid ? ""
                                        : page.reward ? " Of several bids of one bidder the highest counts."
                                                      : " Of several bids of one bidder the lowest counts.")));
  }
  if (empty + few > 0) {
    items.push_back(warning(empty + few == 1 ? "1 auction has too few bids"
                                             : fmt::format("{} auctions have too few bids", page_count(empty + few)),
                            empty + few == 1 ? "and was left out." : "and were left out."));
  }
  const std::uint64_t pooled = count_in(log, "bids", "pooled"), clipped = count_in(log, "bids", "clipped");
  const auto listed = [&](const char* name) { return page.params.is_object() && page.params.find(name); };
  const bool in_money = listed("prices") || listed("shares") || listed("ceilings");
  if (pooled > 0 && in_money && !page.paid_as_bid) {
    items.push_back(
        warning("Rare bidders have no price of their own.",
                fmt::format("{} bids are of bidders who are not named; no price holds for them. --slots all "
                            "sets one for all.",
                            page_count(pooled))));
  } else if (pooled > 0 && !page.paid_as_bid) {
    items.push_back(
        warning("Rare buyers share a price.",
                fmt::format("{} bids are of buyers who bid too seldom for one of their own.", page_count(pooled))));
  }
  if (clipped > 0)
    items.push_back(warning(fmt::format("{} bids were cut", page_count(clipped)), "to the largest amount allowed."));
  const std::uint64_t backwards = count_in(log, "rows", "backwards_in_time");
  if (backwards > 0)
    items.push_back(warning(fmt::format("{} rows go back in time", page_count(backwards)), "within their auction."));
}

// What the figures rest on besides the rows.
void add_money_warnings(Json& items, const ComparedPage& page) {
  if (const double share = large_share(page.as_logged); share > 0) {
    const Json& largest = page.as_logged.at("largest");
    items.push_back(warning(
        fmt::format("One {} is {} of the money.", page.words.round, share_words(share)),
        fmt::format("{}: {}. If that is a slip in the data, every figure here is wrong.",
                    largest.at("round").as_string(), page_money(largest.at("money").as_number(), page.currency))));
  }
  if (page.hindsight_prices)
    items.push_back(warning("The prices look ahead.",
                            "They were chosen from all bids of the log, which were not known beforehand."));
  if (page.rehearsed > 0)
    items.push_back(
        warning(fmt::format("The first {} are a rehearsal.", page.words.rounds(page.rehearsed)),
                std::string("Every player learned from them") +
                    (page.first_gave_prices ? ", and the prices come from their bids" : "") +
                    "; they are not played and not in these figures. Regrets and their bounds are of all rounds."));
  if (page.not_played > 0)
    items.push_back(warning(fmt::format("The first {} gave the prices.", page.words.rounds(page.not_played)),
                            "They are not played and not in these figures."));
  if (number_in(page.as_logged, "worth") > 0 &&
      number_in(page.as_logged, "won") >= number_in(page.as_logged, "auctions"))
    items.push_back(warning(fmt::format("Every {} in the log was won.", page.words.round),
                            "If lost ones are not logged, high prices are missing, and high bids look worse than they "
                            "are."));
}

}  // namespace

// Above the figures, and only where so much money is hidden that sums cannot be compared with the reader's own.
void write_serious_warnings(Json& blocks, const ComparedPage& page) {
  const double share = number_in(page.hidden, "share");
  if (!(share > LoggedMoney::kWarnShare)) return;
  std::string text;
  const double raw = number_in(page.as_logged, "rule");
  if (raw > 0) text += "The auctions of the log brought " + page_money(raw, page.currency) + ". ";
  const std::string stages = stages_words(page.hidden);
  if (!stages.empty()) text += "Hidden: " + stages + ". ";
  text += "Do not compare the sums below with your own records.";
  blocks.push_back(Json::object({{"block", "warnings"},
                                 {"serious", true},
                                 {"title", share_words(share) + " of the money in your log is not in these figures"},
                                 {"items", Json::array({warning("", text)})}}));
}

// The most important first; the last one says that this is a replay.
Json all_warnings(const ComparedPage& page) {
  Json items = Json::array();
  if (page.weak_class)
    items.push_back(warning(
        "Another method errs less.",
        fmt::format(
            "{} makes mistakes in {:.1f} % of {}s; of rules of the kind that is learned here even the best, known "
            "only afterwards, in {:.1f} %. They are too simple for these data.",
            capital(page.weak_class->rival), 100 * page.weak_class->errs, page.words.round,
            100 * page.weak_class->best)));
  const double paid = number_in(page.as_logged, "paid"), rule = number_in(page.as_logged, "rule_where_paid");
  if (paid > 0 && std::abs(paid - rule) > 0.001 * paid) {
    items.push_back(warning("What was paid differs from the rule.",
                            fmt::format("The log says {}, the bids by the auction's rule make {}. Differences are "
                                        "taken from the rule.",
                                        page_money(paid, page.currency), page_money(rule, page.currency))));
  }
  add_money_warnings(items, page);
  add_left_out(items, page);
  if (page.times.empty()) {
    items.push_back(
        page.times_given
            ? warning("The dates cannot be used.", fmt::format("They are not in order (--sort-by COLUMN sorts them), "
                                                               "or of a form that is not known: {}s are numbered.",
                                                               page.words.round))
            : warning("Dates are not shown.",
                      fmt::format("No column was named as the time, so {}s are numbered in the order of the file.",
                                  page.words.round)));
  }
  if (page.rounds >= 40 && page.rounds < 200 && !page.paid_as_bid && page.cannot_tell.empty())
    items.push_back(warning(page.words.rounds(page.rounds) + (page.rounds == 1 ? " is" : " are") + " few,",
                            "hence the wide range."));
  if (page.price_test) {
    items.push_back(
        warning("This is a test:", "every price was drawn at random. A market that changes afterwards is not in it."));
    return items;
  }
  if (!page.cannot_tell.empty()) {
    items.push_back(warning("Nothing is replayed here:", "what another price would have sold the log does not show."));
    return items;
  }
  items.push_back(page.paid_as_bid
                      ? warning("Nothing is replayed here:", "where winners pay their own bids a replay says nothing.")
                      : warning("This is a replay",
                                "of what was logged. Others may act differently once your decisions change: "
                                "try it on a part first."));
  return items;
}

// At most kMostWarnings of them on the first screen; all of them are among the technical details.
Json data_warnings(const ComparedPage& page) {
  static constexpr std::array<const char*, 9> kCounts{"No",   "One", "Two",   "Three", "Four",
                                                      "Five", "Six", "Seven", "Eight"};
  const Json items = all_warnings(page);
  Json first = Json::array();  // the last, that it is a replay, is always among them
  for (std::size_t i = 0; i + 1 < items.size() && i + 1 < kMostWarnings; ++i) first.push_back(items[i]);
  first.push_back(items[items.size() - 1]);
  const std::string count = items.size() < kCounts.size() ? kCounts[items.size()] : page_count(items.size());
  Json json = Json::object({{"block", "warnings"},
                            {"title", count + (items.size() == 1 ? " thing" : " things") + " to know about the data"},
                            {"items", first}});
  if (items.size() > first.size())
    json.set("more", fmt::format("And {} more in the technical details.", items.size() - first.size()));
  return json;
}

}  // namespace hannan::detail
