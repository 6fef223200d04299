// Columns seen cell by cell, the decision how each is written, and what is said of cells that cannot be read.
#include "hannan/bidlog/written_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"

namespace hannan::detail {
namespace {

constexpr const char* kRows = "(rows)";  // in the place of a column's name: rows with another number of columns

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string quoted(const std::string& cell) { return dump(Json(printable(cell))); }

std::string count_words(double cells) { return number_text(cells); }

// "log.csv:17 \"call me\", log.csv:23 \"x\"".
std::string examples_words(const Json& examples) {
  std::string text;
  for (const Json& one : examples.as_array())
    text += (text.empty() ? "" : ", ") + one.at("at").as_string() + " " + quoted(one.at("cell").as_string());
  return text;
}

// "12 of 400 cells of the column \"bid\" (log.csv:17 \"call me\")".
std::string column_words(const Json& column) {
  const std::string& name = column.at("column").as_string();
  return fmt::format("{} of {} {} ({})", count_words(column.at("cells").as_number()),
                     count_words(column.at("of").as_number()),
                     name == kRows ? "rows with another number of columns than the header"
                                   : "cells of the column " + quoted(name) + " that cannot be read",
                     examples_words(column.at("examples")));
}

Json column_json(const WrittenColumn& column) {
  Json examples = Json::array();
  for (const CellExample& one : column.examples)
    examples.push_back(Json::object({{"at", one.at}, {"cell", printable(one.cell)}}));
  return Json::object({{"column", column.column},
                       {"cells", column.unreadable},
                       {"of", column.cells},
                       {"examples", std::move(examples)}});
}

}  // namespace

// A column that was not looked at is read with a decimal point.
DecimalMark WrittenLog::decimal_of(std::string_view column) const {
  const auto found = std::ranges::find(columns, column, &WrittenColumn::column);
  return found == columns.end() ? DecimalMark::kPoint : found->decimal;
}

std::uint64_t WrittenLog::unreadable() const {
  std::uint64_t cells = 0;
  for (const WrittenColumn& column : columns) cells += column.unreadable;
  return cells;
}

// The most that unreadable cells can hide: each as much as the largest amount of its column, a bid times the largest
// count where rows have quantities, and a whole row the largest bid times the largest count.
double WrittenLog::hidden_money() const {
  double bid = 0, count = 1;
  for (const WrittenColumn& column : columns) {
    if (column.role == AmountRole::kBid) bid = std::max(bid, column.largest);
    if (column.role == AmountRole::kCount) count = std::max(count, column.largest);
  }
  double money = 0;
  for (const WrittenColumn& column : columns) {
    const double each = column.role == AmountRole::kBid     ? column.largest * count
                        : column.role == AmountRole::kMoney ? column.largest
                                                            : bid * count;  // whole rows, and units
    money += static_cast<double>(column.unreadable) * each;
  }
  return money;
}

// "share" is that of the worst column, the one that refuse_unreadable() goes by; "cells" and "of" are sums over
// columns.
Json WrittenLog::json() const {
  std::uint64_t of = 0;
  Json list = Json::array();
  for (const WrittenColumn& column : columns) {
    if (column.role != AmountRole::kRow) of += column.cells;
    if (column.unreadable > 0) list.push_back(column_json(column));
  }
  double share = 0;
  for (const WrittenColumn& column : columns) share = std::max(share, share_of(column.unreadable, column.cells));
  return Json::object({{"cells", unreadable()}, {"of", of}, {"share", share}, {"columns", std::move(list)}});
}

// More than 1 % of a column that cannot be read is a wrong reading rather than a few bad cells.
void WrittenLog::refuse_unreadable() const {
  const auto share = [](const WrittenColumn& column) { return share_of(column.unreadable, column.cells); };
  const auto worst = std::ranges::max_element(columns, {}, share);
  if (worst == columns.end() || !(share(*worst) > kMostUnreadable)) return;
  const bool rows = worst->role == AmountRole::kRow;
  throw Error(
      Code::kUnreadable,
      fmt::format("found {}, expected at most 1 %; {}; --accept-hidden goes on, and then nothing is recommended",
                  column_words(column_json(*worst)),
                  rows ? "amounts with commas need quotes in a file that has commas between its columns, or another "
                         "--separator"
                       : "correct these cells, empty them where there is no amount, or leave their rows out with "
                         "--where; amounts are read as docs/logs.md says"),
      worst->examples.empty() ? std::string() : worst->examples.front().at);
}

std::string unreadable_text(const Json& unreadable) {
  if (unreadable.at("columns").size() == 0) return {};
  std::string text;
  for (const Json& column : unreadable.at("columns").as_array())
    text += (text.empty() ? "WARNING: " : "\n         ") + column_words(column);
  return text + (unreadable.at("share").as_number() > WrittenLog::kMostUnreadable
                     ? "\n  more than 1 %: nothing is recommended\n"
                     : "\n  each counts as hidden money, as much as the largest amount of its column\n");
}

LogObserver::LogObserver(Setting setting) : setting_(std::move(setting)) {
  if (!setting_.currency.empty()) currencies_.narrow(setting_.currency);
}

std::size_t LogObserver::add(std::string column, AmountRole role) {
  columns_.push_back({std::move(column), role, {}});
  return columns_.size() - 1;
}

// A sign or code that does not fit the currencies seen so far means two currencies in one sum: refused at that cell.
void LogObserver::check_currency(std::string_view mark, std::string_view own, const std::string& at) {
  if (!own.empty() && codes_of_mark(own).empty()) return;  // a name that says no code
  if (own.empty()) {
    if (currencies_.narrow(mark)) return;
    throw Error(Code::kTwoCurrencies,
                "found " + quoted(std::string(mark)) + " beside " + quoted(currencies_.first()) +
                    (setting_.currency.empty() ? "" : " (--currency)") +
                    ", expected one currency: state that of the figures with --currency, choose rows with --where, or "
                    "name a column of currencies with --currency-column and their --rates",
                at);
  }
  CurrencySet row;
  row.narrow(own);
  if (row.narrow(mark)) return;
  throw Error(Code::kTwoCurrencies,
              "found " + quoted(std::string(mark)) + " in a row whose currency is " + quoted(std::string(own)) +
                  ", expected the sign or the code of that currency, or none",
              at);
}

// Without hours a time is a text beside a figure: what is not known of it stays as it is written.
TimeWriting LogObserver::times() const {
  if (setting_.hours) {
    times_.need_times(setting_.times);
    times_.need_one_zone(setting_.times);
    return times_.writing(setting_.times);
  }
  try {
    return times_.writing(setting_.times);
  } catch (const Error&) {
    return {.dates = setting_.times.dates, .numbers = setting_.times.numbers, .zone = setting_.times.zone.value_or(0)};
  }
}

// Decides each column for itself (bids of all bidders together) and throws where the cells allow two readings: 1.234
// may be one or a thousand, and a guess would be off by a factor of 1000.
WrittenLog LogObserver::finish() const {
  // Bidders of a wide log are columns of one kind: how decimals are written is decided for all of them together.
  AmountColumn bids;  // of all bidders
  for (const Observed& one : columns_) {
    if (one.role == AmountRole::kBid) bids.add(one.amounts);
  }
  WrittenLog log;
  log.times = times();
  for (const Observed& one : columns_) {
    const AmountColumn& written = one.role == AmountRole::kBid ? bids : one.amounts;
    const auto decimal = setting_.decimal ? setting_.decimal : written.decimal();
    if (!decimal) {
      const CellExample& two = written.example_of_two();
      throw Error(Code::kTwoReadings,
                  "found " + quoted(two.cell) + " in the column " + quoted(one.column) +
                      ", which may have a decimal mark or a mark between groups of digits, and no cell of the column "
                      "that says which, expected --decimal point or --decimal comma",
                  two.at);
    }
    WrittenColumn column{
        .column = one.column,
        .role = one.role,
        .decimal = *decimal,
        .cells = one.amounts.cells(),
        .unreadable = one.amounts.unreadable(*decimal),
        .largest = one.amounts.largest(*decimal) * (one.role == AmountRole::kCount ? 1 : setting_.most_rate),
        .examples = one.amounts.examples(*decimal)};
    // What is no number has the empty value in a context, and is counted there.
    if (one.role == AmountRole::kContext) column.unreadable = 0;
    log.columns.push_back(std::move(column));
  }
  if (const std::uint64_t bad = rows_.cells(); bad > 0) {
    log.columns.push_back({.column = kRows,
                           .role = AmountRole::kRow,
                           .cells = good_rows_ + bad,
                           .unreadable = bad,
                           .examples = rows_.examples(DecimalMark::kPoint)});
  }
  if (setting_.currency.empty()) log.currency = currencies_.only();
  return log;
}

}  // namespace hannan::detail
