// The rows of a log as delimited text: columns by name, cells as money, currencies.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/bidlog/row.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/io/named_columns.hpp"

namespace hannan::detail {

// The rows under their header, and where the columns asked for stand.
class LogSheet {
 public:
  explicit LogSheet(LogInput input)
      : tally_(input.tally),
        columns_(input.columns),
        in_(std::move(input.bytes), input.name,
            {.csv = {.separator = input.columns.separator},
             .first_is_data = input.columns.header == LogColumns::Header::kNone    ? [](const Cells&) { return true; }
                              : input.columns.header == LogColumns::Header::kFound ? is_data
                                                                                   : nullptr}),
        context_(input.columns.by) {
    const LogColumns& columns = input.columns;
    tally_.no_header = !in_.has_header() && columns.header == LogColumns::Header::kFound;
    for (const auto& [column, value] : columns.where) where_.emplace_back(place_of(column, "--where"), value);
    if (columns.currency_column.empty()) {
      watch_currencies();
    } else if (columns.currency_column != "none") {
      currency_ = place_of(columns.currency_column, "--currency-column");
    }
    for (const std::string& name : names())
      decimals_.push_back(columns.decimal   ? *columns.decimal
                          : columns.written ? columns.written->decimal_of(name)
                                            : DecimalMark::kPoint);
    for (const ContextColumn& column : columns.by)
      by_.push_back(column.column.empty() ? place_of(columns.time, "--timestamp")
                                          : place_of(column.column, column.flag()));
  }

  std::size_t place_of(const std::string& column, const std::string& flag) const {
    const char* one = names().size() == 1 ? "; if that is several, say what stands between them with --separator" : "";
    return in_.place_of(column, {.by = flag, .hint = std::string(one) + header_hint()});
  }

  // The next row of the right width that passes the filters; false at the end.
  bool next() {
    for (;;) {
      if (!in_.next()) {
        tally_.cut_short = !in_.ended_with_newline();
        return false;
      }
      if (!in_.has_width()) {
        ++tally_.rows;
        if (observer_) observer_->refuse_row(in_.other_width(), in_.where_width_ends());
        drop(Drop::kColumns, std::min(in_.cells().size(), names().size()), [&] { return in_.other_width(); });
        continue;
      }
      const auto fails = [&](const auto& rule) { return cell(rule.first) != rule.second; };
      const auto failed = std::find_if(where_.begin(), where_.end(), fails);
      if (failed == where_.end() && watched_) check_watched();
      if (failed == where_.end() && (!currency_ || take_currency())) return true;
      if (failed == where_.end()) continue;
      ++tally_.rows;
      drop(Drop::kFiltered, failed->first, [] { return std::string("a row that --where leaves out"); });
    }
  }

  std::string_view cell(std::size_t column) const { return in_.cell(column); }
  // Reads the context of the row, where one is asked for, as its cells are: bytes compare exactly.
  const ContextCells* context() {
    if (by_.empty()) return nullptr;
    context_.read([&](std::size_t i) { return in_.cells()[by_[i]]; }, [&](std::size_t i) { return in_.where(by_[i]); });
    if (!context_.all_read()) ++tally_.context_not_a_number;
    return &context_;
  }
  bool of_context(std::size_t column) const { return std::find(by_.begin(), by_.end(), column) != by_.end(); }
  const std::vector<std::string>& names() const { return in_.names(); }
  std::size_t line() const { return in_.line(); }

  // Shows every cell of these places, in all rows that pass the filters, to the observer. Reads all rows.
  struct Place {
    std::size_t column;
    AmountRole role;
  };
  // A column has one place, whatever it is used for.
  static void add_place(std::vector<Place>& places, Place place) {
    const auto known = [&](const Place& other) { return other.column == place.column; };
    if (std::none_of(places.begin(), places.end(), known)) places.push_back(place);
  }
  // The numbers of the context that are cut into intervals.
  void add_context(std::vector<Place>& places) const {
    for (std::size_t i = 0; i < by_.size(); ++i) {
      if (columns_.by[i].kind == ContextColumn::Kind::kCuts) add_place(places, {by_[i], AmountRole::kContext});
    }
  }
  void observe(const std::vector<Place>& places, LogObserver& observer) {
    observer_ = &observer;
    std::optional<std::size_t> time;
    if (!columns_.time.empty()) time = place_of(columns_.time, "--timestamp");
    std::vector<std::size_t> numbers;
    for (const Place& place : places) numbers.push_back(observer.add(names()[place.column], place.role));
    while (next()) {
      observer.count_row();
      if (time) observer.see_time(cell(*time), [&] { return in_.where(*time); });
      const std::string_view own = currency_ ? cell(*currency_) : std::string_view(first_currency_);
      for (std::size_t i = 0; i < places.size(); ++i) {
        observer.see(numbers[i], cell(places[i].column), own, [&] { return in_.where(places[i].column); });
      }
    }
    observer_ = nullptr;
  }

