// Sorted downwards, a maximiser over Q has cap on its first entries (capped_simplex.hpp). For Hedge's weights: by the
// optimality conditions q_g = min(cap, c exp(eta G_g)), so in the order of G the first k entries are capped, and the
// first k for which no other entry exceeds cap is the one.
#include "hannan/solve/capped_simplex.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "hannan/core/sum.hpp"

namespace hannan::detail {
namespace {

// cap n this close to 1 is 1, as 49 (1/49) is: then Q is the uniform mixture alone.
constexpr double kUniformSlack = 1e-12;

bool is_uniform(std::size_t scenarios, double cap) { return cap * static_cast<double>(scenarios) <= 1 + kUniformSlack; }

// How many entries a vertex of Q has at most.
std::size_t most_entries(std::size_t scenarios, double cap) {
  if (is_uniform(scenarios, cap)) return scenarios;
  return std::min(scenarios, static_cast<std::size_t>(std::ceil(1 / cap - kUniformSlack)));
}

// The places of the `count` largest, the largest first, ties to the lowest place.
std::vector<std::size_t> largest(std::span<const double> a, std::size_t count) {
  std::vector<std::size_t> order(a.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::size_t i, std::size_t j) { return a[i] != a[j] ? a[i] > a[j] : i < j; });
  order.resize(count);
  return order;
}

}  // namespace

double SparseMixture::times(std::span<const double> a) const {
  Sum sum;
  for (std::size_t i = 0; i < at.size(); ++i) sum.add(weight[i] * a[at[i]]);
  return sum.value();
}

SparseMixture response(std::span<const double> a, double cap) {
  assert(!a.empty());
  std::vector<std::size_t> order = largest(a, most_entries(a.size(), cap));
  const double last = is_uniform(a.size(), cap) ? cap : 1 - cap * static_cast<double>(order.size() - 1);
  const std::size_t cut = order.back();  // has what the others leave
  std::sort(order.begin(), order.end());
  SparseMixture vertex{.at = order, .weight = std::vector<double>(order.size(), cap)};
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] == cut) vertex.weight[i] = std::min(cap, last);
  }
  // Rounding of cap must not show where losses are far from 0.
  const double sum = std::accumulate(vertex.weight.begin(), vertex.weight.end(), 0.0);
  for (double& weight : vertex.weight) weight /= sum;
  return vertex;
}

double worst(std::span<const double> a, double cap) {
  if (cap == 1) return *std::max_element(a.begin(), a.end());
  return response(a, cap).times(a);
}

void into_capped(std::vector<double>& q, double cap) {
  if (is_uniform(q.size(), cap)) {
    std::fill(q.begin(), q.end(), 1.0 / static_cast<double>(q.size()));
    return;
  }
  // Every pass fills at least one more entry up to cap, or leaves nothing missing.
  for (std::size_t pass = 0; pass <= q.size(); ++pass) {
    Sum sum;
    std::size_t below = 0;
    for (double& entry : q) {
      entry = std::clamp(entry, 0.0, cap);
      sum.add(entry);
      below += entry < cap;
    }
    const double missing = 1 - sum.value();
    if (missing <= 1e-15 || below == 0) break;
    for (double& entry : q) {
      if (entry < cap) entry += missing / static_cast<double>(below);
    }
  }
  Sum sum;
  for (const double entry : q) sum.add(entry);
  for (double& entry : q) entry /= sum.value();
}

CappedHedge::CappedHedge(std::size_t scenarios, double cap, double unit)
    : cap_(cap),
      unit_(unit),
      log_size_(is_uniform(scenarios, cap) ? 0.0 : std::log(cap * static_cast<double>(scenarios))),
      totals_(scenarios, 0.0),
      weights_(scenarios, 1.0 / static_cast<double>(scenarios)) {}

double CappedHedge::eta() const { return delta_ > 0 ? log_size_ / delta_ : std::numeric_limits<double>::infinity(); }

std::vector<std::size_t> CappedHedge::downwards(std::span<const double> totals) const {
  return largest(totals, totals.size());
}

// eta infinite: the largest totals in turn; those that tie share equally, at most cap each.
std::vector<double> CappedHedge::leaders(std::span<const double> totals) const {
  const auto order = downwards(totals);
  std::vector<double> q(totals.size(), 0.0);
  double left = 1;
  for (std::size_t from = 0; from < order.size() && left > 0;) {
    std::size_t end = from;
    while (end < order.size() && totals[order[from]] - totals[order[end]] <= 1e-9 * unit_) ++end;
    const double each = std::min(cap_, left / static_cast<double>(end - from));
    for (std::size_t i = from; i < end; ++i) q[order[i]] = each;
    left = each < cap_ ? 0.0 : left - each * static_cast<double>(end - from);
    from = end;
  }
  return q;
}

std::vector<double> CappedHedge::weights_at(std::span<const double> totals) const {
  const std::size_t n = totals.size();
  if (log_size_ == 0) return std::vector<double>(n, 1.0 / static_cast<double>(n));
  const double rate = eta();
  if (std::isinf(rate)) return leaders(totals);
  const auto order = downwards(totals);
  // sums[k] = sum over j >= k of exp(eta (G_j - G_k)), in the order of the totals: it is at least 1, never 0 / 0.
  std::vector<double> sums(n, 1.0);
  for (std::size_t k = n - 1; k-- > 0;)
    sums[k] = 1 + std::exp(rate * (totals[order[k + 1]] - totals[order[k]])) * sums[k + 1];
  std::vector<double> q(n, 0.0);
  std::size_t capped = 0;
  double left = 1;
  while (capped + 1 < n && left / sums[capped] > cap_) {
    q[order[capped]] = cap_;
    ++capped;
    left = std::max(0.0, 1 - cap_ * static_cast<double>(capped));
  }
  for (std::size_t j = capped; j < n; ++j)
    q[order[j]] = left * std::exp(rate * (totals[order[j]] - totals[order[capped]])) / sums[capped];
  return q;
}

// max over q in Q of <q, G> - KL(q, uniform) / eta at its maximiser q, taken at G - max G.
double CappedHedge::potential(std::span<const double> totals, std::span<const double> q) const {
  const double top = *std::max_element(totals.begin(), totals.end());
  const double inverse = log_size_ > 0 ? delta_ / log_size_ : 0.0;  // 1 / eta, 0 where eta is infinite
  Sum sum;
  for (std::size_t g = 0; g < q.size(); ++g) {
    if (q[g] == 0) continue;
    sum.add(q[g] * (totals[g] - top) - inverse * q[g] * std::log(static_cast<double>(q.size()) * q[g]));
  }
  return top + sum.value();
}

void CappedHedge::observe(std::span<const double> gains) {
  assert(gains.size() == totals_.size());
  std::vector<double> after(totals_);
  Sum gained;
  for (std::size_t g = 0; g < gains.size(); ++g) {
    after[g] += gains[g];
    gained.add(weights_[g] * gains[g]);
  }
  gap_ = 0;
  if (log_size_ > 0) {
    const std::vector<double> next = weights_at(after);
    gap_ = std::max(0.0, potential(after, next) - potential(totals_, weights_) - gained.value());
  }
  totals_ = std::move(after);
  delta_ += gap_;
  weights_ = weights_at(totals_);
}

}  // namespace hannan::detail
