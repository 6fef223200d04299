#include "hannan/bidlog/sorted_rows.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hannan/io/csv.hpp"

namespace hannan::detail {
namespace {

// A row that owns its text.
struct HeldRow {
  std::string round, item, who, segment, time;
  LogRow row;  // its views are set anew when it is given out
  std::shared_ptr<const ContextCells> context;
};

struct HeldRound {
  std::string text;       // the least cell to sort by, as text; empty: none yet
  double number = 0;      // the least one as a number, where all cells are numbers
  std::string day_first;  // the least one as a date, where all cells are dates with the year last; empty: none is one
  std::string month_first;
  std::size_t place = 0;  // in the log: equal ones keep its order
  std::vector<HeldRow> rows;
};

class SortedRows final : public LogRows {
 public:
  SortedRows(std::unique_ptr<LogRows> rows, std::string name, std::size_t most)
      : rows_(std::move(rows)), name_(std::move(name)), most_(most) {}

  bool next(LogRow& row) override {
    if (rows_) read_all();
    while (round_ < rounds_.size() && at_ == rounds_[round_].rows.size()) {
      rounds_[round_++].rows = {};  // not needed any more
      at_ = 0;
    }
    if (round_ == rounds_.size()) return false;
    const HeldRow& held = rounds_[round_].rows[at_++];
    row = held.row;
    row.round = held.round;
    row.item = held.item;
    row.who = held.who;
    row.segment = held.segment;
    row.time = held.time;
    row.order = {};
    row.context = held.context.get();
    return true;
  }

 private:
  void read_all() {
    std::unordered_map<std::string, std::size_t> places;
    std::size_t count = 0;
    for (LogRow row; rows_->next(row); ++count) {
      if (count == most_) {
        throw Error(Code::kTooLarge,
                    "found more than " + std::to_string(most_) +
                        " rows, expected fewer to sort; sort the file itself, then leave out --sort-by",
                    name_);
      }
      const auto [place, fresh] = places.emplace(row.round, rounds_.size());
      if (fresh) rounds_.emplace_back().place = place->second;
      HeldRound& round = rounds_[place->second];
      take_order(round, row);
      round.rows.push_back({std::string(row.round), std::string(row.item), std::string(row.who),
                            std::string(row.segment), std::string(row.time), row, context_of(row)});
    }
    rows_.reset();
    for (const HeldRound& round : rounds_) {
      if (round.text.empty()) {
        throw Error(Code::kMalformed,
                    "found nothing to sort round " + dump(Json(round.rows.front().round)) +
                        " by, expected a cell of the column in one of its rows",
                    name_);
      }
    }
    if (dates_ > 0) take_dates();
    std::ranges::sort(rounds_, [&](const HeldRound& a, const HeldRound& b) {
      if (numbers_ && a.number != b.number) return a.number < b.number;
      if (!numbers_ && a.text != b.text) return a.text < b.text;
      return a.place < b.place;
    });
  }

  // Which of the two orders counts is known at the end.
  void take_order(HeldRound& round, const LogRow& row) {
    if (row.order.empty()) return;
    ++cells_;
    if (const auto date = year_last_date(row.order)) {
      ++dates_;
      column_.see(*date);
      for (const DateOrder order : {DateOrder::kDayFirst, DateOrder::kMonthFirst}) {
        std::string& least = order == DateOrder::kDayFirst ? round.day_first : round.month_first;
        std::string text = iso_date(*date, order);
        if (!text.empty() && (least.empty() || text < least)) least = std::move(text);
      }
    }
    double number = 0;
    numbers_ = numbers_ && read_number(row.order, number) == Reading::kFinite;
    const bool first = round.text.empty();
    if (first || number < round.number) round.number = number;
    if (first || row.order < round.text) round.text = row.order;
  }

  // Dates with the year last are sorted by what they are, and times of that form are written as 2003-04-25 from here
  // on.
  void take_dates() {
    const auto refuse = [&](const std::string& what) { throw Error(Code::kMalformed, what, name_); };
    const std::string one = dump(Json(a_date()));
    if (dates_ < cells_) refuse("found " + one + " beside cells of another form, expected all to be dates of one form");
    if (column_.contradicts())
      refuse("found dates such as " + one +
             " of which some have a first and some a second number above 12, expected one form");
    const auto order = column_.order();
    if (!order)
      refuse("found " + one +
             " and no date with a number above 12: day and month cannot be told apart, expected --dates day-first or "
             "--dates month-first");
    numbers_ = false;
    for (HeldRound& round : rounds_) {
      round.text = *order == DateOrder::kDayFirst ? round.day_first : round.month_first;
      if (round.text.empty()) refuse("found no day that exists in round " + dump(Json(round.rows.front().round)));
      for (HeldRow& row : round.rows) {
        const auto date = year_last_date(row.time);
        std::string text = date ? iso_date(*date, *order) : std::string();
        if (!text.empty()) row.time = std::move(text);
      }
    }
  }

  // One of the cells that are dates, for a message.
  std::string a_date() const {
    for (const HeldRound& round : rounds_) {
      if (year_last_date(round.text)) return round.text;
    }
    return "a date";
  }

  // Rows that follow each other mostly share one.
  std::shared_ptr<const ContextCells> context_of(const LogRow& row) {
    if (!row.context) return nullptr;
    if (!last_ || last_->raw() != row.context->raw()) last_ = std::make_shared<const ContextCells>(*row.context);
    return last_;
  }

  std::unique_ptr<LogRows> rows_;  // null: all have been read
  std::string name_;
  std::size_t most_;
  bool numbers_ = true;                // all cells so far
  std::size_t cells_ = 0, dates_ = 0;  // to sort by, and those of them that are dates with the year last
  DateColumn column_;                  // of these
  std::vector<HeldRound> rounds_;
  std::size_t round_ = 0, at_ = 0;
  std::shared_ptr<const ContextCells> last_;
};

}  // namespace

std::unique_ptr<LogRows> sorted_rows(std::unique_ptr<LogRows> rows, std::string name, std::size_t most) {
  return std::make_unique<SortedRows>(std::move(rows), std::move(name), most);
}

}  // namespace hannan::detail
