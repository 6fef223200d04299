// Logs as delimited text: long, one bid a row, and wide, one round a row.
#include <string>

#include "hannan/bidlog/log_sheet.hpp"
#include "hannan/bidlog/payment_columns.hpp"

namespace hannan::detail {
namespace {

// A time in the form that pages read, on the clocks of the run's zone, written into `held`; other text, and times that
// are in that form as they stand, as it is.
std::string_view time_text(std::string_view cell, const TimeWriting& writing, std::string& held) {
  const TimeParts parts = time_parts(cell);
  using Form = TimeParts::Form;
  const bool same = parts.form == Form::kNone || (parts.form == Form::kNumber && !parts.day && writing.zone == 0) ||
                    (parts.form == Form::kYearFirst && cell.size() > 4 && cell[4] == '-' &&
                     parts.offset.value_or(writing.zone) == writing.zone);
  const auto time = same ? std::nullopt : zone_time(cell, writing);
  if (!time) return cell;
  held = clock_text(time->shown, time->has_clock);
  return held;
}

// One bid a row. A row that has no usable bid still names its round, so that a round without bids exists (next returns
// it with an empty bid); a row without a round belongs nowhere and is dropped and counted.
class LongRows final : public LogRows {
 public:
  explicit LongRows(LogInput input)
      : tally_(input.tally), sheet_(std::move(input)), payment_(sheet_.names(), input.columns) {
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
    if (columns.written) times_ = columns.written->times;
    if (!columns.opening.empty()) opening_ = sheet_.place_of(columns.opening, "--opening");
    if (!columns.paid.empty()) paid_ = sheet_.place_of(columns.paid, "--paid");
    if (!columns.sort.empty()) sort_ = sheet_.place_of(columns.sort, "--sort-by");
    if (!columns.outside.empty()) outside_ = sheet_.place_of(columns.outside, "--scale");
    outside_factor_ = columns.outside_factor;
    const auto equals = columns.won.find('=');
    if (!columns.won.empty()) won_ = sheet_.place_of(columns.won.substr(0, equals), "--won");
    if (equals != std::string::npos) won_value_ = columns.won.substr(equals + 1);
  }

  // Shows all amounts to the observer.
  void observe(LogObserver& observer) {
    std::vector<LogSheet::Place> places{{bid_, AmountRole::kBid}};
    for (const auto& [column, role] :
         {std::pair(quantity_, AmountRole::kCount), std::pair(opening_, AmountRole::kMoney),
          std::pair(paid_, AmountRole::kMoney), std::pair(outside_, AmountRole::kMoney),
          std::pair(value_, AmountRole::kMoney), std::pair(won_value_ ? std::nullopt : won_, AmountRole::kCount)}) {
      if (column) LogSheet::add_place(places, {*column, role});
    }
    sheet_.add_context(places);
    sheet_.observe(places, observer);
  }

