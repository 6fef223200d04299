// From a draw alpha to evidence: sum_j alpha_j column_j goes into a history as tables (one per coordinate) or as
// weighted outcomes, whichever the oracle takes. Noise is never left out: where the perturbation has no data set for a
// sign that the oracle accepts, kUnavailable. Cost of pouring: what the perturbation says, usually O(columns).
#include "hannan/game/perturber.hpp"

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// What is poured, at one action.
class ActionTotal final : public GameHistory {
 public:
  ActionTotal(const Game& problem, const AnyAction& action) : problem_(problem), action_(action) {}
  void add(const AnyOutcome& y, double weight) override { total_ += weight * problem_.loss(action_, y); }
  void add_table(std::size_t, std::span<const double>) override { tables_ = true; }
  void scale(double factor) override { total_ *= factor; }
  void clear() override { total_ = 0; }
  void archive(Archive&) override {}

  double total() const { return total_; }  // of the outcomes
  bool tables() const { return tables_; }  // there were tables, which are not in the total

 private:
  const Game& problem_;
  const AnyAction& action_;
  double total_ = 0;
  bool tables_ = false;
};

}  // namespace

void pour_noise(const GameOracle& oracle, const GameMatrix& matrix, std::span<const double> alpha, GameHistory& into) {
  if (oracle.takes_tables() && oracle.takes_negative_weights()) return matrix.pour(alpha, into);
  const Weights weights = oracle.takes_negative_weights() ? Weights::kAnySign : Weights::kNonNegative;
  if (matrix.pour_data(alpha, into, weights)) return;
  throw Error(
      Code::kUnavailable,
      "oracle \"" + oracle.name() + "\" takes " +
          (weights == Weights::kAnySign ? "weighted outcomes" : "non-negative weights") + " only, and perturbation \"" +
          matrix.name() +
          "\" knows no such data sets for this noise; use an oracle that takes negative weights (kSigned), or a "
          "perturbation with data sets for both signs",
      "oracle");
}

void expect_pourable(const GameOracle& oracle, const GameMatrix& matrix, DrawSigns signs) {
  if (oracle.takes_tables() && oracle.takes_negative_weights()) return;
  const auto history = oracle.empty();
  for (const double sign : {1.0, -1.0}) {
    if (sign < 0 && signs == DrawSigns::kNonNegative) continue;
    pour_noise(oracle, matrix, std::vector<double>(matrix.columns(), sign), *history);
  }
}

double RoundNoise::poured(const AnyAction& x) const {
  ActionTotal total(oracle_->problem(), x);
  pour_noise(*oracle_, *matrix_, alpha_, total);
  // Tables are poured without a constant, so the table's own value serves; outcomes carry the constant that of() drops.
  return total.tables() ? of(x) : total.total();
}

void RoundNoise::pour() const {
  history_->clear();
  pour_noise(*oracle_, *matrix_, alpha_, *history_);
  poured_ = true;
}

}  // namespace hannan::detail
