// Kinds of problems that code outside the library adds while the process runs (Python's "custom"), beside the fixed
// list.
#include "hannan/runtime/own_kinds.hpp"

#include <deque>
#include <mutex>

namespace hannan::detail {
namespace {

struct OwnKinds {
  std::mutex lock;
  std::deque<ProblemKind> rows;  // addresses stay as they are
};
OwnKinds& own_kinds() {
  static OwnKinds all;
  return all;
}

}  // namespace

void register_kind(const ProblemKind& kind) {
  OwnKinds& all = own_kinds();
  const std::lock_guard lock(all.lock);
  all.rows.push_back(kind);
}

const ProblemKind* own_kind(std::string_view name) {
  OwnKinds& all = own_kinds();
  const std::lock_guard lock(all.lock);
  for (const ProblemKind& row : all.rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace hannan::detail
