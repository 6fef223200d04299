// What is said of the next case without a class of classifiers: rivals that a learner is held against.
//
//   majority       the label that came more often so far; ties and the first round: 0
//   repeat last    the label of the round before; 0 in the first
//   logistic       online logistic regression. A number is standardised by mean and variance of the column so far, this
//                  round's point included, and cut at 4 deviations; a category is an indicator. Weights are 0 at first;
//                  after a round with the probability p and the label l
//                    g_j = (p - l) x_j,   G_j += g_j^2,   w_j -= g_j / sqrt((d + 1) (1 + G_j))
//                  (AdaGrad). The step 1 / sqrt(d + 1), d the number of columns, lets the weights move by a
//                  length of 1 at most in the first round, whatever d is. It says 1 where w x > 0.
//   boosted        a weighted vote of stumps (boosting.hpp) fitted to all rounds before, anew whenever these have grown
//                  by a quarter, from the eighth round on; 0 before
//
// All are progressive: a round is decided from the rounds before it and its point, as a classifier decides it. No
// figure is fitted to any data. Nothing but + - * / and square roots and the portable exp and log, in a fixed order:
// the same labels on every machine.
//
// Cost a round: O(1), O(1), O(d), and about 5 kUsualStumps d for `boosted`; its table is one of all points.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hannan/problems/classification/classification.hpp"

namespace hannan::detail {

class LabelRival {
 public:
  virtual ~LabelRival() = default;
  virtual std::uint32_t decide(std::uint32_t point) = 0;  // 0 or 1; once in a round
  virtual void observe(const LabelledPoint& y) = 0;       // of the point that was decided
};

struct NamedLabelRival {
  std::string name;
  std::string about;
  std::unique_ptr<LabelRival> rival;
};

// Those that fit; no points (predictions alone): the first two. Boosting is left out beyond kMostBoostedCells cells.
// The points outlive them.
inline constexpr double kMostBoostedCells = 4e6;
std::vector<NamedLabelRival> label_rivals(const PointTable& points);

}  // namespace hannan::detail
