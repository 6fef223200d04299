// Rows of numbers out of named rows: one pass, O(cells).
#include "hannan/io/number_table.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/refused_cell.hpp"

namespace hannan::detail {
namespace {

// A row with a single number is data: its other cells are then refused as such, and no row is taken for names by
// mistake.
bool has_numbers(const NamedColumns::Cells& first) {
  double ignored = 0;
  const auto is_number = [&](std::string_view cell) { return read_number(cell, ignored) != Reading::kNone; };
  const auto is_blank = [](std::string_view cell) { return trimmed(cell).empty(); };
  return std::ranges::any_of(first, is_number) || std::ranges::all_of(first, is_blank);
}

}  // namespace

void read_numbers(const NamedColumns& rows, std::span<const std::size_t> places, EmptyCells empty,
                  std::vector<double>& row) {
  row.resize(places.size());
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::string_view cell = rows.cells()[places[k]];
    if (read_number(cell, row[k]) == Reading::kFinite) continue;
    // The place is put together only for the complaint.
    if (empty == EmptyCells::kRefused || !trimmed(cell).empty())
      refuse_text_cell(cell, rows.has_header() ? std::string_view(rows.names()[places[k]]) : std::string_view(),
                       rows.where(places[k]));
    row[k] = std::numeric_limits<double>::quiet_NaN();
  }
}

TableReader::TableReader(std::unique_ptr<ByteSource> source, const std::string& name, CsvOptions options)
    : rows_(std::move(source), name,
            {.csv = options,
             .first_is_data = has_numbers,
             .header = NamedColumns::Options::Names::kTextCells,
             .no_rows = "the file has no rows"}) {
  if (rows_.has_header()) names_ = rows_.names();
  places_.resize(rows_.width());
  std::iota(places_.begin(), places_.end(), std::size_t{0});
  if (!rows_.next()) throw Error(Code::kEmpty, "the file has a header but no rows", name);
  pending_ = true;
}

bool TableReader::next(std::vector<double>& row) {
  if (!std::exchange(pending_, false) && !rows_.next()) return false;
  rows_.check_width();
  read_numbers(rows_, places_, empty_, row);
  return true;
}

}  // namespace hannan::detail
