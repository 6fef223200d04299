// The header line is read once and sorts the columns: context_at_[i] is the place of context column i, places_ those of
// the numbers, in the file's order; dropped columns are in neither. All places are below the width of the header, and a
// row of another width is refused before any is used. O(cells) a row.
#include "hannan/streams/context_table.hpp"

#include <algorithm>
#include <utility>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/npy.hpp"
#include "hannan/io/text_cell.hpp"

namespace hannan::detail {
namespace {

// An array file has no names of columns, and contexts are columns by name.
std::unique_ptr<ByteSource> text_of(std::unique_ptr<ByteSource> source, const std::string& name) {
  std::unique_ptr<PeekedSource> plain = unzipped(std::move(source), name);
  if (plain->peek(kNpyMagic.size()) == kNpyMagic)
    throw Error(Code::kUnavailable,
                "found .npy, which names no columns, expected CSV with a header for --by, --timestamp and --drop",
                name);
  return plain;
}

}  // namespace

ContextTable::ContextTable(std::unique_ptr<ByteSource> source, const std::string& name, ContextRequest request)
    : request_(std::move(request)),
      rows_(text_of(std::move(source), name), name,
            {.header = NamedColumns::Options::Names::kTextCells, .no_rows = "the file has no rows"}) {
  const std::vector<std::string>& header = rows_.names();
  std::vector<bool> used(header.size(), false);
  const auto has = [&](const std::string& wanted) {
    return std::find(header.begin(), header.end(), wanted) != header.end();
  };
  bool made = false;  // hours or weekdays are columns of their own
  for (ContextColumn& column : request_.columns) {
    // A column that is named as --by names it holds the values themselves: `hannan convert --by` writes them so.
    if (has(column.text)) {
      made = made || column.column.empty();
      column.column = column.text;
      column.kind = ContextColumn::Kind::kPlain;
    }
    if (column.column.empty() && request_.time.empty())
      throw Error(Code::kUsage, "found a name with @ and no column of times, expected --timestamp COLUMN", "--by");
    const bool proposes = column.use == ContextColumn::Use::kProposal;
    context_at_.push_back(proposes ? rows_.place_of(column.column, {.by = column.flag(), .hint = {}})
                                   : rows_.place_of(column.column.empty() ? request_.time : column.column));
    used[context_at_.back()] = true;
  }
  if (!request_.time.empty() && (!made || has(request_.time))) {
    time_at_ = rows_.place_of(request_.time);
    used[*time_at_] = true;
  }
  for (const std::string& column : request_.drop) used[rows_.place_of(column)] = true;
  if (std::ranges::all_of(used, [](bool taken) { return taken; }))
    throw Error(Code::kEmpty, "found no column of numbers beside those that are left out, expected at least one", name);
  for (std::size_t k = 0; k < header.size(); ++k) {
    if (used[k]) continue;
    places_.push_back(k);
    names_.push_back(header[k]);
  }
  context_.resize(request_.columns.size());
}

// Numbers first, then the time, then the context: an error in a number is reported even where the context is broken
// too.
bool ContextTable::next(std::vector<double>& row) {
  if (!rows_.next()) return false;
  rows_.check_width();
  read_numbers(rows_, places_, empty_, row);
  if (time_at_ && request_.seen) request_.seen->add(rows_.cell(*time_at_));
  bool all = true;
  for (std::size_t i = 0; i < context_.size(); ++i) {
    const std::string_view cell = rows_.cells()[context_at_[i]];
    if (request_.columns[i].kind == ContextColumn::Kind::kPlain) {
      // The place is put together only for the complaint.
      if (!value_objection(cell).empty()) check_value(cell, rows_.where(context_at_[i]));
      context_[i] = cell_text(cell);
      continue;
    }
    const auto value = context_cell(request_.columns[i], cell);
    all = all && value;
    context_[i] = value.value_or("");
  }
  if (!all) ++not_numbers_;
  return true;
}

}  // namespace hannan::detail
