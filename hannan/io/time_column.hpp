// How a column of times is written, found from all its cells (written_time.hpp reads one of them).
//
// It is a column of times where every cell is one; of numbers where every cell is a number and they are neither days
// (eight digits), seconds (ten) nor milliseconds (thirteen) since 1970; of text where no cell is a time. Dates with the
// year last are of one order, which a number above 12 says. What cannot be told is asked: days and months that are all
// up to 12, times with and without an offset where no zone is stated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hannan/io/amount_column.hpp"
#include "hannan/io/written_time.hpp"

namespace hannan::detail {

// What is stated of all times.
struct StatedTimes {
  std::optional<DateOrder> dates;
  TimeWriting::Numbers numbers = TimeWriting::Numbers::kByDigits;
  std::optional<int> zone;
};

class TimeColumn {
 public:
  enum class Sense { kTimes, kNumbers, kText };

  // A cell that is not missing; where() is its place.
  template <class Where>
  void see(std::string_view cell, const Where& where) {
    note(time_parts(cell), cell, where);
  }

  std::uint64_t cells() const { return cells_; }
  // Throws kMalformed where some cells are times and others are not, or dates are of two orders.
  Sense sense() const;
  // Of a column of times. Throws kTwoReadings where day and month cannot be told apart.
  TimeWriting writing(const StatedTimes& stated) const;
  // Throws kTwoReadings where some times have an offset, others none, and no zone is stated.
  void need_one_zone(const StatedTimes& stated) const;
  // Throws kTwoReadings where the cells are numbers of which it is not known what they count.
  void need_times(const StatedTimes& stated) const;

 private:
  template <class Where>
  void note(const TimeParts& parts, std::string_view cell, const Where& where) {
    ++cells_;
    using Form = TimeParts::Form;
    const auto keep = [&](CellExample& example, std::uint64_t& count) {
      if (count++ == 0) example = {where(), std::string(cell.substr(0, 60))};
    };
    if (parts.form == Form::kNone) return keep(text_, texts_);
    if (parts.form == Form::kNumber) {
      keep(number_, numbers_);
      days_ += parts.day ? 1 : 0;
      since_1970_ += parts.digits == 10 || parts.digits == 13 ? 1 : 0;
      return;
    }
    if (parts.form == Form::kYearLast) {
      keep(last_, year_last_);
      order_.see(parts.date);
    }
    keep(time_, times_);
    parts.offset ? keep(with_, offsets_) : keep(without_, locals_);
  }

  std::uint64_t cells_ = 0, texts_ = 0, numbers_ = 0, days_ = 0, since_1970_ = 0, times_ = 0, year_last_ = 0;
  std::uint64_t offsets_ = 0, locals_ = 0;
  DateColumn order_;
  CellExample text_, number_, time_, last_, with_, without_;
};

}  // namespace hannan::detail
