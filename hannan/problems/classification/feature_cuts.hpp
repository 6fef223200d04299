// Cuts of one feature, the questions that stumps and trees ask of a point.
//
//   numbers      x_f >= c; only the rank of c among the values counts
//   categories   x_f is c; no category: it never holds
// A stump adds what it says where the cut holds, the opposite elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hannan/problems/classification/classifier_rule.hpp"
#include "hannan/problems/classification/feature_ranks.hpp"
#include "hannan/problems/classification/point_table.hpp"

namespace hannan::detail {

struct Cut {
  std::uint32_t feature;
  std::int32_t reach;  // holds from this rank on (numbers), at this rank (categories); beyond the last: never
};

class FeatureCuts {
 public:
  explicit FeatureCuts(const PointTable& table);

  const FeatureRanks& ranks() const { return ranks_; }
  std::size_t features() const { return ranks_.features(); }
  std::size_t points() const { return ranks_.points(); }
  bool categorical(std::size_t feature) const { return !categories_.empty() && !categories_[feature].empty(); }
  // The cuts that part the points, feature by feature, by reach.
  const std::vector<Cut>& all() const { return all_; }
  std::size_t first_of(std::size_t feature) const { return first_[feature]; }
  std::size_t index_of(Cut parting) const {
    return first_[parting.feature] + static_cast<std::size_t>(parting.reach - (categorical(parting.feature) ? 0 : 1));
  }

  bool holds(Cut cut, std::size_t point) const {
    const int rank = ranks_.rank[cut.feature][point];
    return categorical(cut.feature) ? rank == cut.reach : rank >= cut.reach;
  }
  enum class Holds { kNowhere, kSomewhere, kEverywhere };
  Holds extent(Cut cut) const;

  CutRule describe(Cut cut) const;
  StumpRule describe_constant(int says) const;  // a stump of the first feature
  // None where there is no such feature or category. A category of no point never holds.
  std::optional<Cut> find(const CutRule& rule) const;

 private:
  FeatureRanks ranks_;
  std::vector<std::vector<std::string>> categories_;
  std::vector<Cut> all_;
  std::vector<std::size_t> first_;
};

}  // namespace hannan::detail
