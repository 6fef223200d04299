// How many segments there are in the contexts of a file, and how many rounds they have.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "hannan/io/json.hpp"

namespace hannan::detail {

class SegmentCounts {
 public:
  explicit SegmentCounts(std::vector<std::string> columns) : names_(std::move(columns)), values_(names_.size()) {}

  void add(std::span<const std::string> context);  // one value for each column; further ones are no segments
  bool empty() const { return names_.empty(); }    // there are no columns
  // {columns: [{name, values}], finest: {"1", "2-9", "10-99", "100+"}}: the finest segments by their rounds.
  Json json() const;

 private:
  std::vector<std::string> names_;
  std::vector<std::unordered_set<std::string>> values_;
  std::unordered_map<std::string, std::uint64_t> finest_;
  std::string key_;
};

}  // namespace hannan::detail
