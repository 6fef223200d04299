// The range of allocations as an automaton: sizes and letters, counts, and a walk over all words. States: `left`
// bundles, 0..width-1, before the extra bundle is accounted for, and the same plus settled_ afterwards; settled_ = 0
// where there is no extra bundle. Counts: C(total + n - 1, n - 1) ways to spread bundles, times n for who holds an odd
// extra bundle, or less those in which no bidder holds c bundles if the extra one is c of them.
#include "hannan/problems/multi_unit/bundle_range.hpp"

#include <cmath>
#include <limits>

namespace hannan::detail {
namespace {

// C(n, k), exact while it is below 2^53: every partial product is itself a binomial coefficient.
double choose(double n, double k) {
  double product = 1;
  for (double i = 1; i <= k; ++i) product = product * (n - k + i) / i;
  return product;
}

double ln_choose(double n, double k) {
  double sum = 0;
  for (double i = 1; i <= k; ++i) sum += std::log((n - k + i) / i);
  return sum;
}

// Vectors of `bidders` numbers 0..most with the given sum, by running window sums.
double bounded_vectors(int bidders, int sum, int most) {
  std::vector<double> ways(static_cast<std::size_t>(sum) + 1, 0.0);
  ways[0] = 1;
  for (int i = 0; i < bidders; ++i) {
    // Prefix sums, then differences of them: whole numbers, so exact while they are below 2^53.
    for (std::size_t s = 1; s < ways.size(); ++s) ways[s] += ways[s - 1];
    // From high to low, so that ways[s - most - 1] is still the prefix sum; most + 1 is at least 0, and s - most - 1 >=
    // 0.
    for (std::size_t s = ways.size(); s-- > static_cast<std::size_t>(most) + 1;) ways[s] -= ways[s - most - 1];
  }
  return ways.back();
}

}  // namespace

BundleRange::BundleRange(Parts parts) : parts_(parts) {
  const std::int64_t square = std::int64_t{parts.bidders} * parts.bidders;
  // A lone bidder gets everything: one bundle says it.
  if (parts.bidders > 1 && (parts.range == Range::kAll || parts.units < square)) {
    bundles_ = parts.units;
  } else {
    bundles_ = static_cast<int>(square);
    bundle_size_ = parts.units / bundles_;
    extra_ = parts.units - bundles_ * bundle_size_;
  }
  const bool odd = extra_ % bundle_size_ != 0;
  const int multiple = odd ? 0 : extra_ / bundle_size_;  // the extra bundle, in bundles
  width_ = static_cast<std::size_t>(bundles_ + multiple) + 1;
  settled_ = extra_ == 0 ? 0 : width_;
  const auto add = [&](int bundles, int extra) {
    sizes_.push_back(bundles * bundle_size_ + extra);
    letters_.push_back({static_cast<std::size_t>(bundles), extra > 0, odd ? extra > 0 : bundles >= multiple});
  };
  if (parts.bidders == 1) {  // the only bidder gets everything: one value
    add(bundles_ + multiple, odd ? extra_ : 0);
    return;
  }
  if (!odd) {
    for (int b = 0; b <= bundles_ + multiple; ++b) add(b, 0);
    return;
  }
  // A' is no multiple of A, so no two members are equal and the sizes rise strictly.
  // Merge the two progressions bA and bA + A'.
  for (int plain = 0, with = 0; plain <= bundles_ || with <= bundles_;) {
    if (plain <= bundles_ && plain * bundle_size_ < with * bundle_size_ + extra_) {
      add(plain++, 0);
    } else {
      add(with++, extra_);
    }
  }
}

double BundleRange::steps() const {
  return static_cast<double>(parts_.bidders) * static_cast<double>(states()) * static_cast<double>(sizes_.size());
}

// n bidders share width_ - 1 bundles. An odd extra bundle has n holders; an extra one of c bundles is held by a bidder
// with at least c, so that vectors with all entries below c are taken off.
double BundleRange::count() const {
  const double n = parts_.bidders, total = static_cast<double>(width_ - 1);
  const double spread = choose(total + n - 1, n - 1);
  if (extra_ == 0) return spread;
  if (extra_ % bundle_size_ != 0) return n * spread;
  return spread - bounded_vectors(parts_.bidders, static_cast<int>(width_) - 1, extra_ / bundle_size_ - 1);
}

double BundleRange::ln_count() const {
  if (extra_ != 0 && extra_ % bundle_size_ == 0) return std::log(count());
  const double n = parts_.bidders;
  return ln_choose(static_cast<double>(width_ - 1) + n - 1, n - 1) + (extra_ == 0 ? 0 : std::log(n));
}

void BundleRange::visit(const std::function<Visit(const std::vector<int>&)>& each) const {
  std::vector<std::size_t> path{start()};
  std::vector<int> word;
  // A prefix can be completed iff its last letter can be: one bidder left takes all that is left.
  const auto completable = [&](std::size_t state, std::size_t bidders_left) {
    if (bidders_left == 0) return accepts(state);
    if (state >= settled_) return true;
    if (extra_ % bundle_size_ != 0) return true;
    return state >= static_cast<std::size_t>(extra_ / bundle_size_);
  };
  // Depth first: `word` is the prefix, path[i] the state before letter i, `letter` the next one to try at this depth.
  // Prefixes that cannot be completed are never entered, so the time between two words is O(n * sizes).
  int letter = 0;
  for (;;) {
    if (word.size() == stages()) {
      if (each(word) == Visit::kStop) return;
    } else {
      bool deeper = false;
      for (; letter < static_cast<int>(sizes_.size()); ++letter) {
        const std::size_t to = next(word.size(), path.back(), static_cast<std::size_t>(letter));
        if (to == kDead || !completable(to, stages() - word.size() - 1)) continue;
        word.push_back(letter);
        path.push_back(to);
        letter = 0;
        deeper = true;
        break;
      }
      if (deeper) continue;
    }
    if (word.empty()) return;
    letter = word.back() + 1;
    word.pop_back();
    path.pop_back();
  }
}

}  // namespace hannan::detail
