// What the cells of a column say together, and the questions that they leave.
//
// Invariant: every cell is counted as a time, a number since 1970, a day of eight digits or text; the sums decide
// together what the column is, and the first example of each kind is kept for questions.
#include "hannan/io/time_column.hpp"

#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

std::string quoted(const CellExample& example) { return dump(Json(example.cell)); }

}  // namespace

// All cells of one kind decide it. Times beside other cells are an error that shows one of each.
TimeColumn::Sense TimeColumn::sense() const {
  if (numbers_ == cells_) return days_ == cells_ || since_1970_ == cells_ ? Sense::kTimes : Sense::kNumbers;
  if (times_ == 0) return Sense::kText;
  const bool mixed = times_ + since_1970_ < cells_ || (year_last_ > 0 && year_last_ < cells_);
  if (!mixed) return Sense::kTimes;
  const CellExample& other = texts_ > 0             ? text_
                             : numbers_ > 0         ? number_
                             : last_.at == time_.at ? (locals_ > 0 ? without_ : with_)
                                                    : last_;
  throw Error(Code::kMalformed,
              "found " + quoted(time_) + " (" + time_.at + ") beside cells of another form" +
                  (other.at == time_.at ? "" : " such as " + quoted(other) + " (" + other.at + ")") +
                  ", expected all to be times of one form",
              other.at);
}

// What is stated counts; otherwise the order of day and month must follow from the cells, or the user is asked.
TimeWriting TimeColumn::writing(const StatedTimes& stated) const {
  TimeWriting writing{.dates = stated.dates, .numbers = stated.numbers, .zone = stated.zone.value_or(0)};
  if (year_last_ == 0 || writing.dates) return writing;
  if (order_.contradicts()) {
    throw Error(Code::kMalformed,
                "found dates such as " + quoted(last_) +
                    " of which some have a first and some a second number above 12, expected one form",
                last_.at);
  }
  writing.dates = order_.order();
  if (writing.dates) return writing;
  throw Error(Code::kTwoReadings,
              "found " + quoted(last_) +
                  " and no date with a number above 12: day and month cannot be told apart, expected --dates day-first "
                  "or --dates month-first",
              last_.at);
}

// Times with an offset and times without one can be put in order only if the zone of the latter is known.
void TimeColumn::need_one_zone(const StatedTimes& stated) const {
  const bool absolute = offsets_ > 0 || since_1970_ > 0;
  if (stated.zone || !absolute || locals_ == 0) return;
  const CellExample& with = offsets_ > 0 ? with_ : number_;
  throw Error(Code::kTwoReadings,
              "found " + quoted(without_) + " without an offset beside " + quoted(with) + " (" + with.at +
                  "), expected --zone UTC or --zone +02:00: in which zone times without one are",
              without_.at);
}

// Plain numbers need to be told apart by their digits, in all rows alike.
void TimeColumn::need_times(const StatedTimes& stated) const {
  if (stated.numbers != TimeWriting::Numbers::kByDigits || numbers_ == 0 || days_ == cells_) return;
  if (since_1970_ == numbers_) return;
  throw Error(
      Code::kTwoReadings,
      "found " + quoted(number_) +
          ", which may be a day, or seconds or milliseconds since 1970 (of eight, ten and thirteen digits in all "
          "rows), expected --dates seconds, --dates milliseconds or times as 2024-01-31 12:00",
      number_.at);
}

}  // namespace hannan::detail
