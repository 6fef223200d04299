// What is known of a log beside its rows (the file of `convert --summary`): scale, currency, names of slots, and the
// money that was logged. The file may have been edited, so every number that is used later is checked here, with its
// place.
#include "hannan/bidlog/facts.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/limits.hpp"

namespace hannan::detail {
namespace {

// What a comparison reads of the money of a log: what it brought, and what is hidden of it.
void check_money(const Json& summary, const std::string& at) {
  const Json* as_logged = summary.find("as_logged");
  if (!as_logged) return;
  const std::string path = at + ": as_logged";
  Fields in(*as_logged, path);
  for (const char* name : {"rule", "auctions", "units"}) in.number(name, kNonnegative);
  for (const char* name :
       {"openings", "without_opening", "paid", "paid_auctions", "rule_where_paid", "second_price", "alone", "sold",
        "won", "worth", "most", "most_outside", "lower_bid_lost", "higher_bid_lost", "offers", "declined"}) {
    if (in.has(name)) in.number(name, kNonnegative);
  }
  if (const Json* largest = in.maybe("largest")) {
    Fields round(*largest, in.at("largest"));
    round.word("round");
    round.number("money", kNonnegative);
  }
  if (in.has("asks")) in.words("asks");
  if (in.has("censored")) in.word("censored");
  const Json* share = summary.find("hidden");
  if (!share) throw Error(Code::kMissingField, "found none, expected it beside as_logged", at + ": hidden");
  Fields hidden(*share, at + ": hidden");
  hidden.number("share", {0, kAnyFinite.hi});
  for (const Json& stage : hidden.list("stages")) {
    Fields one(stage, hidden.at("stages"));
    one.word("stage");
    for (const char* name : {"hidden_paid", "hidden_tops"}) one.number(name);
  }
}

}  // namespace

LogFacts log_facts(Json summary, const std::string& at) {
  LogFacts facts;
  facts.summary = std::move(summary);
  const Json* cap = facts.summary.find("cap");
  const Json* slots = facts.summary.find("slots");
  if (!cap || !cap->is_number() || !slots || !slots->is_array()) {
    throw Error(Code::kUsage, "found no \"cap\" and \"slots\", expected a file that `hannan convert --summary` wrote",
                at);
  }
  facts.cap = to_number(*cap, at + ": cap", limits::kCap);
  check_money(facts.summary, at);
  facts.priced = true;
  if (const Json* currency = facts.summary.find("currency"); currency && currency->is_string())
    facts.currency = currency->as_string();
  for (const Json& slot : slots->as_array()) {
    const Json* name = slot.is_object() ? slot.find("name") : nullptr;
    const Json* pooled = slot.is_object() ? slot.find("pooled") : nullptr;
    if (!name || !name->is_string() || !pooled || !pooled->is_bool()) {
      throw Error(Code::kUsage,
                  "found slots without \"name\" and \"pooled\", expected a file that `hannan convert --summary` wrote",
                  at);
    }
    facts.slots.push_back(name->as_string());
    if (pooled->as_bool()) facts.rest.push_back(facts.slots.back());
  }
  return facts;
}

// Bids were pooled, and no slot of the table holds them: their bidders are in no column.
bool has_others(const LogFacts& facts) {
  const Json* bids = facts.summary.is_object() ? facts.summary.find("bids") : nullptr;
  const bool shared = bids && bids->is_object() && bids->find_number("pooled").value_or(0) > 0;
  return shared && facts.rest.empty();
}

// A summary of another table would name the wrong bidders: names of the header and of the slots must agree.
void match_names(LogFacts& facts, const std::vector<std::string>& header, const std::string& table,
                 const std::string& at) {
  if (facts.slots.empty()) facts.slots = header;
  // Another number of names is reported where the number matters.
  if (header.size() != facts.slots.size() || header == facts.slots) return;
  const auto other = std::mismatch(header.begin(), header.end(), facts.slots.begin());
  throw Error(Code::kUsage,
              "found \"" + *other.second + "\", expected \"" + *other.first + "\" as in the header of " + table +
                  ": is it the summary of another table?",
              at);
}

}  // namespace hannan::detail