  // The quantity in a cell; nothing where there is none, and the row is counted as dropped.
  std::optional<double> quantity(std::size_t column) {
    const auto text = cell(column);
    double number = 0;
    if (read(column, number) == Reading::kFinite && number > 0) return number;
    drop(Drop::kQuantity, column,
         [&] { return (text.empty() ? "an empty field" : describe_name(text)) + ", expected a quantity above 0"; });
    return std::nullopt;
  }

  // The bid in a cell; nothing where there is none, and the row is counted as dropped.
  std::optional<double> bid(std::size_t column) {
    const auto text = cell(column);
    const auto refuse = [&](Drop reason, const char* expected) -> std::optional<double> {
      drop(reason, column,
           [&] { return (text.empty() ? "an empty field" : describe_name(text)) + ", expected " + expected; });
      return std::nullopt;
    };
    if (is_missing(text)) return refuse(Drop::kNoBid, "a bid");
    double number = 0;
    const Reading reading = read(column, number);
    if (reading == Reading::kNone) return refuse(Drop::kNotANumber, "a number such as 1234.5");
    if (reading == Reading::kUnbounded) return refuse(Drop::kNotFinite, "a finite number");
    if (number < 0) return refuse(Drop::kNegative, "a bid of at least 0");
    if (number * rate_ > limits::kMostMoney) return refuse(Drop::kNotFinite, "money of at most 1e30");
    return number * rate_;
  }

  // Money in a column about the auction; nothing where the row does not say it.
  std::optional<double> money(std::optional<std::size_t> column) {
    const auto number = amount(column);
    if (!number) return number;
    if (*number * rate_ <= limits::kMostMoney) return *number * rate_;
    ++tally_.baseline_not_a_number;
    return std::nullopt;
  }
  std::optional<double> amount(std::optional<std::size_t> column) {
    if (!column || is_missing(cell(*column))) return std::nullopt;
    double number = 0;
    if (read(*column, number) == Reading::kFinite && number >= 0) return number;
    ++tally_.baseline_not_a_number;
    return std::nullopt;
  }

  template <class Found>
  void drop(Drop reason, std::size_t column, const Found& found) {
    const bool first = tally_.is_first(reason);
    tally_.drop(reason, first ? in_.where(column) : std::string(), first ? found() : std::string());
  }

  static std::string describe_name(std::string_view text) { return dump(Json(text.substr(0, 60))); }

 private:
  using Cells = NamedColumns::Cells;

  // A first row that is no header: every cell is an amount or a time or empty, and one at least is not empty.
  static bool is_data(const Cells& cells) {
    const auto empty = [](std::string_view cell) { return is_missing(trimmed(cell)); };
    const auto value = [](std::string_view cell) {
      return is_amount(trimmed(cell)) || time_parts(trimmed(cell)).form != TimeParts::Form::kNone;
    };
    return std::any_of(cells.begin(), cells.end(), value) &&
           std::all_of(cells.begin(), cells.end(), [&](std::string_view cell) { return empty(cell) || value(cell); });
  }
  // Columns called "4.25" are rather the cells of a first row.
  const char* header_hint() const {
    const auto amount = [](const std::string& name) { return is_amount(name); };
    if (tally_.no_header) return "; --header names if the first row has their names";
    const bool some =
        columns_.header == LogColumns::Header::kFound && std::any_of(names().begin(), names().end(), amount);
    return some ? "; --header none if the first row is data: columns are called 1, 2, ... then" : "";
  }

