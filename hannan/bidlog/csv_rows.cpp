// Logs as delimited text: long, one bid a row, and wide, one round a row.
#include <algorithm>
#include <string>

#include "hannan/bidlog/row.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/io/csv.hpp"

namespace hannan::detail {
namespace {

// Spellings of "nothing stands here". NaN is not one of them: it is a number gone wrong.
bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "NA" || cell == "N/A" || cell == "null" || cell == "NULL" || cell == "?" ||
         cell == "-";
}

// The rows under their header, and where the columns asked for stand.
class Sheet {
 public:
  explicit Sheet(LogInput input)
      : name_(input.name),
        tally_(input.tally),
        columns_(input.columns),
        reader_(std::move(input.bytes), input.name, CsvOptions{.separator = input.columns.separator}),
        context_(input.columns.by) {
    const LogColumns& columns = input.columns;
    if (!reader_.next(cells_)) throw Error(Code::kEmpty, "found no rows, expected a header and rows", name_);
    pending_ = columns.header == LogColumns::Header::kNone;
    line_ = reader_.line();
    for (std::size_t c = 0; c < cells_.size(); ++c)
      names_.emplace_back(pending_ ? std::to_string(c + 1) : std::string(trimmed(cells_[c])));
    for (const auto& [column, value] : columns.where) where_.emplace_back(place_of(column, "--where"), value);
    if (!columns.currency_column.empty()) currency_ = place_of(columns.currency_column, "--currency-column");
    for (const ContextColumn& column : columns.by)
      by_.push_back(column.column.empty() ? place_of(columns.time, "--timestamp") : place_of(column.column, "--by"));
  }

  std::size_t place_of(const std::string& column, const std::string& flag) const {
    const auto found = std::find(names_.begin(), names_.end(), column);
    const bool twice = found != names_.end() && std::find(found + 1, names_.end(), column) != names_.end();
    if (found != names_.end() && !twice) return static_cast<std::size_t>(found - names_.begin());
    constexpr std::size_t kShown = 40;
    std::string all;
    for (std::size_t c = 0; c < std::min(names_.size(), kShown); ++c) all += (c ? ", " : "") + describe_name(names_[c]);
    if (names_.size() > kShown) all += " ...";
    throw Error(Code::kUnknownName,
                (twice ? "found two columns \"" : "found no column \"") + column + "\" (" + flag +
                    "), expected one of " + all +
                    (names_.size() == 1 ? "; if that is several, say what stands between them with --separator" : "") +
                    (twice ? "" : near_hint(column, names_)),
                name_ + ":" + std::to_string(line_));
  }

  // The next row of the right width that passes the filters; false at the end.
  bool next() {
    for (;;) {
      if (!pending_ && !reader_.next(cells_)) {
        tally_.cut_short = !reader_.ended_with_newline();
        return false;
      }
      pending_ = false;
      if (cells_.size() != names_.size()) {
        ++tally_.rows;
        drop(Drop::kColumns, std::min(cells_.size(), names_.size()), [&] {
          return std::to_string(cells_.size()) + " columns, expected " + std::to_string(names_.size()) +
                 " as in line " + std::to_string(line_);
        });
        continue;
      }
      const auto fails = [&](const auto& rule) { return trimmed(cells_[rule.first]) != rule.second; };
      const auto failed = std::find_if(where_.begin(), where_.end(), fails);
      if (failed == where_.end() && (!currency_ || take_currency())) return true;
      if (failed == where_.end()) continue;
      ++tally_.rows;
      drop(Drop::kFiltered, failed->first, [] { return std::string("a row that --where leaves out"); });
    }
  }

