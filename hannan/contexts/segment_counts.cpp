// Counts of finest segments and of values per column. Values of a context are joined with NUL behind each, which no
// value holds, so different contexts have different keys. Memory: one key per finest segment.
#include "hannan/contexts/segment_counts.hpp"

#include <array>
#include <utility>

namespace hannan::detail {

void SegmentCounts::add(std::span<const std::string> context) {
  key_.clear();
  for (std::size_t i = 0; i < names_.size(); ++i) key_ += context[i] + '\0';  // no value holds NUL
  if (++finest_[key_] > 1) return;                                            // its values are known
  for (std::size_t i = 0; i < names_.size(); ++i) values_[i].insert(context[i]);
}

Json SegmentCounts::json() const {
  Json columns = Json::array();
  for (std::size_t i = 0; i < names_.size(); ++i)
    columns.push_back(Json::object({{"name", names_[i]}, {"values", values_[i].size()}}));
  std::array<std::uint64_t, 4> sizes{};
  for (const auto& [key, rounds] : finest_) ++sizes[rounds < 2 ? 0 : rounds < 10 ? 1 : rounds < 100 ? 2 : 3];
  Json finest = Json::object({{"1", sizes[0]}, {"2-9", sizes[1]}, {"10-99", sizes[2]}, {"100+", sizes[3]}});
  return Json::object({{"columns", std::move(columns)}, {"finest", std::move(finest)}});
}

}  // namespace hannan::detail
