// `classification`: m points are known, every round one of them comes and gets a label 0 or 1 (transductive).
//
// An action is a classifier out of a class, an outcome (point, label); the loss is 1 if the classifier
// says another label. Classifiers that agree on all points are one action.
//   thresholds   1 where x >= cut, one number a point                     K <= m + 1
//   stumps       one side of a cut of one feature, both directions        K <= 2 m d
//   halfplanes   1 where a x + b y >= c                                   K <= m (m-1) + 2
//   rectangles   1 in an axis-parallel box of the plane                   K <= (m (m+1) / 2)^2 + 1
//   trees2       a cut, and a stump on either side                        K <= (m d) (2 m d + 2)^2
//   trees3       a cut, and such a tree on either side                    K <= (m d) K(trees2)^2
//   votes        the first 0, 1, 2, ... of a list of weighted stumps      K <= stumps + 1
//   predictions  K rows of 0/1 given outright
// Points may have categorical columns, for stumps and trees (point_table.hpp).
//
// Perturbations:
//   outcomes     N = m, column j = the loss at (point j, label 1), gamma = 1: the hedge vector of
//                (x, (j, 1)) is e_j, that of (x, (j, 0)) is -e_j, because f(., (j,0)) = 1 - f(., (j,1)).
//                Both signs occur, so one-sided noise does not fit; (j, 1) makes the column and (j, 0)
//                minus the column, both with weight 1, so that an oracle of non-negative weights serves.
//   bits, one-hot, thermometer  over the list of hypotheses, where there is one (explicit_columns.hpp)
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/interval.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/problems/classification/hypotheses.hpp"
#include "hannan/problems/classification/point_table.hpp"

namespace hannan::detail {

struct LabelledPoint {
  std::uint32_t point = 0;
  std::uint32_t label = 0;
  friend auto operator<=>(const LabelledPoint&, const LabelledPoint&) = default;
};
void archive(Archive& a, LabelledPoint& y);

class Classification {
 public:
  using Action = std::uint64_t;  // the code of a hypothesis
  using Outcome = LabelledPoint;
  static constexpr std::size_t kMaxEntries = 20'000'000;  // K m of given predictions

  static constexpr std::string_view kFileAbout =
      "CSV with a header or LIBSVM; --param label=COLUMN, positive, drop, bins, skip, header, format";

  struct Parts {
    std::string name;                      // of the class; empty: predictions
    PointTable table;                      // the points, or the predictions
    std::vector<WeightedStumpRule> votes;  // of the class of votes
  };
  explicit Classification(Parts parts);  // throws kUnknownName and kOutOfRange

  const std::string& class_name() const { return parts_.name; }
  const PointTable& table() const { return parts_.table; }
  const std::vector<WeightedStumpRule>& votes() const { return parts_.votes; }
  const Hypotheses& hypotheses() const { return *hypotheses_; }
  std::size_t points() const { return hypotheses().points(); }

  double loss(Action x, const Outcome& y) const { return hypotheses().says(x, y.point) == (y.label == 1) ? 0 : 1; }
  double ln_size() const { return hypotheses().ln_size(); }
  std::optional<double> action_count() const;  // none where the class is not listed
  std::vector<Action> first_actions(std::uint64_t limit) const { return hypotheses().first(limit); }
  std::uint64_t size() const;  // kUnavailable where the class is not listed
  Action action(std::uint64_t k) const { return k; }
  void accumulate(const Outcome& y, double weight, std::span<double> totals) const;
  std::vector<Outcome> outcomes() const;  // all of them, point by point, label 0 first
  std::size_t coordinates() const { return 1; }
  std::size_t domain(std::size_t) const { return size(); }
  std::size_t position(Action x, std::size_t) const { return x; }

  // Is it one of the actions? Asked of saved states.
  bool allows(Action code) const { return hypotheses().allows(code); }

  // What the actions and outcomes mean outside: money, losses.
  Form form() const { return Form::kLoss; }
  double normaliser() const { return 1; }
  double raw(Action x, const Outcome& y) const { return loss(x, y); }
  std::size_t row_width() const { return 2; }  // point, label
  Interval row_range() const;
  void outcome_from_row(std::span<const double> row, Outcome& y) const;

  static std::vector<std::shared_ptr<const Perturbation<Classification>>> perturbations(
      std::shared_ptr<const Classification> p);
  // sweep for every class, first unless predictions are given; tabulate where the class is listed.
  static std::vector<std::shared_ptr<const AnyOracle<Classification>>> oracles(std::shared_ptr<const Classification> p);

 private:
  Parts parts_;
  HypothesesPtr hypotheses_;
};

}  // namespace hannan::detail