  bool next(LogRow& row) override {
    while (sheet_.next()) {
      // Checks from the outside in: the round, the names, the quantity, the bid. Each `return true` before the last one
      // hands out a row without a bid, whose fault is already counted.
      ++tally_.rows;
      payment_.look([&](std::size_t c) { return sheet_.cell(c); }, tally_.payment_columns);
      row = {};
      // Without a column of rounds every row is one, named by its line.
      if (!round_) id_ = std::to_string(sheet_.line());
      row.round = round_ ? sheet_.cell(*round_) : std::string_view(id_);
      if (is_missing(row.round)) {
        sheet_.drop(Drop::kNoRound, round_.value_or(0), [] { return std::string("an empty field, expected a round"); });
        continue;
      }
      row.context = sheet_.context();
      row.line = sheet_.line();
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
      // --won COLUMN=VALUE: the row won one unit or none. --won COLUMN: the cell is the number of units, and 0 where it
      // is empty.
      if (won_ && won_value_) row.won = sheet_.cell(*won_) == *won_value_ ? 1 : 0;
      if (won_ && !won_value_) row.won = sheet_.amount(won_).value_or(0);
      ++tally_.used;
      if (!is_utf8(row.who) || !is_utf8(row.round)) ++tally_.not_utf8;
      if (time_) row.time = time_text(sheet_.cell(*time_), times_, time_text_);
      if (time_) look_at_time(row.round, row.time);
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

  // Counts rows that step back in time within their round; it changes no result and is a hint in the summary that the
  // log is not in order. Times of a round's first row are compared with nothing.
  // Within a round: numbers as numbers, times as times, other timestamps as text.
  void look_at_time(std::string_view round, std::string_view text) {
    double now = 0, before = 0;
    const bool numbers =
        read_number(text, now) == Reading::kFinite && read_number(last_time_, before) == Reading::kFinite;
    const auto time = numbers ? std::nullopt : zone_time(text, times_);
    const bool earlier = numbers                 ? now < before
                         : time && last_instant_ ? time->shown < *last_instant_
                                                 : text < last_time_;
    if (round == last_round_ && earlier) ++tally_.backwards;
    last_instant_ = time ? std::optional(time->shown) : std::nullopt;
    last_time_.assign(text);
    last_round_.assign(round);
  }

  LogTally& tally_;
  LogSheet sheet_;
  PaymentColumns payment_;
  std::size_t bid_ = 0;
  std::optional<std::size_t> round_, value_, who_, item_, segment_, quantity_, time_, opening_, paid_, won_, outside_,
      sort_;
  std::optional<std::string> won_value_;  // what the column says of a row that won; none: it says how many units
  double outside_factor_ = 1, value_factor_ = 1;
  std::string id_;  // of a row that is a round
  std::string last_time_, last_round_;
  std::optional<Instant> last_instant_;
  TimeWriting times_;
  std::string time_text_;  // of a time that is written anew
};

// One round a row, a bidder a column. next() hands out the round itself first and then its bids one by one, so that
// both formats look alike to whoever reads rows.
class WideRows final : public LogRows {
 public:
  explicit WideRows(LogInput input)
      : tally_(input.tally), sheet_(std::move(input)), payment_(sheet_.names(), input.columns) {
    const LogColumns& columns = input.columns;
    if (!columns.round.empty()) round_ = sheet_.place_of(columns.round, "--round");
    if (!columns.opening.empty()) opening_ = sheet_.place_of(columns.opening, "--opening");
    if (!columns.paid.empty()) paid_ = sheet_.place_of(columns.paid, "--paid");
    if (!columns.sort.empty()) sort_ = sheet_.place_of(columns.sort, "--sort-by");
    if (!columns.outside.empty()) outside_ = sheet_.place_of(columns.outside, "--scale");
    outside_factor_ = columns.outside_factor;
    if (!columns.choice.empty()) choice_ = sheet_.place_of(columns.choice, "--choice");
    for (const auto& column : columns.columns) columns_.push_back(sheet_.place_of(column, "--columns"));
    // Without --columns all are bidders that no other flag has taken.
    for (std::size_t c = 0; columns.columns.empty() && c < sheet_.names().size(); ++c) {
      if (c != round_ && c != opening_ && c != paid_ && c != choice_ && c != sort_ && !sheet_.of_context(c) &&
          (columns.time.empty() || sheet_.names()[c] != columns.time) &&
          (columns.currency_column.empty() || sheet_.names()[c] != columns.currency_column) &&
          (columns.outside.empty() || sheet_.names()[c] != columns.outside))
        columns_.push_back(c);
    }
    if (choice_ && columns.columns.empty()) keep_price_columns();
    at_ = columns_.size();
  }

  // Shows all amounts to the observer.
  void observe(LogObserver& observer) {
    std::vector<LogSheet::Place> places;
    for (const std::size_t column : columns_) places.push_back({column, AmountRole::kBid});
    for (const auto& column : {opening_, paid_, outside_}) {
      if (column) LogSheet::add_place(places, {*column, AmountRole::kMoney});
    }
    sheet_.add_context(places);
    sheet_.observe(places, observer);
  }

  bool next(LogRow& row) override {
    for (;;) {
      if (at_ == columns_.size()) {
        if (!open_row()) return false;
        // One that brings no bid opens the round, in case no cell does.
        row = {};
        row.round = id_;
        row.context = sheet_.context();
        row.line = sheet_.line();
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
  // Of posted prices the columns whose names begin with "price", where there are any.
  void keep_price_columns() {
    std::vector<std::size_t> prices;
    for (const std::size_t column : columns_) {
      const std::string& name = sheet_.names()[column];
      if (name.starts_with("price") || name.starts_with("Price") || name.starts_with("PRICE")) prices.push_back(column);
    }
    if (!prices.empty()) columns_ = std::move(prices);
  }

  // The column of what was bought has its name, or ends in it: price.heinz of heinz.
  static bool is_chosen(std::string_view column, std::string_view choice) {
    if (column == choice) return true;
    if (choice.empty() || column.size() <= choice.size() || !column.ends_with(choice)) return false;
    const char before = column[column.size() - choice.size() - 1];
    return before == '.' || before == '_' || before == ' ' || before == ':';
  }

  // The next line that names a round; at_ = 0 makes next() go through its cells.
  bool open_row() {
    for (;;) {
      if (!sheet_.next()) return false;
      payment_.look([&](std::size_t c) { return sheet_.cell(c); }, tally_.payment_columns);
      id_ = round_ ? std::string(sheet_.cell(*round_)) : std::to_string(sheet_.line());
      at_ = 0;
      if (!id_.empty()) return true;
      ++tally_.rows;
      sheet_.drop(Drop::kNoRound, *round_, [] { return std::string("an empty field, expected a round"); });
    }
  }

  LogTally& tally_;
  LogSheet sheet_;
  PaymentColumns payment_;
  std::optional<std::size_t> round_, opening_, paid_, outside_, choice_, sort_;
  double outside_factor_ = 1;
  std::vector<std::size_t> columns_;
  // Place in columns_ of the cell that is next; columns_.size(): the line is used up.
  std::size_t at_;
  std::string id_;
};

}  // namespace

std::unique_ptr<LogRows> long_rows(LogInput input) { return std::make_unique<LongRows>(std::move(input)); }
std::unique_ptr<LogRows> wide_rows(LogInput input) { return std::make_unique<WideRows>(std::move(input)); }
void observe_long(LogInput input, LogObserver& observer) { LongRows(std::move(input)).observe(observer); }
void observe_wide(LogInput input, LogObserver& observer) { WideRows(std::move(input)).observe(observer); }

}  // namespace hannan::detail