  std::string_view cell(std::size_t column) const { return trimmed(cells_[column]); }
  // Reads the context of the row, where one is asked for, as its cells are: bytes compare exactly.
  const ContextCells* context() {
    if (by_.empty()) return nullptr;
    context_.read([&](std::size_t i) { return cells_[by_[i]]; }, [&](std::size_t i) { return reader_.where(by_[i]); });
    if (!context_.all_read()) ++tally_.context_not_a_number;
    return &context_;
  }
  bool of_context(std::size_t column) const { return std::find(by_.begin(), by_.end(), column) != by_.end(); }
  const std::vector<std::string>& names() const { return names_; }
  std::size_t line() const { return reader_.line(); }

  // The quantity in a cell; nothing where there is none, and the row is counted as dropped.
  std::optional<double> quantity(std::size_t column) {
    const auto text = cell(column);
    double number = 0;
    if (read_number(text, number) == Reading::kFinite && number > 0) return number;
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
    const Reading reading = read_number(text, number);
    if (reading == Reading::kNone) return refuse(Drop::kNotANumber, "a number such as 1234.5");
    if (reading == Reading::kUnbounded) return refuse(Drop::kNotFinite, "a finite number");
    if (number < 0) return refuse(Drop::kNegative, "a bid of at least 0");
    return number * rate_;
  }

  // Money in a column about the auction; nothing where the row does not say it.
  std::optional<double> money(std::optional<std::size_t> column) {
    const auto number = amount(column);
    if (number) return *number * rate_;
    return number;
  }
  std::optional<double> amount(std::optional<std::size_t> column) {
    if (!column || is_missing(cell(*column))) return std::nullopt;
    double number = 0;
    if (read_number(cell(*column), number) == Reading::kFinite && number >= 0) return number;
    ++tally_.baseline_not_a_number;
    return std::nullopt;
  }

  template <class Found>
  void drop(Drop reason, std::size_t column, const Found& found) {
    const bool first = tally_.is_first(reason);
    tally_.drop(reason, first ? reader_.where(column) : std::string(), first ? found() : std::string());
  }

  static std::string describe_name(std::string_view text) { return dump(Json(text.substr(0, 60))); }

 private:
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
              names_[*currency_] + "=" + tally_.currency,
          reader_.where(*currency_));
    }
    tally_.currency = columns_.currency;
    const auto rate = columns_.rates.find(text);
    if (rate == columns_.rates.end())
      throw Error(Code::kUnknownName, "found " + describe_name(text) + ", expected a currency that --rates has",
                  reader_.where(*currency_));
    rate_ = rate->second;
    return true;
  }

  std::string name_;
  LogTally& tally_;
  const LogColumns& columns_;
  CsvReader reader_;
  std::vector<std::string_view> cells_;
  std::vector<std::string> names_;
  std::vector<std::pair<std::size_t, std::string>> where_;
  ContextCells context_;
  std::vector<std::size_t> by_;  // places of its columns
  std::optional<std::size_t> currency_;
  double rate_ = 1;
  std::size_t line_ = 0;
  bool pending_ = false;
};

class LongRows final : public LogRows {
 public:
  explicit LongRows(LogInput input) : tally_(input.tally), sheet_(std::move(input)) {
    const LogColumns& columns = input.columns;
    if (columns.round != "none") round_ = sheet_.place_of(columns.round, "--round");
    bid_ = sheet_.place_of(columns.bid, "--bid");
    if (!columns.value.empty()) value_ = sheet_.place_of(columns.value, "--value");
    value_factor_ = columns.value_factor;
    if (!columns.who.empty()) who_ = sheet_.place_of(columns.who, "--bidder");
    if (!columns.item.empty()) item_ = sheet_.place_of(columns.item, "--item");
    if (!columns.segment.empty()) segment_ = sheet_.place_of(columns.segment, "--segment");
    if (!columns.quantity.empty()) quantity_ = sheet_.place_of(columns.quantity, "--quantity");
    if (!columns.time.empty()) time_ = sheet_.place_of(columns.time, "--timestamp");
    if (!columns.opening.empty()) opening_ = sheet_.place_of(columns.opening, "--opening");
    if (!columns.paid.empty()) paid_ = sheet_.place_of(columns.paid, "--paid");
    if (!columns.sort.empty()) sort_ = sheet_.place_of(columns.sort, "--sort-by");
    if (!columns.outside.empty()) outside_ = sheet_.place_of(columns.outside, "--scale");
    outside_factor_ = columns.outside_factor;
    const auto equals = columns.won.find('=');
    if (!columns.won.empty()) won_ = sheet_.place_of(columns.won.substr(0, equals), "--won");
    if (equals != std::string::npos) won_value_ = columns.won.substr(equals + 1);
  }

