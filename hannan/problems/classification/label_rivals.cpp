// Rivals without a class of classifiers; the rules are in label_rivals.hpp. None has a guarantee.
#include "hannan/problems/classification/label_rivals.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "hannan/core/elementary.hpp"
#include "hannan/problems/classification/boosting.hpp"

namespace hannan::detail {
namespace {

// Ties, and the first round, are decided for 0.
class MajorityLabel final : public LabelRival {
 public:
  std::uint32_t decide(std::uint32_t) override { return ones_ > zeros_ ? 1 : 0; }
  void observe(const LabelledPoint& y) override { ++(y.label == 1 ? ones_ : zeros_); }

 private:
  std::uint64_t zeros_ = 0, ones_ = 0;
};

class LastLabel final : public LabelRival {
 public:
  std::uint32_t decide(std::uint32_t) override { return last_; }
  void observe(const LabelledPoint& y) override { last_ = y.label; }

 private:
  std::uint32_t last_ = 0;
};

// Logistic regression by AdaGrad: step 1/sqrt(d + 1) at first, divided by the root of the summed squares of each
// weight's slopes. A category has a weight of its own; numbers are standardised by mean and deviation so far.
// Weights of column f begin at columns_[f].weight, one for each of its categories or one for its number.
class OnlineLogistic final : public LabelRival {
 public:
  explicit OnlineLogistic(const PointTable& points)
      : points_(points), columns_(points.features()), step_(1 / std::sqrt(static_cast<double>(points.features()) + 1)) {
    std::size_t weights = 1;  // the first is the constant
    for (std::size_t f = 0; f < columns_.size(); ++f) {
      columns_[f].weight = weights;
      weights += points.categorical(f) ? points.categories[f].size() : 1;
    }
    weight_.assign(weights, 0.0);
    squares_.assign(weights, 0.0);
  }

  // Standardising takes the value in, so decide() is called exactly once in a round (label_rivals.hpp).
  std::uint32_t decide(std::uint32_t point) override {
    inputs_.assign(1, {0, 1.0});
    for (std::size_t f = 0; f < columns_.size(); ++f) {
      const double x = points_.rows[point][f];
      if (points_.categorical(f)) {
        inputs_.push_back({columns_[f].weight + static_cast<std::size_t>(x), 1.0});
      } else {
        inputs_.push_back({columns_[f].weight, columns_[f].standardised(x)});
      }
    }
    score_ = 0;
    for (const auto& [at, x] : inputs_) score_ += weight_[at] * x;
    return score_ > 0 ? 1 : 0;
  }

  // Uses inputs and score of the decision of this round.
  void observe(const LabelledPoint& y) override {
    const double p = 1 / (1 + portable_exp(-score_));
    const double slope = p - static_cast<double>(y.label);
    for (const auto& [at, x] : inputs_) {
      const double g = slope * x;
      squares_[at] += g * g;
      weight_[at] -= step_ * g / std::sqrt(1 + squares_[at]);
    }
  }

 private:
  static constexpr double kFarthest = 4;  // deviations; one far value must not decide all weights

  struct Column {
    std::size_t weight = 0;  // the place of its first weight
    double count = 0, mean = 0, squares = 0;

    // Takes the value in. Welford's recurrence; values whose squares overflow count as the mean.
    double standardised(double x) {
      count += 1;
      // Welford: squares += (x - old mean)(x - new mean), a sum of squared deviations that does not cancel.
      const double from_old = x - mean;
      mean += from_old / count;
      squares += from_old * (x - mean);
      const double deviation = std::sqrt(squares / count);
      const double z = (x - mean) / deviation;
      return deviation > 0 && std::isfinite(z) ? std::clamp(z, -kFarthest, kFarthest) : 0.0;
    }
  };
  struct Input {
    std::size_t weight;
    double value;
  };

  const PointTable& points_;
  std::vector<Column> columns_;
  double step_;
  std::vector<double> weight_, squares_;
  std::vector<Input> inputs_;  // of the round
  double score_ = 0;
};

class BoostedStumps final : public LabelRival {
 public:
  explicit BoostedStumps(const PointTable& points) : cuts_(points), columns_(cuts_) {}
  BoostedStumps(const BoostedStumps&) = delete;  // the columns are those of the cuts
  BoostedStumps& operator=(const BoostedStumps&) = delete;

  std::uint32_t decide(std::uint32_t point) override { return votes_say_one(votes_, cuts_, point) ? 1 : 0; }
  void observe(const LabelledPoint& y) override {
    seen_.push_back(y);
    if (seen_.size() < next_) return;
    votes_ = boosted_stumps({.cuts = cuts_, .columns = columns_}, seen_, kUsualStumps);
    next_ = seen_.size() + std::max<std::size_t>(seen_.size() / 4, 1);
  }

 private:
  FeatureCuts cuts_;
  ColumnSums columns_;
  std::vector<LabelledPoint> seen_;
  std::vector<WeightedStump> votes_;
  // Chosen: first after 8 rounds, then after every quarter more, so that all fits together cost about five times the
  // last one.
  std::size_t next_ = 8;  // rounds after which the votes are fitted again
};

}  // namespace

// Without points, where predictions are given as a table, only the rivals that look at labels alone are left.
std::vector<NamedLabelRival> label_rivals(const PointTable& points) {
  std::vector<NamedLabelRival> all;
  all.push_back({"majority label", "the label that came more often so far", std::make_unique<MajorityLabel>()});
  all.push_back({"repeat last label", "the label of the round before", std::make_unique<LastLabel>()});
  if (points.rows.empty()) return all;
  all.push_back({"logistic regression", "online logistic regression on the columns, by AdaGrad",
                 std::make_unique<OnlineLogistic>(points)});
  if (static_cast<double>(points.points()) * static_cast<double>(points.features()) <= kMostBoostedCells) {
    all.push_back({"boosted stumps",
                   "a weighted vote of " + std::to_string(kUsualStumps) + " stumps, boosted on the rounds so far",
                   std::make_unique<BoostedStumps>(points)});
  }
  return all;
}

}  // namespace hannan::detail
