// All rows are read into rounds in the order of first appearance; each round takes the least key of its rows, and the
// rounds are sorted by it, then by that order, which makes the sort stable. O(n log n) for n rounds, memory for all
// rows; a round's rows are freed when the next one begins.
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
  std::string round, item, who, segment, time, order;
  LogRow row;  // its views are set anew when it is given out
  std::shared_ptr<const ContextCells> context;
};

struct HeldRound {
  // The least of its rows' cells, as the column is compared; the others stay as they are.
  std::string text;
  double number = 0;
  Instant time;
  std::size_t place = 0;  // in the log: equal ones keep its order
  std::vector<HeldRow> rows;
};

class SortedRows final : public LogRows {
 public:
  SortedRows(std::unique_ptr<LogRows> rows, SortSetting setting)
      : rows_(std::move(rows)), name_(setting.name), stated_(setting.times), most_(setting.most) {}

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
      if (!row.order.empty()) {
        column_.see(row.order, [&] { return row.line > 0 ? name_ + ":" + std::to_string(row.line) : name_; });
      }
      round.rows.push_back({std::string(row.round), std::string(row.item), std::string(row.who),
                            std::string(row.segment), std::string(row.time), std::string(row.order), row,
                            context_of(row)});
    }
    rows_.reset();
    using Sense = TimeColumn::Sense;
    const Sense sense = column_.sense();
    if (sense == Sense::kTimes) {
      column_.need_one_zone(stated_);
      writing_ = column_.writing(stated_);
    }
    for (HeldRound& round : rounds_) take_least(round, sense);
    std::ranges::sort(rounds_, [&](const HeldRound& a, const HeldRound& b) {
      if (sense == Sense::kNumbers && a.number != b.number) return a.number < b.number;
      if (sense == Sense::kTimes && a.time != b.time) return a.time < b.time;
      if (sense == Sense::kText && a.text != b.text) return a.text < b.text;
      return a.place < b.place;
    });
  }

  // The least key of the round's rows that have one, in the sense that the whole column has: all numbers, all times, or
  // text.
  void take_least(HeldRound& round, TimeColumn::Sense sense) {
    bool first = true;
    for (const HeldRow& row : round.rows) {
      if (row.order.empty()) continue;
      if (sense == TimeColumn::Sense::kTimes) {
        const Instant time = time_of(row);
        if (first || time < round.time) round.time = time;
      } else if (sense == TimeColumn::Sense::kNumbers) {
        double number = 0;
        read_number(row.order, number);
        if (first || number < round.number) round.number = number;
      } else if (first || row.order < round.text) {
        round.text = row.order;
      }
      first = false;
    }
    if (first) {
      throw Error(Code::kMalformed,
                  "found nothing to sort round " + dump(Json(round.rows.front().round)) +
                      " by, expected a cell of the column in one of its rows",
                  name_);
    }
  }
  // Found only now, since how dates are written is known when the last row was read.
  Instant time_of(const HeldRow& row) const {
    if (const auto time = zone_time(row.order, writing_)) return time->shown;
    const bool day = writing_.dates == DateOrder::kDayFirst;
    throw Error(Code::kMalformed,
                "found " + dump(Json(row.order)) + ", which is no day that exists" +
                    (stated_.dates ? std::string(" with the ") + (day ? "day" : "month") + " first, expected --dates " +
                                         (day ? "month-first" : "day-first")
                                   : std::string()),
                stated_.dates ? "--dates" : name_);
  }

  // Rows that follow each other mostly share one.
  std::shared_ptr<const ContextCells> context_of(const LogRow& row) {
    if (!row.context) return nullptr;
    if (!last_ || last_->raw() != row.context->raw()) last_ = std::make_shared<const ContextCells>(*row.context);
    return last_;
  }

  std::unique_ptr<LogRows> rows_;  // null: all have been read
  std::string name_;
  StatedTimes stated_;
  std::size_t most_;
  TimeColumn column_;    // of the cells to sort by
  TimeWriting writing_;  // where they are times
  std::vector<HeldRound> rounds_;
  std::size_t round_ = 0, at_ = 0;
  std::shared_ptr<const ContextCells> last_;
};

}  // namespace

std::unique_ptr<LogRows> sorted_rows(std::unique_ptr<LogRows> rows, SortSetting setting) {
  return std::make_unique<SortedRows>(std::move(rows), std::move(setting));
}

}  // namespace hannan::detail
