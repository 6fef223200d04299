// Saving one table of numbers per coordinate. The shape belongs to the problem: a history that is read
// back stands there empty but in shape, and a state of another shape is refused (core/archive.hpp).
#pragma once

#include <vector>

#include "hannan/core/archive.hpp"

namespace hannan::detail {

inline void archive_tables(Archive& a, const char* name, std::vector<std::vector<double>>& tables) {
  a.open_shaped_list(name, tables.size());
  for (auto& table : tables) {
    a.item();
    a.field("values", table);
  }
  a.close_list();
}

}  // namespace hannan::detail
