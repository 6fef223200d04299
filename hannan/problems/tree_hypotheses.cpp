// Depth-2 trees: a root cut x_f >= c, and on either side of it a stump (which may be a constant).
//
// With R root cuts and S stumps a rule is (root, left, right), K <= R S^2. The search fixes the root:
// then the two sides do not depend on each other, and one pass over every sorted feature gives the error
// of all stumps on both. O(R m d) a call, weights of any sign. Without a cut that parts the points there
// is one root, with all of them on its right.
#include <algorithm>
#include <limits>

#include "hannan/core/tolerance.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/problems/coded_hypotheses.hpp"
#include "hannan/problems/feature_ranks.hpp"

namespace hannan {

namespace {

struct Cut {
  std::uint32_t feature;
  std::int32_t reach;  // the first rank on its right
};

class TreeClass final : public CodedHypotheses {
 public:
  explicit TreeClass(const Points& points) : CodedHypotheses(points.size()), ranks_(points) {
    for (std::uint32_t f = 0; f < ranks_.features(); ++f) {
      offsets_.push_back(cuts_.size());
      for (std::int32_t reach = 1; reach < ranks_.distinct(f); ++reach) cuts_.push_back({f, reach});
    }
    roots_ = std::max<std::uint64_t>(cuts_.size(), 1);
    stumps_ = 2 + 2 * cuts_.size();
  }

  Best search(const Errors& errors) const override {
    Scan scan(*this, errors.gain);
    std::vector<double> of_root(roots_);
    for (std::uint64_t root = 0; root < roots_; ++root) {
      double left = kNone, right = kNone;
      scan.weigh(root, [&](std::size_t, double on_left, double on_right) {
        left = std::min(left, on_left);
        right = std::min(right, on_right);
      });
      of_root[root] = errors.constant + left + right;
    }
    const double floor = *std::min_element(of_root.begin(), of_root.end());
    const double limit = floor + tie_window(floor);
    std::uint64_t root = 0;
    while (of_root[root] > limit) ++root;
    std::vector<double> lefts(stumps_), rights(stumps_);
    scan.weigh(root, [&](std::size_t stump, double on_left, double on_right) {
      lefts[stump] = on_left;
      rights[stump] = on_right;
    });
    // The smallest left that some right completes, then the smallest such right. The numbers are those of
    // the first pass, so both exist.
    const double right_least = *std::min_element(rights.begin(), rights.end());
    std::uint64_t left = 0, right = 0;
    while (errors.constant + lefts[left] + right_least > limit) ++left;
    while (errors.constant + lefts[left] + rights[right] > limit) ++right;
    return {.code = (root * stumps_ + left) * stumps_ + right, .value = errors.constant + lefts[left] + rights[right],
            .floor = floor};
  }

 protected:
  double rules() const override {
    return static_cast<double>(roots_) * static_cast<double>(stumps_) * static_cast<double>(stumps_);
  }
  std::optional<std::uint64_t> next(std::uint64_t rule) const override {
    return rule + 1 < roots_ * stumps_ * stumps_ ? std::optional(rule + 1) : std::nullopt;
  }
  bool rule_says(std::uint64_t rule, std::size_t point) const override {
    const bool right = is_right(rule / (stumps_ * stumps_), point);
    return stump_says(right ? rule % stumps_ : rule / stumps_ % stumps_, point);
  }

  Json rule_json(std::uint64_t rule) const override {
    Json json = cut_json(rule / (stumps_ * stumps_));
    json.set("left", stump_json(rule / stumps_ % stumps_));
    json.set("right", stump_json(rule % stumps_));
    return json;
  }

  std::uint64_t parse_rule(const Json& json, std::string_view path) const override {
    Fields fields(json, std::string(path));
    const Cut cut = parse_cut(fields);
    Fields below = fields.fields("left"), above = fields.fields("right");
    std::uint64_t left = parse_stump(below), right = parse_stump(above), root = 0;
    fields.done();
    if (cut.reach == 0) {  // a cut that parts nothing: any root with equal sides is the same rule
      left = right;
    } else if (cut.reach == ranks_.distinct(cut.feature)) {
      right = left;
    } else {
      root = index_of(cut);
    }
    return (root * stumps_ + left) * stumps_ + right;
  }