  bool next(LogRow& row) override {
    while (sheet_.next()) {
      ++tally_.rows;
      row = {};
      if (!round_) id_ = std::to_string(sheet_.line());
      row.round = round_ ? sheet_.cell(*round_) : std::string_view(id_);
      if (is_missing(row.round)) {
        sheet_.drop(Drop::kNoRound, round_.value_or(0), [] { return std::string("an empty field, expected a round"); });
        continue;
      }
      row.context = sheet_.context();
      if (sort_) row.order = sheet_.cell(*sort_);
      // "NA" may be the name of a bidder; an empty cell is not a name.
      if (!take(who_, row.who, Drop::kNoBidder, "a bidder") || !take(item_, row.item, Drop::kNoItem, "an item") ||
          !take(segment_, row.segment, Drop::kNoSegment, "a segment")) {
        return true;
      }
      if (quantity_) {
        const auto quantity = sheet_.quantity(*quantity_);
        if (!quantity) return true;
        row.quantity = *quantity;
        row.demand = quantity;
      }
      row.bid = sheet_.bid(bid_);
      if (!row.bid) return true;
      row.opening = sheet_.money(opening_);
      row.paid = sheet_.money(paid_);
      row.outside = sheet_.money(outside_);
      if (row.outside) *row.outside *= outside_factor_;
      row.value = sheet_.money(value_);
      if (row.value) *row.value *= value_factor_;
      if (won_ && won_value_) row.won = sheet_.cell(*won_) == *won_value_ ? 1 : 0;
      if (won_ && !won_value_) row.won = sheet_.amount(won_).value_or(0);
      ++tally_.used;
      if (!is_utf8(row.who) || !is_utf8(row.round)) ++tally_.not_utf8;
      if (time_) row.time = sheet_.cell(*time_);
      if (time_) look_at_time(row.round);
      return true;
    }
    return false;
  }

 private:
  // The name in a column that is asked for; false where it is empty, and the row is counted as dropped.
  bool take(std::optional<std::size_t> column, std::string_view& name, Drop reason, const char* expected) {
    if (!column) return true;
    name = sheet_.cell(*column);
    if (!name.empty()) return true;
    sheet_.drop(reason, *column, [&] { return std::string("an empty field, expected ") + expected; });
    return false;
  }

  // Within a round: numbers as numbers, other timestamps (ISO 8601) as text.
  void look_at_time(std::string_view round) {
    const auto text = sheet_.cell(*time_);
    double now = 0, before = 0;
    const bool numbers =
        read_number(text, now) == Reading::kFinite && read_number(last_time_, before) == Reading::kFinite;
    if (round == last_round_ && (numbers ? now < before : text < last_time_)) ++tally_.backwards;
    last_time_.assign(text);
    last_round_.assign(round);
  }

  LogTally& tally_;
  Sheet sheet_;
  std::size_t bid_ = 0;
  std::optional<std::size_t> round_, value_, who_, item_, segment_, quantity_, time_, opening_, paid_, won_, outside_,
      sort_;
  std::optional<std::string> won_value_;  // what the column says of a row that won; none: it says how many units
  double outside_factor_ = 1, value_factor_ = 1;
  std::string id_;  // of a row that is a round
  std::string last_time_, last_round_;
};

