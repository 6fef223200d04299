#include "hannan/forecasts/number_cells.hpp"

#include <limits>

#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/core/small_letters.hpp"

namespace hannan::detail {

double NumberCells::missing() { return std::numeric_limits<double>::quiet_NaN(); }

bool NumberCells::nothing(std::string_view bare) {
  return is_missing(bare) || bare == "NaN" || bare == "nan" || bare == "NAN" || bare == "none" || bare == "None" ||
         bare == "#N/A" || bare == "Null" || bare == "n/a";
}

void NumberCells::refuse(std::string_view cell, const std::string& at) {
  throw Error(Code::kLossRange,
              "found \"" + printable(std::string(cell.substr(0, 60))) + "\", expected a number within 1e30 of 0", at);
}

std::optional<DecimalMark> NumberCells::decimal() const {
  if (const auto found = written_.decimal()) return found;
  // 12.345 alone could be a number in groups, and in tables of numbers it hardly ever is.
  if (written_.example_of_two().cell.find(',') == std::string::npos) return DecimalMark::kPoint;
  return {};
}

}  // namespace hannan::detail