 private:
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  // The gains in the order of every feature, and their sums below every cut: what all roots share.
  class Scan {
   public:
    Scan(const TreeClass& trees, std::span<const double> gain)
        : trees_(trees), gain_(gain), below_(trees.cuts_.size()), is_right_(gain.size()) {
      for (const double g : gain) total_ += g;
      for (std::size_t f = 0; f < trees.ranks_.features(); ++f) {
        double sum = 0;
        std::size_t cut = trees.offsets_[f];
        int rank = 0;
        for (const int at : trees.ranks_.order[f]) {
          const auto point = static_cast<std::size_t>(at);
          if (trees.ranks_.rank[f][point] > rank) {  // ranks have no gaps
            below_[cut++] = sum;
            ++rank;
          }
          sum += gain[point];
          steps_.push_back({gain[point], static_cast<std::uint32_t>(at), static_cast<std::int32_t>(rank)});
        }
      }
    }

    // visit(stump, the gain of its ones left of the root, and right of it), for every stump.
    template <class Visit>
    void weigh(std::uint64_t root, Visit&& visit) {
      double right = 0;
      for (std::size_t i = 0; i < gain_.size(); ++i) {
        is_right_[i] = trees_.is_right(root, i) ? 1.0 : 0.0;
        right += is_right_[i] * gain_[i];
      }
      const double left = total_ - right;
      visit(0, left, right);
      visit(1, 0, 0);
      const Step* step = steps_.data();
      for (std::size_t f = 0; f < trees_.ranks_.features(); ++f) {
        const Step* const end = step + gain_.size();
        double below = 0;  // on the right of the root, below the cut
        std::int32_t rank = 0;
        for (; step != end; ++step) {
          if (step->rank > rank) {
            const std::size_t cut = trees_.offsets_[f] + static_cast<std::size_t>(rank++);
            const double below_left = below_[cut] - below;
            visit(2 + 2 * cut, left - below_left, right - below);
            visit(3 + 2 * cut, below_left, below);
          }
          below += is_right_[step->point] * step->gain;
        }
      }
    }

   private:
    struct Step {
      double gain;
      std::uint32_t point;
      std::int32_t rank;
    };
    const TreeClass& trees_;
    std::span<const double> gain_;
    std::vector<double> below_;     // per cut, over all points
    std::vector<double> is_right_;  // per point, 1 or 0, for the root at hand
    std::vector<Step> steps_;       // feature by feature
    double total_ = 0;
  };

  bool is_right(std::uint64_t root, std::size_t point) const {
    return cuts_.empty() || ranks_.rank[cuts_[root].feature][point] >= cuts_[root].reach;
  }
  // Stumps: 0 says 1, 1 says 0; then per cut the one that says 1 above it and the one that says 0.
  bool stump_says(std::uint64_t stump, std::size_t point) const {
    const bool above = stump % 2 == 0;
    if (stump < 2) return above;
    const Cut& cut = cuts_[stump / 2 - 1];
    return (ranks_.rank[cut.feature][point] >= cut.reach) == above;
  }

  std::uint64_t index_of(const Cut& cut) const { return offsets_[cut.feature] + static_cast<std::uint64_t>(cut.reach - 1); }
  Json cut_json(std::uint64_t index) const {
    const Cut cut = cuts_.empty() ? Cut{0, 0} : cuts_[index];
    return Json::object({{"feature", cut.feature}, {"cut", ranks_.cut(cut.feature, cut.reach)}});
  }
  Json stump_json(std::uint64_t stump) const {
    Json json = stump < 2 ? Json::object({{"feature", 0}, {"cut", ranks_.cut(0, 0)}}) : cut_json(stump / 2 - 1);
    json.set("above", stump % 2 == 0 ? 1 : 0);
    return json;
  }
  Cut parse_cut(Fields& fields) const {
    const auto f = static_cast<std::uint32_t>(fields.integer("feature", {0, static_cast<std::int64_t>(ranks_.features()) - 1}));
    return {f, ranks_.reach(f, fields.number("cut", kExtended))};
  }
  std::uint64_t parse_stump(Fields& fields) const {
    const Cut cut = parse_cut(fields);
    const bool above = fields.integer("above", {0, 1}) == 1;
    fields.done();
    if (cut.reach == 0) return above ? 0 : 1;
    if (cut.reach == ranks_.distinct(cut.feature)) return above ? 1 : 0;
    return 2 + 2 * index_of(cut) + (above ? 0 : 1);
  }

  FeatureRanks ranks_;
  std::vector<Cut> cuts_;             // those that part the points, feature by feature
  std::vector<std::size_t> offsets_;  // where a feature's cuts begin
  std::uint64_t roots_ = 1, stumps_ = 2;
};

}  // namespace

HypothesesPtr tree_hypotheses(const Points& points, Listing listing) {
  const auto trees = std::make_shared<TreeClass>(points);
  if (listing == Listing::kWhereFew) trees->list();
  return trees;
}

}  // namespace hannan
