// The game of explicit experts: range of a round, missing losses, and columns as outcomes. Cost: O(K) a round.
#include "hannan/problems/experts/experts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hannan/core/expect.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/explicit_columns.hpp"

namespace hannan::detail {

Experts::Experts(std::uint64_t size, std::vector<std::vector<double>> matrix, LossRange range, Missing missing)
    : size_(size), range_(range), missing_(missing), matrix_(std::move(matrix)) {
  if (size_ == 0) throw Error(Code::kOutOfRange, "found 0 experts, expected at least 1", "experts");
  if (size_ > kMaxSize) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(size_) + " experts, expected at most " + std::to_string(kMaxSize) +
                    ": a learner keeps about " + std::to_string(kBytesEach) + " bytes an expert, " +
                    std::to_string(kMaxSize * kBytesEach / 1'000'000) +
                    " MB at that size; use fewer, or a problem whose actions are not listed",
                "experts");
  }
  if (matrix_.empty()) return;
  if (matrix_.size() != size_) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(matrix_.size()) + " rows, expected one per expert, " + std::to_string(size_),
                "matrix");
  }
  expect_table(matrix_, kMatrixEntry, "matrix");
}

// Over the experts that are awake; {0, 0} where none is.
LossSpread Experts::spread(const Outcome& y) const {
  if (!sleeps()) {
    const auto [least, most] = std::minmax_element(y.begin(), y.end());
    return {*least, *most};
  }
  LossSpread found{.least = std::numeric_limits<double>::infinity(), .most = -std::numeric_limits<double>::infinity()};
  for (const double loss : y) {
    if (std::isnan(loss)) continue;
    found = {.least = std::min(found.least, loss), .most = std::max(found.most, loss)};
  }
  return found.least <= found.most ? found : LossSpread{.least = 0, .most = 0};
}

// 1 where losses are in [0,1], else the largest loss that was given in this round.
void Experts::fill_worst(Outcome& y) const {
  double worst = range_ == LossRange::kUnitInterval ? 1.0 : -std::numeric_limits<double>::infinity();
  if (range_ == LossRange::kUnknown) {
    for (const double loss : y) worst = std::isnan(loss) ? worst : std::max(worst, loss);
    if (std::isinf(worst)) worst = 0;  // no loss at all: all alike
  }
  for (double& loss : y) {
    if (std::isnan(loss)) loss = worst;
  }
}

std::string_view Experts::row_gap_hint() const {
  if (missing_ != Missing::kRefuse) return {};
  return "three remedies: --missing sleep (the expert cannot be chosen in this round; adahedge, flipflop-hedge or "
         "adanormalhedge), --missing worst (it gets the worst loss; any learner), or fill the cell in; in JSON the "
         "parameter is \"missing\"";
}

void Experts::refuse_total() {
  throw Error(
      Code::kUnavailable,
      "experts that sleep have no total to compare: each was awake in other rounds; the report of a learner has "
      "the regret against each of them, and missing = worst gives totals",
      "missing");
}

namespace {

// Column j is an outcome once shifted and scaled to [0,1]; minus the column likewise.
std::optional<Dataset<Experts::Outcome>> column_as_outcome(const CoordinateCode& code,
                                                           Perturbation<Experts>::ColumnRequest request) {
  Experts::Outcome y(code.values());
  for (std::size_t k = 0; k < y.size(); ++k) y[k] = request.sign * code.entry(k, request.column);
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  // A constant column (range 0) becomes an outcome of weight 0: it moves no argmin.
  const double least = *low, range = *high - *low;
  for (double& v : y) v = range > 0 ? (v - least) / range : 0.0;
  return Dataset<Experts::Outcome>{{range, std::move(y)}};
}

}  // namespace

// Every column is one outcome: losses of experts can be anything, so a column needs no search for a data set.
std::vector<std::shared_ptr<const Perturbation<Experts>>> Experts::perturbations(std::shared_ptr<const Experts> p) {
  return explicit_columns<Experts>({.problem = p, .matrix = p->matrix_, .form = Form::kLoss, .data = [](CodePtr code) {
                                      return [code](Perturbation<Experts>::ColumnRequest request) {
                                        return column_as_outcome(*code, request);
                                      };
                                    }});
}

std::vector<std::shared_ptr<const AnyOracle<Experts>>> Experts::oracles(std::shared_ptr<const Experts> p) {
  return {make_oracle("tabulate", std::move(p), Tabulate<Experts>{})};
}

}  // namespace hannan::detail
