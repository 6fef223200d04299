// Decision stumps: say one thing where a cut of one feature holds and the other elsewhere (feature_cuts.hpp).
//
// Listed feature by feature, direction by direction, cut by cut, equal ones merged; the walk goes from cut to
// cut, 2 m flips a feature and direction at most. Thresholds are one feature and the first direction only.
// The errors of all of them follow from the gains summed per value of every feature, so that a call
// costs O(values) and a new label O(features).
#include <numeric>

#include "hannan/problems/classification/column_sums.hpp"
#include "hannan/problems/classification/feature_cuts.hpp"
#include "hannan/problems/classification/listed_hypotheses.hpp"

namespace hannan::detail {
namespace {

struct Stump {
  Cut cut;
  int says;  // where the cut holds
};

struct StumpList {
  HypothesisWalk walk;
  std::vector<Stump> stumps;         // of the walk
  std::vector<std::uint32_t> codes;  // per feature, reach (one beyond the last) and direction
};

// From all ones on. Numbers: cut by cut upwards. Categories: the one that never holds, then one by one.
class StumpWalk {
 public:
  StumpWalk(const FeatureCuts& cuts, Directions directions)
      : cuts_(cuts), list_{HypothesisWalk(cuts.points()), {}, {}} {
    list_.walk.go([](std::size_t) { return true; });
    for (std::uint32_t f = 0; f < cuts.features(); ++f) {
      const std::size_t first = list_.codes.size();
      // codes: 2 per reach, 0..distinct included, at first + 2 * reach + says; `first` is 2 * (bins before f + f).
      const auto reaches = static_cast<std::size_t>(cuts.ranks().distinct(f)) + 1;
      list_.codes.resize(first + 2 * reaches);
      for (const int says : {1, 0}) {
        if (says == 0 && directions == Directions::kOne) break;
        if (cuts.categorical(f)) {
          one_by_one(f, says, first);
        } else {
          upwards(f, says, first);
        }
      }
    }
  }
  StumpList take() { return std::move(list_); }

 private:
  // Reach 0 holds everywhere and reach `distinct` nowhere; each step flips the points of one value, so 2 m flips at
  // most in all for a feature and direction, the way back to the start included.
  void upwards(std::uint32_t f, int says, std::size_t first) {
    list_.walk.go([&](std::size_t) { return says == 1; });
    std::size_t next = 0;  // the first point in order where the cut still holds
    for (std::int32_t reach = 0; reach <= cuts_.ranks().distinct(f); ++reach) {
      next = flip_below(f, next, reach);
      stop({{f, reach}, says}, first);
    }
  }
  // From "holds nowhere" each category is flipped in, listed, and flipped out again.
  void one_by_one(std::uint32_t f, int says, std::size_t first) {
    const std::int32_t distinct = cuts_.ranks().distinct(f);
    list_.walk.go([&](std::size_t) { return says == 0; });
    stop({{f, distinct}, says}, first);
    std::size_t start = 0;
    for (std::int32_t rank = 0; rank < distinct; ++rank) {
      const std::size_t end = flip_below(f, start, rank + 1);
      stop({{f, rank}, says}, first);
      flip_below(f, start, rank + 1);  // and back
      start = end;
    }
  }
  // Flips the points from place `from` in order on, as far as their ranks are below `reach`.
  std::size_t flip_below(std::uint32_t f, std::size_t from, std::int32_t reach) {
    const FeatureRanks& ranks = cuts_.ranks();
    for (; from < ranks.points(); ++from) {
      const auto point = static_cast<std::size_t>(ranks.order[f][from]);
      if (ranks.rank[f][point] >= reach) break;
      list_.walk.flip(point);
    }
    return from;
  }
  // A stump equal to an earlier one is not listed again; its place in codes is that of the earlier one.
  void stop(Stump stump, std::size_t first) {
    if (list_.walk.stop()) list_.stumps.push_back(stump);
    list_.codes[first + 2 * static_cast<std::size_t>(stump.cut.reach) + static_cast<std::size_t>(stump.says)] =
        static_cast<std::uint32_t>(list_.walk.here().value());
  }

  const FeatureCuts& cuts_;
  StumpList list_;
};

class StumpClass final : public ListedHypotheses {
 public:
  StumpClass(FeatureCuts cuts, StumpList list, Directions directions)
      : ListedHypotheses(std::move(list.walk)),
        cuts_(std::move(cuts)),
        columns_(cuts_),
        stumps_(std::move(list.stumps)),
        codes_(std::move(list.codes)),
        directions_(directions) {}

  bool says(std::uint64_t code, std::size_t point) const override {
    const Stump& s = stumps_[code];
    return cuts_.holds(s.cut, point) == (s.says == 1);
  }

  std::size_t sums() const override { return columns_.bins(); }
  void add_point(std::size_t point, double gain, std::span<double> sums) const override {
    columns_.add_point(point, gain, sums);
  }
  void add_points(std::span<const double> gain, std::span<double> sums) const override {
    columns_.add_points(gain, sums);
  }

  // Every feature has each point in one of its bins, so that the bins of the first feature sum to the total. A cut
  // beyond the last rank holds nowhere.
  void values(const Errors& errors, std::span<double> out) const override {
    const std::span<double> held = errors.buffer;
    for (std::size_t bin = 0; bin < held.size(); ++bin) held[bin] = errors.sum(bin);
    const double total =
        std::accumulate(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(columns_.first_of(1)), 0.0);
    columns_.cumulate(held);
    for (std::size_t k = 0; k < out.size(); ++k) {
      const auto& [cut, says] = stumps_[k];
      const double where = cut.reach < cuts_.ranks().distinct(cut.feature) ? held[columns_.bin_of(cut)] : 0.0;
      out[k] = errors.constant + (says == 1 ? where : total - where);
    }
  }

  // Thresholds are written as their cut alone: their one feature and their direction go without saying.
  ClassifierRule describe(std::uint64_t code) const override {
    const Stump& s = stumps_[code];
    if (directions_ == Directions::kBoth) return StumpRule{cuts_.describe(s.cut), s.says};
    return ThresholdRule{cuts_.ranks().cut(0, s.cut.reach)};
  }

  // By cut and direction into codes, O(log values).
  std::optional<std::uint64_t> find(const ClassifierRule& rule) const override {
    Stump s{.cut = {0, 0}, .says = 1};
    if (const auto* stump = std::get_if<StumpRule>(&rule); stump && directions_ == Directions::kBoth) {
      const auto cut = cuts_.find(stump->cut);
      if (!cut || (stump->says != 0 && stump->says != 1)) return std::nullopt;
      s = {.cut = *cut, .says = stump->says};
    } else if (const auto* threshold = std::get_if<ThresholdRule>(&rule);
               threshold && directions_ == Directions::kOne) {
      s.cut.reach = cuts_.ranks().reach(0, threshold->cut);
    } else {
      return std::nullopt;
    }
    // A feature has one reach more than bins.
    return codes_[2 * (columns_.bin_of(s.cut) + s.cut.feature) + static_cast<std::size_t>(s.says)];
  }

 private:
  FeatureCuts cuts_;
  ColumnSums columns_;
  std::vector<Stump> stumps_;
  std::vector<std::uint32_t> codes_;
  Directions directions_;
};

}  // namespace
HypothesesPtr stump_hypotheses(const PointTable& points, Directions directions) {
  using namespace detail;
  FeatureCuts cuts(points);
  StumpList list = StumpWalk(cuts, directions).take();
  return std::make_shared<StumpClass>(std::move(cuts), std::move(list), directions);
}

}  // namespace hannan::detail
