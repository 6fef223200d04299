// The rows of a perturbation matrix for all listed actions, kept as what changes from one action to the next.
//
// Neighbours differ in few columns: by two on average where a row is the bits of a number, by one or two for
// thermometers and unit vectors, and so in products of such codes. So <row(k), alpha> for all k costs about two
// additions an action instead of one a column. Where a difference would be rounded, or is no shorter than the row, the
// row itself is kept. The running sum carries the part that rounding cuts off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "hannan/game/game.hpp"

namespace hannan::detail {

class NoiseRows {
 public:
  using Row = std::function<void(const AnyAction& x, std::span<double> row)>;
  NoiseRows() = default;
  // Where `shape` is that of one coordinate with a value an action, rows are unit vectors or thermometers, and a few
  // of them are looked at to see that they are. Nothing is kept where the rows have more than kMostEntries entries
  // together, or kMostKept that change.
  NoiseRows(const ActionTable& actions, std::size_t columns, const Row& row,
            std::span<const CoordinateShape> shape = {});

  bool known() const { return !starts_.empty(); }
  // out[k] = <row(k), alpha>. Allocates nothing.
  void products(std::span<const double> alpha, std::span<double> out) const;

 private:
  // The rows of a code of one coordinate, without looking at all of them; false where they are something else.
  bool fill_from_code(const ActionTable& actions, std::size_t columns, const Row& row, CoordinateShape::Kind kind);

  static constexpr double kMostEntries = 4e9;           // each is looked at once, about 1 ns
  static constexpr std::size_t kMostKept = 40'000'000;  // 12 bytes each
  static constexpr std::uint32_t kWhole = 1U << 31;     // the row itself begins here, not a difference

  std::vector<std::uint32_t> starts_;  // of action k in the two lists, and one more for the end
  std::vector<std::uint32_t> columns_;
  std::vector<double> changes_;
};

}  // namespace hannan::detail
