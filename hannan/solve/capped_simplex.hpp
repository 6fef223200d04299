// The opponent's mixtures of n scenarios with a cap: Q = {q >= 0, sum q = 1, q_g <= cap}, 1/n <= cap <= 1.
//
// worst(a) = max over q in Q of <q, a>. The maximum gives cap to the largest entries in turn until 1 is used up
// (exchange argument): the largest entry for cap = 1, the mean of the k largest for cap = 1/k, the mean for cap = 1/n.
// response(a) is the vertex of Q that attains it, ties to the lowest scenario. Both cost O(n log n).
//
// CappedHedge is AdaHedge on Q (docs/theory.md, "Robust decisions"): with D = ln(cap n), G the summed gains and Delta
// the summed mixability gaps, eta = D / Delta and the weights maximise <q, G> - KL(q, uniform) / eta over Q. Then
//   worst(G_T) - sum of <q_t, g_t>  <=  2 Delta_T  <=  sqrt(D sum of range^2) + 2 largest range.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hannan::detail {

// A point of Q with few entries: weight[i] on scenario at[i], `at` increasing.
struct SparseMixture {
  std::vector<std::size_t> at;
  std::vector<double> weight;
  double times(std::span<const double> a) const;  // <this, a>
  friend bool operator==(const SparseMixture&, const SparseMixture&) = default;
};

double worst(std::span<const double> a, double cap);
SparseMixture response(std::span<const double> a, double cap);

// Moves a distribution into Q: clips to cap, hands what is missing in equal parts to those below it, and repeats.
void into_capped(std::vector<double>& q, double cap);

class CappedHedge {
 public:
  // Gains that differ by less than 1e-9 of `unit` tie while eta is infinite.
  CappedHedge(std::size_t scenarios, double cap, double unit);

  const std::vector<double>& weights() const { return weights_; }
  void observe(std::span<const double> gains);
  std::span<const double> totals() const { return totals_; }
  double eta() const;                  // infinity while delta() is 0
  double gap() const { return gap_; }  // the mixability gap of the last round
  double delta() const { return delta_; }

 private:
  std::vector<double> weights_at(std::span<const double> totals) const;
  std::vector<double> leaders(std::span<const double> totals) const;
  double potential(std::span<const double> totals, std::span<const double> q) const;
  std::vector<std::size_t> downwards(std::span<const double> totals) const;

  double cap_, unit_;
  double log_size_;  // D
  double delta_ = 0, gap_ = 0;
  std::vector<double> totals_, weights_;
};

}  // namespace hannan::detail