  // The amount in a cell, as its column is written. A log that is read once has plain numbers, or says its decimal
  // mark.
  Reading read(std::size_t column, double& number) {
    const Reading reading = read_amount(cell(column), decimals_[column], number);
    if (!columns_.written || !columns_.written->once) return reading;
    double plain = 0;
    if (reading == Reading::kFinite && (columns_.decimal || read_number(cell(column), plain) == Reading::kFinite))
      return reading;
    if (is_missing(cell(column))) return Reading::kNone;
    ++tally_.unreadable;
    if (columns_.unreadable == LogColumns::Unreadable::kAccept || tally_.severity == Severity::kStrict ||
        !is_amount(cell(column)))
      return Reading::kNone;
    throw Error(Code::kUnreadable,
                "found " + describe_name(cell(column)) + " in column " + describe_name(names()[column]) +
                    " of a log that is read once, expected a plain number such as 1234.5: how amounts are written is "
                    "found from all of them; save the log to a file first, or say --decimal point or --decimal comma",
                in_.where(column));
  }

  // A column that says by its name that it holds currencies, where none is named: amounts in two currencies are not
  // added up. Of several it is the one whose name begins most like that of the bids. A filter on one of them says that
  // it was thought of.
  void watch_currencies() {
    const auto alike = [&](const std::string& name) {
      const std::size_t most = std::min(name.size(), columns_.bid.size());
      return std::mismatch(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(most), columns_.bid.begin()).first -
             name.begin();
    };
    for (std::size_t c = 0; c < names().size(); ++c) {
      std::string lower;
      for (const char letter : names()[c])
        lower += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
      if (lower.find("currency") == std::string::npos) continue;
      if (std::any_of(where_.begin(), where_.end(), [&](const auto& rule) { return rule.first == c; })) {
        watched_.reset();
        return;
      }
      if (!watched_ || alike(names()[c]) > alike(names()[*watched_])) watched_ = c;
    }
  }
  void check_watched() {
    const auto text = cell(*watched_);
    if (first_currency_.empty() && !is_missing(text)) first_currency_ = text;
    if (is_missing(text) || text == first_currency_) return;
    const std::string& name = names()[*watched_];
    throw Error(kMixedCurrencies,
                "found " + describe_name(text) + " beside " + describe_name(first_currency_) + " in column " +
                    describe_name(name) + ", expected --currency-column " + name + " with --rates FILE, or --where " +
                    name + "=" + first_currency_ + "; --currency-column none if bids are not in it",
                in_.where(*watched_));
  }

  // The currency of the row, and what money in it is worth. False where the row says none, and it is counted as
  // dropped.
  bool take_currency() {
    const auto text = cell(*currency_);
    if (is_missing(text)) {
      ++tally_.rows;
      drop(Drop::kCurrency, *currency_, [] { return std::string("an empty field, expected a currency"); });
      return false;
    }
    if (columns_.rates.empty()) {
      if (tally_.currency.empty()) tally_.currency = columns_.currency.empty() ? std::string(text) : columns_.currency;
      if (text == tally_.currency) return true;
      throw Error(
          kMixedCurrencies,
          "found " + describe_name(text) + " beside " + describe_name(tally_.currency) +
              ", expected one currency: give --rates FILE, a line such as EUR,1.08 for each, or choose one with "
              "--where " +
              names()[*currency_] + "=" + tally_.currency,
          in_.where(*currency_));
    }
    tally_.currency = columns_.currency;
    const auto rate = columns_.rates.find(text);
    if (rate == columns_.rates.end())
      throw Error(Code::kUnknownName, "found " + describe_name(text) + ", expected a currency that --rates has",
                  in_.where(*currency_));
    rate_ = rate->second;
    return true;
  }

  LogTally& tally_;
  const LogColumns& columns_;
  NamedColumns in_;
  std::vector<DecimalMark> decimals_;  // of each column
  LogObserver* observer_ = nullptr;    // while the log is looked at
  std::vector<std::pair<std::size_t, std::string>> where_;
  ContextCells context_;
  std::vector<std::size_t> by_;  // places of its columns
  std::optional<std::size_t> currency_;
  std::optional<std::size_t> watched_;  // the column of currencies that nothing was said of
  std::string first_currency_;          // that it says
  double rate_ = 1;
};

}  // namespace hannan::detail
