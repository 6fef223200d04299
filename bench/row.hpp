// One line of the table that `hannan bench` prints: two figures measured in the same run, and their ratio.
//
// Ratios, not times: another machine, or a loaded one, changes both figures alike.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail::bench {

struct Goal {
  enum class Sense { kAtLeast, kAtMost } sense = Sense::kAtLeast;
  double ratio = 1;
  bool met_by(double found) const { return sense == Sense::kAtLeast ? found >= ratio : found <= ratio; }
};

struct Row {
  std::string name;  // race/what
  std::string unit;  // of both figures
  std::optional<double> ours;
  std::optional<double> rival;  // none: it could not be measured here, and the note says why
  std::optional<Goal> goal;
  std::string note;  // who the rival is, sizes, what to keep in mind

  // ours / rival.
  std::optional<double> ratio() const {
    if (!ours || !rival || *rival == 0) return std::nullopt;
    return *ours / *rival;
  }
};

Json row_json(const Row& row);
// The rows as aligned text, notes on the right.
std::string table_text(std::span<const Row> rows);
// The same as a table of a Markdown page.
std::string table_markdown(std::span<const Row> rows);

struct Setting {
  // quick: seconds, for tests; its figures mean nothing. long: full, and for `proof` all sizes, which take an hour.
  enum class Size { kFull, kQuick, kLong } size = Size::kFull;
  std::string rivals;   // folder of the rivals' programs
  std::string python;   // an interpreter that has NumPy; empty: none
  std::string scratch;  // a folder for data files
  std::function<void(std::string_view)> say = [](std::string_view) {};

  template <class T>
  T pick(T full, T quick) const {
    return size == Size::kQuick ? quick : full;
  }
};

struct Race {
  std::string_view name;
  std::string_view about;
  std::vector<Row> (*run)(const Setting& setting);
};
// All of them, in the order of the table.
std::span<const Race> races();

#define HANNAN_RACE(name, about) std::vector<Row> name##_race(const Setting& setting);
#include "cli/bench_parts.hpp"
#undef HANNAN_RACE

}  // namespace hannan::detail::bench
