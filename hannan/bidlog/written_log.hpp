// How the amounts of a log are written, found in one pass over all its rows before any of them is used.
//
// A column of money has the decimal mark that its cells need (io/amount_column.hpp); the bidders' columns of a wide log
// are taken together. What cannot be read is counted by column with the largest amount that can: beyond kMostUnreadable
// of the cells of a column the log is refused (H214), below that such a cell counts as hidden money of that amount.
// Rows with another number of columns than the header count as unreadable too: 1,234.56 without quotes in a file with
// commas is such a row.
//
// Signs and codes of currencies agree with each other and with the stated currency, or that is H211.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/amount_column.hpp"
#include "hannan/io/currency_marks.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/time_column.hpp"

namespace hannan::detail {

// What the amounts of a column are for.
enum class AmountRole {
  kBid,      // money; those of all bidders of a wide log are written alike
  kMoney,    // money of an auction: opening bid, what was paid, what it costs not to buy, value
  kCount,    // units, which multiply money
  kContext,  // a number of the context
  kRow,      // whole rows that cannot be split into columns
};

struct WrittenColumn {
  std::string column;
  AmountRole role = AmountRole::kMoney;
  DecimalMark decimal = DecimalMark::kPoint;
  std::uint64_t cells = 0, unreadable = 0;  // cells that are not missing
  double largest = 0;                       // amount that can be read
  std::vector<CellExample> examples;        // unreadable ones, at most three
};

struct WrittenLog {
  static constexpr double kMostUnreadable = 0.01;

  std::vector<WrittenColumn> columns;
  std::string currency;  // the only one that all signs fit; empty: none, or several
  TimeWriting times;     // of the column of times
  bool once = false;     // the log is read once: nothing was found out

  DecimalMark decimal_of(std::string_view column) const;
  std::uint64_t unreadable() const;
  // The most money that unreadable cells may hide: the largest amount of their column for each.
  double hidden_money() const;
  // {"cells", "of", "share", "columns": [{"column", "cells", "of", "examples": [{"at", "cell"}]}]}: the largest share
  // of a column, and the columns with such cells.
  Json json() const;
  // Throws kUnreadable where a column has more than kMostUnreadable of them.
  void refuse_unreadable() const;
};
// "WARNING: 12 of 4,000 cells cannot be read ..." of that JSON; empty where there are none.
std::string unreadable_text(const Json& unreadable);

// Sees the amounts of a log cell by cell. The code that knows the format calls it.
class LogObserver {
 public:
  struct Setting {
    std::optional<DecimalMark> decimal;  // as stated
    std::string currency;                // likewise; empty: not stated
    double most_rate = 1;                // of the currencies of rows
    StatedTimes times;
    bool hours = false;  // contexts need hours or weekdays: times that can be read in two ways are asked about
  };
  explicit LogObserver(Setting setting);

  std::size_t add(std::string column, AmountRole role);  // its number
  // `own` is the currency that the row says, empty where it says none; where() is the place of the cell.
  template <class Where>
  void see(std::size_t column, std::string_view cell, std::string_view own, const Where& where) {
    const std::string_view mark = columns_[column].amounts.see(cell, where);
    if (!mark.empty() && columns_[column].role != AmountRole::kCount) check_currency(mark, own, where());
  }
  // A number that is no text: it says nothing of how others are written.
  void see_number(std::size_t column, double number) { columns_[column].amounts.see_number(number); }
  void refuse(std::size_t column, std::string_view cell, std::string at) {
    columns_[column].amounts.refuse(cell, std::move(at));
  }
  void refuse_row(std::string_view what, std::string at) { rows_.refuse(what, std::move(at)); }
  // A cell of the column of times.
  template <class Where>
  void see_time(std::string_view cell, const Where& where) {
    if (!is_missing(cell)) times_.see(cell, where);
  }
  void count_row() { ++good_rows_; }

  // Throws kTwoReadings for a column that can be read in two ways.
  WrittenLog finish() const;

 private:
  struct Observed {
    std::string column;
    AmountRole role;
    AmountColumn amounts;
  };
  TimeWriting times() const;
  void check_currency(std::string_view mark, std::string_view own, const std::string& at);

  Setting setting_;
  std::vector<Observed> columns_;
  AmountColumn rows_;  // that cannot be split
  std::uint64_t good_rows_ = 0;
  CurrencySet currencies_;
  TimeColumn times_;
};

}  // namespace hannan::detail
