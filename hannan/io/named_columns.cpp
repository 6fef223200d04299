// Invariant: names_ is as long as the first row, whether that was a header or data.
#include "hannan/io/named_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/text_cell.hpp"

namespace hannan::detail {

NamedColumns::NamedColumns(std::unique_ptr<ByteSource> source, std::string name, const Options& options)
    : reader_(std::move(source), name, options.csv), name_(std::move(name)) {
  for (std::size_t i = 0; i <= options.skip; ++i) {
    if (!reader_.next(cells_)) throw Error(Code::kEmpty, options.no_rows, name_);
  }
  first_line_ = reader_.line();
  pending_ = options.first_is_data && options.first_is_data(cells_);
  header_ = !pending_;
  const bool plain = options.header == Options::Names::kPlain;
  for (std::size_t c = 0; c < cells_.size(); ++c)
    names_.push_back(pending_ ? std::to_string(c + 1) : std::string(plain ? cell(c) : cell_text(cell(c))));
}

std::size_t NamedColumns::place_of(const std::string& column, const Asked& asked) const {
  const auto found = std::find(names_.begin(), names_.end(), column);
  const bool twice = found != names_.end() && std::find(found + 1, names_.end(), column) != names_.end();
  if (found != names_.end() && !twice) return static_cast<std::size_t>(found - names_.begin());
  constexpr std::size_t kShown = 40;
  // Names of a log are anything: where a flag asked for one they stand in quotes.
  const bool flag = !asked.by.empty();
  std::string all;
  for (std::size_t c = 0; c < std::min(names_.size(), kShown); ++c) {
    const std::string_view name = std::string_view(names_[c]).substr(0, 60);
    all += (c ? ", " : "") + (flag ? dump(Json(name)) : std::string(name));
  }
  throw Error(Code::kUnknownName,
              fmt::format("found {} \"{}\" {}, expected one of {}{}{}{}", twice ? "two columns" : "no column", column,
                          flag ? fmt::format("({})", asked.by) : "in the header", all,
                          names_.size() > kShown ? " ..." : "", twice ? "" : near_hint(column, names_), asked.hint),
              fmt::format("{}:{}", name_, first_line_));
}

bool NamedColumns::next() {
  if (std::exchange(pending_, false)) return true;
  return reader_.next(cells_);
}

std::string NamedColumns::other_width() const {
  return fmt::format("{} columns, expected {} as in line {}", cells_.size(), names_.size(), first_line_);
}

void NamedColumns::check_width() const {
  if (!has_width()) throw Error(Code::kColumnCount, "found " + other_width(), where_width_ends());
}

}  // namespace hannan::detail
