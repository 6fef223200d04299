// Money of a run (--log, --cap, --currency) and the file of price floors. Whether floors are possible at all is checked
// before the run, since the file is written after it.
#include "floors.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <utility>

#include "command.hpp"
#include "hannan/bidlog/price_floors.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/io/written_time.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {
namespace {

// A page loads the whole file, and Prebid looks rules up in an object: more than this is noticed.
constexpr std::size_t kManyRules = 10'000;

}  // namespace

LogFacts MoneyFlags::facts() const { return facts(log.empty() ? LogFacts{} : log_facts(read_json_file(log), log)); }

LogFacts MoneyFlags::facts_of_table(const std::vector<std::string>& names, const std::string& path) const {
  LogFacts found = facts();
  if (!names.empty()) match_names(found, names, path, log);
  return found;
}

LogFacts MoneyFlags::facts(LogFacts facts) const {
  if (cap && !(*cap >= limits::kCap.lo && *cap <= limits::kCap.hi))
    throw Error(Code::kOutOfRange, "found " + number_text(*cap) + ", expected money from 1e-12 to 1e30", "--cap");
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
  const auto add = [&](const char* name, Destination to, const char* about) -> Flag& {
    return command.add(name, to, about).in_group("Money and price floors");
  };
  add("--log", &flags.log, "the summary that `hannan convert` wrote with the data: money, currency and names");
  add("--cap", &flags.cap,
      "money that a bid of 1 stands for; that of --log, or 1; with --format: the bid that becomes 1");
  add("--currency", &flags.currency, "its currency, three letters; that of --log");
  add("--floors", &flags.floors,
      "write reserves to this file as Prebid price floors, with --by those of the segments; run: the best fixed ones "
      "of "
      "the data, compare: as --export says");
  add("--floors-field", &flags.fields,
      "what a slot is to the ad server: bidder (default), adUnitCode, gptSlot, domain, ...; with --by also "
      "column=field, a column's name being the default; may be given again")
      .again();
  add("--floors-drop-empty", &flags.drop_empty, "leave out segments with an empty value, which no rule can match");
  add("--floors-schema", &flags.schema, "version of the file: 1, or 2 with modelGroups, for Prebid Server")
      .range(1, 2)
      .show_default();
}

FloorsFile::FloorsFile(Of of, const LogFacts& log)
    : of_(std::move(of)), fields_(read_floor_fields(of_.flags.fields, of_.orders)) {
  check_floors(of_.problem, log);
  for (const auto& order : of_.orders) fields_.of(order, of_.problem.owners());
}

Json FloorsFile::of_action(const Chosen& chosen, const LogFacts& log) {
  functions_ = floor_functions({fields_.of_slot}, {});
  return price_floors({.problem = of_.problem,
                       .action = chosen.action,
                       .log = log,
                       .field = fields_.of_slot,
                       .model = with_currency_note(chosen.model, log)});
}

void FloorsFile::write(const Json& report, const LogFacts& log, const Chosen& chosen) {
  SegmentFloors made;
  if (of_.orders.empty()) {
    made.floors = of_action(chosen, log);
    made.rules = made.floors.at("values").size();
  } else {
    using Empty = SegmentFloorsRequest::Empty;
    made = map_floors({.problem = of_.problem,
                       .report = report,
                       .orders = of_.orders,
                       .log = log,
                       .fields = fields_,
                       .model = with_currency_note(chosen.model, log),
                       .empty = of_.flags.drop_empty ? Empty::kDrop : Empty::kRefuse});
    std::vector<std::string> fields;
    for (const Json& field : made.floors.at("schema").at("fields").as_array()) fields.push_back(field.as_string());
    const Json* zone = log.summary.is_object() ? log.summary.find("zone") : nullptr;
    functions_ = floor_functions(fields, of_.orders[order_of_map(report)],
                                 zone && zone->is_string() ? zone_seconds(zone->as_string(), "zone") : of_.zone);
  }
  const std::string text = pretty(of_.flags.schema == 2 ? floors_of_schema_two(made.floors) : made.floors) + "\n";
  write_whole_file(of_.flags.floors, text);
  if (made.rules > kManyRules)
    fmt::print(
        stderr,
        "{}: {} rules, {:.1f} MB, which every page loads; expected at most {}; fewer columns, or --most, make fewer\n",
        printable(of_.flags.floors), made.rules, static_cast<double>(text.size()) / 1e6, kManyRules);
}

void show_floor_functions(const FloorsFile& file) {
  if (file.functions().empty()) return;
  fmt::print(
      "\nPrebid.js does not know all of the fields; put beside `data` of its setting `floors`, and adapt where the "
      "page has the values elsewhere:\n{}",
      file.functions());
}

}  // namespace hannan::detail::cli
