// The header line is read once and sorts the columns: context_at_[i] is the place of context column i, places_ those of
// the numbers, in the file's order; dropped columns are in neither. All places are below width_, and a row of another
// width is refused before any is used. O(cells) a row.
#include "hannan/streams/context_table.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/io/npy.hpp"
#include "hannan/io/refused_cell.hpp"
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
    : name_(name), request_(std::move(request)), reader_(text_of(std::move(source), name), name) {
  if (!reader_.next(cells_)) throw Error(Code::kEmpty, "the file has no rows", name_);
  std::vector<std::string> header;
  for (const std::string_view cell : cells_) header.emplace_back(cell_text(trimmed(cell)));
  width_ = header.size();
  std::vector<bool> used(width_, false);
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
    context_at_.push_back(place_of(header, column.column.empty() ? request_.time : column.column));
    used[context_at_.back()] = true;
  }
  if (!request_.time.empty() && (!made || has(request_.time))) {
    time_at_ = place_of(header, request_.time);
    used[*time_at_] = true;
  }
  for (const std::string& column : request_.drop) used[place_of(header, column)] = true;
  if (std::ranges::all_of(used, [](bool taken) { return taken; }))
    throw Error(Code::kEmpty, "found no column of numbers beside those that are left out, expected at least one",
                name_);
  for (std::size_t k = 0; k < width_; ++k) {
    if (used[k]) continue;
    places_.push_back(k);
    names_.push_back(header[k]);
  }
  context_.resize(request_.columns.size());
}

std::size_t ContextTable::place_of(const std::vector<std::string>& header, const std::string& column) const {
  const auto first = std::find(header.begin(), header.end(), column);
  if (first != header.end() && std::find(first + 1, header.end(), column) == header.end())
    return static_cast<std::size_t>(first - header.begin());
  std::string names;
  for (const std::string& known : header) names += (names.empty() ? "" : ", ") + known;
  throw Error(Code::kUnknownName,
              "found " + std::string(first == header.end() ? "no" : "more than one") + " column \"" + column +
                  "\", expected one of " + names + (first == header.end() ? near_hint(column, header) : ""),
              name_);
}

// Numbers first, then the time, then the context: an error in a number is reported even where the context is broken
// too.
bool ContextTable::next(std::vector<double>& row) {
  if (!reader_.next(cells_)) return false;
  if (cells_.size() != width_) {
    throw Error(
        Code::kColumnCount,
        "found " + std::to_string(cells_.size()) + " columns, expected " + std::to_string(width_) + " as in the header",
        reader_.where(std::min(cells_.size(), width_)));
  }
  row.resize(places_.size());
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const std::string_view cell = cells_[places_[k]];
    if (read_number(cell, row[k]) == Reading::kFinite) continue;
    if (!gaps_ || !trimmed(cell).empty()) refuse_text_cell(cell, names_[k], reader_.where(places_[k]));
    row[k] = std::numeric_limits<double>::quiet_NaN();
  }
  if (time_at_ && request_.seen) request_.seen->add(trimmed(cells_[*time_at_]));
  bool all = true;
  for (std::size_t i = 0; i < context_.size(); ++i) {
    const std::string_view cell = cells_[context_at_[i]];
    if (request_.columns[i].kind == ContextColumn::Kind::kPlain) {
      // The place is put together only for the complaint.
      if (!value_objection(cell).empty()) check_value(cell, reader_.where(context_at_[i]));
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
