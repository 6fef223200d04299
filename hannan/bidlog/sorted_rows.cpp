#include "hannan/bidlog/sorted_rows.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hannan/io/csv.hpp"
#include "hannan/io/refused_cell.hpp"

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
    std::ranges::sort(rounds_, [&](const HeldRound& a, const HeldRound& b) {
      if (numbers_ && a.number != b.number) return a.number < b.number;
      if (!numbers_ && a.text != b.text) return a.text < b.text;
      return a.place < b.place;
    });
  }

  // Which of the two orders counts is known at the end.
  void take_order(HeldRound& round, const LogRow& row) {
    if (row.order.empty()) return;
    if (looks_like_date(row.order) && row.order.find_first_not_of("0123456789") != 4) {
      throw Error(Code::kMalformed,
                  "found " + dump(Json(row.order)) +
                      ", expected numbers or times as 2024-01-31 12:00 to sort by: day and month cannot be told apart",
                  name_);
    }
    double number = 0;
    numbers_ = numbers_ && read_number(row.order, number) == Reading::kFinite;
    const bool first = round.text.empty();
    if (first || number < round.number) round.number = number;
    if (first || row.order < round.text) round.text = row.order;
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
  bool numbers_ = true;  // all cells so far
  std::vector<HeldRound> rounds_;
  std::size_t round_ = 0, at_ = 0;
  std::shared_ptr<const ContextCells> last_;
};

}  // namespace

std::unique_ptr<LogRows> sorted_rows(std::unique_ptr<LogRows> rows, std::string name, std::size_t most) {
  return std::make_unique<SortedRows>(std::move(rows), std::move(name), most);
}

}  // namespace hannan::detail