class WideRows final : public LogRows {
 public:
  explicit WideRows(LogInput input) : tally_(input.tally), sheet_(std::move(input)) {
    const LogColumns& columns = input.columns;
    if (!columns.round.empty()) round_ = sheet_.place_of(columns.round, "--round");
    if (!columns.opening.empty()) opening_ = sheet_.place_of(columns.opening, "--opening");
    if (!columns.paid.empty()) paid_ = sheet_.place_of(columns.paid, "--paid");
    if (!columns.sort.empty()) sort_ = sheet_.place_of(columns.sort, "--sort-by");
    if (!columns.outside.empty()) outside_ = sheet_.place_of(columns.outside, "--scale");
    outside_factor_ = columns.outside_factor;
    if (!columns.choice.empty()) choice_ = sheet_.place_of(columns.choice, "--choice");
    for (const auto& column : columns.columns) columns_.push_back(sheet_.place_of(column, "--columns"));
    for (std::size_t c = 0; columns.columns.empty() && c < sheet_.names().size(); ++c) {
      if (c != round_ && c != opening_ && c != paid_ && c != choice_ && c != sort_ && !sheet_.of_context(c) &&
          (columns.time.empty() || sheet_.names()[c] != columns.time) &&
          (columns.currency_column.empty() || sheet_.names()[c] != columns.currency_column) &&
          (columns.outside.empty() || sheet_.names()[c] != columns.outside))
        columns_.push_back(c);
    }
    at_ = columns_.size();
  }

  bool next(LogRow& row) override {
    for (;;) {
      if (at_ == columns_.size()) {
        if (!open_row()) return false;
        // One that brings no bid opens the round, in case no cell does.
        row = {};
        row.round = id_;
        row.context = sheet_.context();
        if (sort_) row.order = sheet_.cell(*sort_);
        row.opening = sheet_.money(opening_);
        row.paid = sheet_.money(paid_);
        row.outside = sheet_.money(outside_);
        if (row.outside) *row.outside *= outside_factor_;
        return true;
      }
      const std::size_t column = columns_[at_++];
      if (is_missing(sheet_.cell(column))) continue;  // an absent bidder is no fault of a wide log
      ++tally_.rows;
      row = {};
      row.round = id_;
      row.who = sheet_.names()[column];
      row.bid = sheet_.bid(column);
      if (!row.bid) continue;
      if (choice_) {
        row.item = row.who;
        row.won = is_chosen(row.item, sheet_.cell(*choice_)) ? 1 : 0;
      }
      ++tally_.used;
      return true;
    }
  }

 private:
  // The column of what was bought has its name, or ends in it: price.heinz of heinz.
  static bool is_chosen(std::string_view column, std::string_view choice) {
    if (column == choice) return true;
    if (choice.empty() || column.size() <= choice.size() || !column.ends_with(choice)) return false;
    const char before = column[column.size() - choice.size() - 1];
    return before == '.' || before == '_' || before == ' ' || before == ':';
  }

  bool open_row() {
    for (;;) {
      if (!sheet_.next()) return false;
      id_ = round_ ? std::string(sheet_.cell(*round_)) : std::to_string(sheet_.line());
      at_ = 0;
      if (!id_.empty()) return true;
      ++tally_.rows;
      sheet_.drop(Drop::kNoRound, *round_, [] { return std::string("an empty field, expected a round"); });
    }
  }

  LogTally& tally_;
  Sheet sheet_;
  std::optional<std::size_t> round_, opening_, paid_, outside_, choice_, sort_;
  double outside_factor_ = 1;
  std::vector<std::size_t> columns_;
  std::size_t at_;
  std::string id_;
};

}  // namespace

std::unique_ptr<LogRows> long_rows(LogInput input) { return std::make_unique<LongRows>(std::move(input)); }
std::unique_ptr<LogRows> wide_rows(LogInput input) { return std::make_unique<WideRows>(std::move(input)); }

}  // namespace hannan::detail
