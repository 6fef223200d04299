// Dates of tables that are written with the year last, 4/25/2003 or 25.4.2003: which of the first two numbers is the
// day the whole column says, by one that is above 12.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hannan::detail {

enum class DateOrder { kDayFirst, kMonthFirst };

struct YearLastDate {
  int first = 0, second = 0, year = 0;
  int seconds = -1;  // of the day; -1: no time is given
  friend bool operator==(const YearLastDate&, const YearLastDate&) = default;
};
// Two numbers of one or two digits and a year of four with the same /, . or - between them; behind a space or a T a
// time may follow: 9:05, 09:05:30 or 9:05 PM. Nothing where the text is of another form.
std::optional<YearLastDate> year_last_date(std::string_view text);

// "2003-04-25", or with its time "2003-04-25 09:05:00", whose order as text is that of time. Empty: there is no such
// day.
std::string iso_date(const YearLastDate& date, DateOrder order);

// What a column of such dates says of their order.
class DateColumn {
 public:
  void see(const YearLastDate& date) {
    first_large_ = first_large_ || date.first > 12;
    second_large_ = second_large_ || date.second > 12;
  }
  bool contradicts() const { return first_large_ && second_large_; }
  // Nothing where every date could be either, or where the dates contradict each other.
  std::optional<DateOrder> order() const {
    if (first_large_ == second_large_) return std::nullopt;
    return first_large_ ? DateOrder::kDayFirst : DateOrder::kMonthFirst;
  }

 private:
  bool first_large_ = false, second_large_ = false;
};

}  // namespace hannan::detail
