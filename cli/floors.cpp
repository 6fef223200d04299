#include "floors.hpp"

#include <algorithm>

#include "command.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail::cli {

LogFacts MoneyFlags::facts() const { return facts(log.empty() ? LogFacts{} : log_facts(read_json_file(log), log)); }

LogFacts MoneyFlags::facts_of_table(const std::vector<std::string>& names, const std::string& path) const {
  LogFacts found = facts();
  if (!names.empty()) match_names(found, names, path, log);
  return found;
}

LogFacts MoneyFlags::facts(LogFacts facts) const {
  if (cap && !(*cap > 0))
    throw Error(Code::kOutOfRange, "found " + number_text(*cap) + ", expected more than 0", "--cap");
  if (cap) {
    facts.cap = *cap;
    facts.priced = true;
  }
  if (!currency.empty()) facts.currency = currency;
  const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  if (!facts.currency.empty() &&
      (facts.currency.size() != 3 || !std::all_of(facts.currency.begin(), facts.currency.end(), letter))) {
    throw Error(Code::kOutOfRange, "found \"" + facts.currency + "\", expected three letters such as USD",
                "--currency");
  }
  return facts;
}

void add_money_flags(Command& command, MoneyFlags& flags) {
  command.add("--log", &flags.log, "the summary that `hannan convert` wrote with the data: money, currency and names");
  command.add("--cap", &flags.cap,
              "money that a bid of 1 stands for; that of --log, or 1; with --format: the bid that becomes 1");
  command.add("--currency", &flags.currency, "its currency, three letters; that of --log");
  command.add("--floors", &flags.floors,
              "write the best fixed reserves of the data to this file as Prebid price floors");
  command
      .add("--floors-field", &flags.field, "what a slot is to the ad server: bidder, adUnitCode, gptSlot, domain, ...")
      .show_default();
}

}  // namespace hannan::detail::cli
