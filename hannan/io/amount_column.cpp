// What each cell says of its column's decimal mark, and the mark that follows from all of them.
//
// Each cell votes for a decimal mark only if it can be read with one mark alone. Counts are by kind, the largest
// amounts by mark, so that the column can be read either way once the mark is known.
#include "hannan/io/amount_column.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hannan::detail {

// A plain cell with a point needs it as the decimal mark unless it could stand before a group: 1 to 3 digits that do
// not begin with 0, and three digits behind it.
AmountColumn::Kind AmountColumn::plain_kind(std::string_view cell) {
  std::size_t point = cell.size();
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell[i] >= '0' && cell[i] <= '9') continue;
    if (cell[i] != '.' || point != cell.size()) return Kind::kNotPlain;
    point = i;
  }
  // Up to 17 characters digits are read without a look at exponents or signs.
  if (cell.empty() || cell.size() > 17) return Kind::kNotPlain;
  if (point == cell.size()) return Kind::kSame;
  if (cell.size() == 1) return Kind::kNotPlain;
  const bool group = cell.size() - point == 4 && point >= 1 && point <= 3 && cell[0] != '0';
  return group ? Kind::kEither : Kind::kPoint;
}

void AmountColumn::take_plain(std::string_view cell, Kind kind) {
  double number = 0;
  if (read_number(cell, number) != Reading::kFinite) return;
  largest_point_ = std::max(largest_point_, number);
  if (kind == Kind::kEither) number *= 1000;  // the point stands before a group of three
  if (kind != Kind::kPoint) largest_comma_ = std::max(largest_comma_, number);
}

// Reads the cell with both marks: what only one of them can read is a vote for it, and what both read as the same
// number is none.
AmountColumn::Kind AmountColumn::take(std::string_view cell) {
  mark_.clear();
  double point = 0, comma = 0;
  const WrittenAmount amount = take_apart(cell);
  // Exponents are written by programs: with a decimal point.
  const bool by_point = (amount.number.empty() ? read_amount(cell, DecimalMark::kPoint, point)
                                               : value_of(amount, DecimalMark::kPoint, point)) == Reading::kFinite;
  const bool by_comma = value_of(amount, DecimalMark::kComma, comma) == Reading::kFinite;
  if (!by_point && !by_comma) return Kind::kNone;
  if (by_point) largest_point_ = std::max(largest_point_, point);
  if (by_comma) largest_comma_ = std::max(largest_comma_, comma);
  mark_ = amount.mark.empty() ? amount.second_mark : amount.mark;
  mark_.resize(std::min(mark_.find(' '), mark_.size()));
  if (by_point != by_comma) return by_point ? Kind::kPoint : Kind::kComma;
  return point == comma ? Kind::kSame : Kind::kEither;
}

void AmountColumn::note(std::vector<CellExample>& into, std::string_view cell, std::string at) {
  constexpr std::size_t kShown = 60;
  if (into.size() < kExamples) into.push_back({std::move(at), std::string(cell.substr(0, kShown))});
}

std::uint64_t AmountColumn::cells() const {
  return std::accumulate(std::begin(counts_), std::end(counts_), std::uint64_t{0});
}

// None where cells like 1,234 could be either and no cell decides.
std::optional<DecimalMark> AmountColumn::decimal() const {
  const auto count = [&](Kind kind) { return counts_[static_cast<std::size_t>(kind)]; };
  if (count(Kind::kPoint) == 0 && count(Kind::kComma) == 0 && count(Kind::kEither) > 0) return std::nullopt;
  return count(Kind::kComma) > count(Kind::kPoint) ? DecimalMark::kComma : DecimalMark::kPoint;
}

// Cells that are no amount if the column has this mark.
std::uint64_t AmountColumn::unreadable(DecimalMark decimal) const {
  const Kind other = decimal == DecimalMark::kPoint ? Kind::kComma : Kind::kPoint;
  return counts_[static_cast<std::size_t>(Kind::kNone)] + counts_[static_cast<std::size_t>(other)];
}

std::vector<CellExample> AmountColumn::examples(DecimalMark decimal) const {
  std::vector<CellExample> all = none_;
  const auto& other = decimal == DecimalMark::kPoint ? comma_ : point_;
  all.insert(all.end(), other.begin(), other.end());
  all.resize(std::min(all.size(), kExamples));
  return all;
}

double AmountColumn::largest(DecimalMark decimal) const {
  return decimal == DecimalMark::kPoint ? largest_point_ : largest_comma_;
}

// Merges two parts of one column, read apart; the first examples are kept.
void AmountColumn::add(const AmountColumn& other) {
  for (std::size_t i = 0; i < kKinds; ++i) counts_[i] += other.counts_[i];
  largest_point_ = std::max(largest_point_, other.largest_point_);
  largest_comma_ = std::max(largest_comma_, other.largest_comma_);
  for (const auto& [to, from] : {std::pair(&none_, &other.none_), std::pair(&point_, &other.point_),
                                 std::pair(&comma_, &other.comma_), std::pair(&two_, &other.two_)}) {
    to->insert(to->end(), from->begin(), from->end());
    to->resize(std::min(to->size(), kExamples));
  }
}

}  // namespace hannan::detail
