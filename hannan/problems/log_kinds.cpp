#include "hannan/problems/log_kinds.hpp"

#include <algorithm>
#include <vector>

#include "hannan/core/name_list.hpp"

namespace hannan::detail {
namespace {

std::vector<std::string_view> fitting(const std::function<bool(const LogUse&)>& fits) {
  std::vector<std::string_view> names;
  for (const LogKind& kind : log_kinds()) {
    if (fits(kind.use)) names.push_back(kind.name);
  }
  return names;
}

}  // namespace

const LogUse& log_use(std::string_view kind) {
  static const LogUse none;
  for (const LogKind& row : log_kinds()) {
    if (row.name == kind) return row.use;
  }
  return none;
}

std::string log_kinds_text(const std::function<bool(const LogUse&)>& fits) { return name_list(fitting(fits)); }

std::string log_kinds_of(std::initializer_list<LogShape> shapes) {
  return log_kinds_text(
      [&](const LogUse& use) { return std::find(shapes.begin(), shapes.end(), use.shape) != shapes.end(); });
}

std::string log_kinds_in_money() {
  return log_kinds_text([](const LogUse& use) { return use.in_money != LogShape::kNone; });
}

std::string log_kinds_posted() {
  return log_kinds_text([](const LogUse& use) { return use.posted != LogShape::kNone; });
}

std::string first_log_kind(const std::function<bool(const LogUse&)>& fits) {
  const auto names = fitting(fits);
  return names.empty() ? std::string() : std::string(names.front());
}

std::string own_bid_kind() {
  return first_log_kind([](const LogUse& use) { return use.shape == LogShape::kOwnBid; });
}

}  // namespace hannan::detail
