// Saving one table of numbers per coordinate. The shape belongs to the problem: a history that is read
// back stands there empty but in shape, and a state of another shape is refused.
#pragma once

#include <string>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/error.hpp"

namespace hannan {

inline void archive_tables(Archive& a, const char* name, std::vector<std::vector<double>>& tables) {
  const auto refuse = [&](std::size_t found, std::size_t expected, const char* what) {
    if (found == expected) return;
    throw Error(Code::kBadState,
                "found " + std::to_string(found) + " " + what + ", expected " + std::to_string(expected), name);
  };
  refuse(a.open_list(name, tables.size()), tables.size(), "tables");
  for (auto& table : tables) {
    const std::size_t size = table.size();
    a.item();
    a.field("values", table);
    refuse(table.size(), size, "numbers in a table");
  }
  a.close_list();
}

}  // namespace hannan
