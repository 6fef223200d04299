// How a column of amounts is written, found from all its cells.
//
// A cell can be read with a decimal point, with a decimal comma, with either to the same number (1234, 1 234), with
// either to different numbers (1,234), or with none. The column has the decimal mark that more of its cells need. A
// column in which no cell needs one, and some cell is another number with each, can be read in two ways: then the user
// is asked. Cells that the column's mark cannot read are unreadable, and the first three are kept.
//
// Cost: a plain cell (digits and at most one point) is looked at once, byte by byte; others are taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/amount.hpp"

namespace hannan::detail {

struct CellExample {
  std::string at, cell;  // "log.csv:17", and what stands there, cut off at 60 bytes
};

// Spellings of "nothing stands here". NaN is not one of them: it is a number gone wrong.
inline bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "NA" || cell == "N/A" || cell == "null" || cell == "NULL" || cell == "?" ||
         cell == "-";
}

// Can the cell be read with one of the two marks?
inline bool is_amount(std::string_view cell) {
  double number = 0;
  return read_amount(cell, DecimalMark::kPoint, number) == Reading::kFinite ||
         read_amount(cell, DecimalMark::kComma, number) == Reading::kFinite;
}

class AmountColumn {
 public:
  static constexpr std::size_t kExamples = 3;

  // A cell without spaces around it; where() is its place. A missing one does not count. The mark of its currency,
  // empty where it has none; the view lasts until the next call.
  template <class Where>
  std::string_view see(std::string_view cell, const Where& where) {
    const Kind kind = plain_kind(cell);
    if (kind != Kind::kNotPlain) {
      if (kind == Kind::kEither && two_.empty()) note(two_, cell, where());
      if (kind == Kind::kPoint && point_.size() < kExamples) note(point_, cell, where());
      ++counts_[static_cast<std::size_t>(kind)];
      take_plain(cell, kind);
      return {};
    }
    return is_missing(cell) ? std::string_view() : see_written(cell, where);
  }
  // A number that is no text.
  void see_number(double number) {
    ++counts_[static_cast<std::size_t>(Kind::kSame)];
    largest_point_ = number > largest_point_ ? number : largest_point_;
    largest_comma_ = number > largest_comma_ ? number : largest_comma_;
  }
  // One that cannot be read whatever the mark is.
  void refuse(std::string_view cell, std::string at) {
    ++counts_[static_cast<std::size_t>(Kind::kNone)];
    note(none_, cell, std::move(at));
  }

  std::uint64_t cells() const;  // that are not missing
  // The mark of the column; none: it can be read in two ways, and example_of_two() shows it.
  std::optional<DecimalMark> decimal() const;
  const CellExample& example_of_two() const { return two_.front(); }
  // With this mark.
  std::uint64_t unreadable(DecimalMark decimal) const;
  std::vector<CellExample> examples(DecimalMark decimal) const;
  double largest(DecimalMark decimal) const;  // of the others; 0 where there is none
  // Adds the cells of a column that is written by the same hand.
  void add(const AmountColumn& other);

 private:
  // kSame: the same number with both marks; kEither: another one with each.
  enum class Kind : std::uint8_t { kNone, kPoint, kComma, kSame, kEither, kNotPlain };
  static constexpr std::size_t kKinds = 5;

  static Kind plain_kind(std::string_view cell);
  void take_plain(std::string_view cell, Kind kind);
  Kind take(std::string_view cell);
  static void note(std::vector<CellExample>& into, std::string_view cell, std::string at);
  template <class Where>
  std::string_view see_written(std::string_view cell, const Where& where) {
    const Kind kind = take(cell);
    ++counts_[static_cast<std::size_t>(kind)];
    std::vector<CellExample>* const kept = kind == Kind::kNone     ? &none_
                                           : kind == Kind::kPoint  ? &point_
                                           : kind == Kind::kComma  ? &comma_
                                           : kind == Kind::kEither ? &two_
                                                                   : nullptr;
    if (kept && kept->size() < kExamples) note(*kept, cell, where());
    return mark_;
  }

  std::uint64_t counts_[kKinds] = {};
  std::vector<CellExample> none_, point_, comma_, two_;
  double largest_point_ = 0, largest_comma_ = 0;  // of the cells that can be read with that mark
  std::string mark_;                              // of the last cell
};

}  // namespace hannan::detail
