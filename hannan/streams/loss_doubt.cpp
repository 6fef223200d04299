// Whether a table of "losses" looks like forecasts; the rule and its thresholds are stated in loss_doubt.hpp. Only the
// first rows are looked at (kMostLooked numbers). Nothing is decided silently: where the doubt holds, H213 asks and
// says how forecasts are combined. Medians are used because one wild row must not decide.
#include "hannan/streams/loss_doubt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/forecasts/actual_name.hpp"

namespace hannan::detail {
namespace {

// Chosen: fewer rows correlate by chance, and a false question costs the user a flag, while a missed one costs a wrong
// winner.
constexpr std::size_t kLeastRows = 10;
constexpr double kLeastCorrelation = 0.8, kLeastShare = 0.8, kMostRange = 0.5;
constexpr double kFarBelow = -1, kFarAbove = 2;  // beyond these a loss is no slip of rounding or scale
constexpr double kLeastOutside = 0.1;            // fewer numbers outside [0,1] are refused where they stand

// Reorders the values; NaN of none.
double median(std::vector<double>& values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

// The first rows with their medians and ranges, over the finite numbers of each row.
class Rows {
 public:
  Rows(std::span<const double> numbers, std::size_t columns) : numbers_(numbers), columns_(columns) {
    std::vector<double> row;
    for (std::size_t i = 0; i < size(); ++i) {
      row.clear();
      for (std::size_t k = 0; k < columns_; ++k) {
        if (std::isfinite(at(i, k))) row.push_back(at(i, k));  // an infinite one is refused where it stands
      }
      if (row.empty()) {
        medians_.push_back(std::numeric_limits<double>::quiet_NaN());
        continue;
      }
      outside_ += static_cast<std::size_t>(std::ranges::count_if(row, [](double v) { return v < 0 || v > 1; }));
      const auto [low, high] = std::ranges::minmax(row);
      least_ = std::min(least_, low);
      most_ = std::max(most_, high);
      ranges_.push_back(high - low);
      medians_.push_back(median(row));
    }
  }

  std::size_t size() const { return columns_ == 0 ? 0 : numbers_.size() / columns_; }
  double at(std::size_t i, std::size_t k) const { return numbers_[i * columns_ + k]; }
  double least() const { return least_; }
  double most() const { return most_; }
  bool leave_unit_interval() const { return least_ < 0 || most_ > 1; }
  double share_outside() const { return static_cast<double>(outside_) / static_cast<double>(numbers_.size()); }
  double level() const {  // of all rows: the median absolute row median
    std::vector<double> sizes;
    for (const double m : medians_) {
      if (!std::isnan(m)) sizes.push_back(std::abs(m));
    }
    return median(sizes);
  }
  // A set of losses of good and bad experts does not have all columns close to the middle one, nor ranges that are
  // small beside the level; forecasts of one quantity have both.
  bool move_together() const {
    if (ranges_.size() < kLeastRows || columns_ < 2) return false;
    std::size_t close = 0;
    for (std::size_t k = 0; k < columns_; ++k) close += correlation(k) >= kLeastCorrelation ? 1 : 0;
    std::vector<double> ranges = ranges_;
    return static_cast<double>(close) >= kLeastShare * static_cast<double>(columns_) &&
           median(ranges) <= kMostRange * level();
  }

 private:
  // Of a column with the row medians, over the rows that it has a value in; 0 where one of them is constant.
  // In two passes, means first: sums of squares of uncentred values would cancel for forecasts, whose level is large
  // beside their spread.
  double correlation(std::size_t k) const {
    double n = 0, x = 0, y = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      if (!std::isfinite(at(i, k))) continue;
      n += 1;
      x += at(i, k);
      y += medians_[i];
    }
    double xx = 0, yy = 0, xy = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      if (!std::isfinite(at(i, k))) continue;
      const double dx = at(i, k) - x / n, dy = medians_[i] - y / n;
      xx += dx * dx;
      yy += dy * dy;
      xy += dx * dy;
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
  }

  std::span<const double> numbers_;
  std::size_t columns_;
  std::vector<double> medians_, ranges_;  // of every row, NaN of an empty one; of every row with a value
  std::size_t outside_ = 0;               // numbers outside [0,1]
  double least_ = std::numeric_limits<double>::infinity(), most_ = -least_;
};

// Four digits are enough in a sentence.
std::string brief(double value) {
  const double size = std::abs(value);
  return size >= 1e4 && size < 1e15 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

// How such a table is combined; `actual` empty: the table has no column that is called as what came is.
std::string to_combine(const std::string& at, const std::string& actual) {
  return "To combine them: hannan compare forecasts -d " + (at.empty() ? "FILE" : at) + " --actual " +
         (actual.empty() ? "NAME, with a column of what came" : actual) +
         "; in Python hannan.combine(frame, actual=" + (actual.empty() ? "..." : "\"" + actual + "\"") + ")";
}

std::string if_losses(LossRange range, const Rows& rows) {
  if (range == LossRange::kUnknown || !rows.leave_unit_interval()) return "If they are losses: --losses";
  return "If they are losses: --losses, and each divided by the largest possible one, or --param range=unknown where "
         "none is known";
}

std::optional<Recognised> recognised(std::span<const std::string> names, const Rows& rows, std::size_t columns) {
  if (columns > 1 && actual_column(names) < names.size()) return Recognised::kNamed;
  if (rows.leave_unit_interval() && rows.move_together()) return Recognised::kAlike;
  return {};
}

}  // namespace

std::optional<Recognised> recognised_forecasts(std::span<const std::string> names, std::span<const double> numbers,
                                               std::size_t columns) {
  return recognised(names, Rows(numbers, columns), columns);
}

// Three reasons to ask, in this order: a column called as an actual value is; columns that move together outside of
// [0,1]; numbers far outside of [0,1] where losses must be in it. Returns where none holds.
void doubt_losses(const LossTable& table, std::size_t columns, const std::string& at) {
  const Rows rows(table.numbers, columns);
  const auto ask = [&](const std::string& looks, const std::string& actual) {
    throw Error(Code::kLooksLikeForecasts,
                "these columns look like forecasts of one quantity (" + looks + "), and " + std::string(table.problem) +
                    " takes losses: the lowest would win. " + to_combine(at, actual) + ". " +
                    if_losses(table.range, rows),
                at);
  };
  const auto found = recognised(table.names, rows, columns);
  if (found == Recognised::kNamed) {
    const std::string& name = table.names[actual_column(table.names)];
    ask("one is called \"" + name + "\"", name);
  }
  if (found == Recognised::kAlike) ask("they rise and fall together, around " + brief(rows.level()), "");
  if (!rows.leave_unit_interval()) return;
  const bool far = rows.least() < kFarBelow || rows.most() > kFarAbove;
  if (table.range == LossRange::kUnknown || !far || rows.share_outside() < kLeastOutside) return;
  throw Error(Code::kLooksLikeForecasts,
              "found numbers from " + brief(rows.least()) + " to " + brief(rows.most()) + ", and " +
                  std::string(table.problem) + " takes losses in [0,1]: the lowest wins. " +
                  if_losses(table.range, rows) +
                  ". If they are gains: (most - gain) / (most - least). They may be forecasts of one quantity. " +
                  to_combine(at, ""),
              at);
}

// Uses the table up: whoever plays its rows opens it again.
std::vector<double> first_rows(Table& table) {
  table.allow_gaps();
  std::vector<double> numbers, row;
  try {
    while (numbers.size() + table.columns() <= kMostLooked && table.next(row))
      numbers.insert(numbers.end(), row.begin(), row.end());
  } catch (const Error&) {
    // Whoever plays it reads the same row, and says what is wrong with it.
  }
  return numbers;
}

}  // namespace hannan::detail
