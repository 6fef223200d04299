// Decision stumps: say `above` where x_f >= cut and the opposite below, over all features and cuts.
//
// Per feature the walk goes from all ones through every cut to all zeros, and with the other direction
// back again, so it has 2 m d flips in all. Thresholds are one feature and the first direction only.
#include "hannan/io/fields.hpp"
#include "hannan/problems/feature_ranks.hpp"
#include "hannan/problems/listed_hypotheses.hpp"

namespace hannan {

namespace {

struct Stump {
  std::uint32_t feature;
  std::int32_t reach;  // the first rank above the cut
  bool above;          // what it says there
};

class StumpClass final : public ListedHypotheses {
 public:
  struct Parts {
    HypothesisWalk walk;
    FeatureRanks ranks;
    std::vector<Stump> stumps;  // of the walk
    Directions directions;
  };
  explicit StumpClass(Parts parts)
      : ListedHypotheses(std::move(parts.walk)), ranks_(std::move(parts.ranks)), stumps_(std::move(parts.stumps)),
        directions_(parts.directions) {}

  bool says(std::uint64_t code, std::size_t point) const override { return says(stumps_[code], point); }

  Json json(std::uint64_t code) const override {
    const Stump& s = stumps_[code];
    const double cut = ranks_.cut(s.feature, s.reach);
    if (directions_ == Directions::kOne) return Json::object({{"cut", cut}});
    return Json::object({{"feature", s.feature}, {"cut", cut}, {"above", s.above ? 1 : 0}});
  }

  std::uint64_t parse(const Json& json, std::string_view path) const override {
    Fields fields(json, std::string(path));
    Stump s{.feature = 0, .reach = 0, .above = true};
    if (directions_ == Directions::kBoth) {
      s.feature = static_cast<std::uint32_t>(fields.integer("feature", {0, static_cast<std::int64_t>(ranks_.features()) - 1}));
      s.above = fields.integer("above", {0, 1}) == 1;
    }
    s.reach = ranks_.reach(s.feature, fields.number("cut", kExtended));
    fields.done();
    return need(look_up([&](std::size_t i) { return says(s, i); }), path);
  }

 private:
  bool says(const Stump& s, std::size_t point) const { return (ranks_.rank[s.feature][point] >= s.reach) == s.above; }

  FeatureRanks ranks_;
  std::vector<Stump> stumps_;
  Directions directions_;
};

}  // namespace

HypothesesPtr stump_hypotheses(const Points& points, Directions directions) {
  FeatureRanks ranks(points);
  HypothesisWalk walk(points.size());
  std::vector<Stump> stumps;
  walk.go([](std::size_t) { return true; });
  for (std::uint32_t f = 0; f < ranks.features(); ++f) {
    for (const bool above : {true, false}) {
      if (!above && directions == Directions::kOne) break;
      std::size_t next = 0;  // the first point in order that still lies above
      for (std::int32_t reach = 0; reach <= ranks.distinct(f); ++reach) {
        for (; next < points.size(); ++next) {
          const auto point = static_cast<std::size_t>(ranks.order[f][next]);
          if (ranks.rank[f][point] >= reach) break;
          walk.flip(point);
        }
        if (walk.stop()) stumps.push_back({f, reach, above});
      }
    }
  }
  return std::make_shared<StumpClass>(StumpClass::Parts{
      .walk = std::move(walk), .ranks = std::move(ranks), .stumps = std::move(stumps), .directions = directions});
}

}  // namespace hannan
