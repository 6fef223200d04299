// The perturbation of `routing`: one column per edge, poured as one number per edge.
//
// Noise of a walk is the sum of the noises of its edges, divided by U: least and most over all walks are bounded by the
// longest walk times the extreme edge, which need not be attained. Costs O(edges).
#include <algorithm>
#include <string>
#include <utility>

#include "hannan/problems/routing/routing.hpp"

namespace hannan::detail {
namespace {

// Entries are (times the walk uses edge e) / U, U the most uses of any edge in any walk, so that they lie in [0,1].
class EdgeColumns final : public Perturbation<Routing> {
 public:
  using Request = Perturbation<Routing>::ColumnRequest;
  explicit EdgeColumns(std::shared_ptr<const Routing> p)
      : problem_(std::move(p)), uses_(static_cast<double>(problem_->network().most_uses())) {}

  const std::string& name() const override { return name_; }
  std::size_t columns() const override { return problem_->edges(); }
  std::optional<double> gamma() const override { return problem_->network().count() > 1 ? uses_ : 0.0; }
  HedgeSign hedge_sign() const override { return HedgeSign::kNonNegative; }
  bool unit_entries() const override { return true; }

  void row(const Walk& x, std::span<double> out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    for (const int edge : x) ++out[static_cast<std::size_t>(edge)];
    for (double& entry : out) entry /= uses_;
  }

  void pour(std::span<const double> alpha, AnyHistory<Routing>& into) const override {
    if (uses_ == 1) return into.add_table(0, alpha);
    std::vector<double> values(alpha.begin(), alpha.end());
    for (double& value : values) value /= uses_;
    into.add_table(0, values);
  }

  void project(std::span<const double> alpha, NoiseTable& into) const override {
    into.values.assign(alpha.begin(), alpha.end());
    for (double& value : into.values) value /= uses_;
    const auto [least, most] = std::minmax_element(into.values.begin(), into.values.end());
    const double longest = problem_->normaliser();
    into.least = std::min(0.0, *least) * longest;
    into.most = std::max(0.0, *most) * longest;
  }
  double noise(const Walk& x, NoiseTable& table) const override {
    double sum = 0;
    for (const int edge : x) sum += table.values[static_cast<std::size_t>(edge)];
    return sum;
  }
  bool quick() const override { return true; }

  // Losses add up over the edges, so all columns together are one outcome of each sign.
  bool pour_data(std::span<const double> alpha, AnyHistory<Routing>& into, Weights weights) const override {
    std::vector<double> plus(alpha.size(), 0.0), minus(alpha.size(), 0.0);
    for (std::size_t e = 0; e < alpha.size(); ++e) {
      if (alpha[e] >= 0) {
        plus[e] += alpha[e];
      } else if (weights == Weights::kAnySign) {
        minus[e] -= alpha[e];
      } else {
        const auto cut = problem_->network().cut_through(e);
        if (!cut) return false;
        for (const int edge : *cut) {
          if (static_cast<std::size_t>(edge) != e) plus[static_cast<std::size_t>(edge)] -= alpha[e];
        }
      }
    }
    add_scaled(std::move(plus), 1, into);
    add_scaled(std::move(minus), -1, into);
    return true;
  }

  // The negative of a column without negative weights: costs of 1 on the other edges of a cut through the edge. Every
  // walk crosses the cut once, so that its costs are 1 minus its use of the edge. Where no such cut exists there is
  // none.
  std::optional<Dataset<Routing::Outcome>> data(Request request) const override {
    Routing::Outcome y(columns(), 0.0);
    y[request.column] = 1;
    double weight = problem_->normaliser() / uses_;
    if (request.sign < 0 && request.weights == Weights::kNonNegative) {
      const auto cut = problem_->network().cut_through(request.column);
      if (!cut) return std::nullopt;
      for (const int edge : *cut) y[static_cast<std::size_t>(edge)] = 1;
      y[request.column] = 0;
    } else {
      weight *= request.sign;
    }
    return Dataset<Routing::Outcome>{{weight, std::move(y)}};
  }

 private:
  void add_scaled(std::vector<double> costs, double sign, AnyHistory<Routing>& into) const {
    // Costs of an outcome lie in [0,1]: the largest becomes 1, and the weight takes the factor.
    const double most = *std::max_element(costs.begin(), costs.end());
    if (most <= 0) return;
    for (double& cost : costs) cost /= most;
    into.add(costs, sign * most * (problem_->normaliser() / uses_));
  }

  std::string name_ = "outcomes";
  std::shared_ptr<const Routing> problem_;
  double uses_;
};

}  // namespace

std::vector<std::shared_ptr<const Perturbation<Routing>>> Routing::perturbations(std::shared_ptr<const Routing> p) {
  return {std::make_shared<EdgeColumns>(std::move(p))};
}

}  // namespace hannan::detail
