// Sums over pairs of values and the least error of every root from them; the formulas are in pair_sums.hpp. Layout of
// the sums: first one number per bin, then for each bin of feature f a row with one number per bin of the features
// behind f. Entry (a, b), b a bin of a later feature, is at row_start(a) + b - first_of(f + 1).
#include "hannan/problems/classification/pair_sums.hpp"

#include <algorithm>
#include <numeric>

#include "hannan/core/interruption.hpp"

namespace hannan::detail {

// row_start_[a] is where the row of bin a begins; rows of the last feature are empty.
PairTable::PairTable(const ColumnSums& columns, const FeatureRanks& ranks)
    : columns_(columns), ranks_(ranks), size_(columns.bins()) {
  for (std::size_t f = 0; f < columns.features(); ++f) {
    for (std::size_t bin = columns.first_of(f); bin < columns.first_of(f + 1); ++bin) {
      row_start_.push_back(size_);
      size_ += columns.bins() - columns.first_of(f + 1);
    }
  }
}

// The size of a table without building one, as a double: with many values it exceeds any index.
double PairTable::cells(const ColumnSums& columns) {
  double cells = static_cast<double>(columns.bins());
  for (std::size_t f = 0; f < columns.features(); ++f) {
    cells += static_cast<double>(columns.first_of(f + 1) - columns.first_of(f)) *
             static_cast<double>(columns.bins() - columns.first_of(f + 1));
  }
  return cells;
}

// One number of each pair (value of f, value of g), f < g, that the point has: d (d - 1)/2 additions.
void PairTable::add_point(std::size_t point, double gain, std::span<double> sums) const {
  columns_.add_point(point, gain, sums);
  const auto bins = columns_.bins_of(point);
  for (std::size_t f = 0; f + 1 < bins.size(); ++f) {
    double* const row = sums.data() + row_start_[bins[f]];
    const std::size_t first = columns_.first_of(f + 1);
    for (std::size_t g = f + 1; g < bins.size(); ++g) row[bins[g] - first] += gain;
  }
}

// Feature by feature and in the order of its values, so that the row at hand stays near.
void PairTable::add_points(std::span<const double> gain, std::span<double> sums) const {
  columns_.add_points(gain, sums);
  for (std::size_t f = 0; f + 1 < columns_.features(); ++f) {
    const std::size_t first = columns_.first_of(f + 1);
    for (const int at : ranks_.order[f]) {
      const auto point = static_cast<std::size_t>(at);
      const auto bins = columns_.bins_of(point);
      double* const row = sums.data() + row_start_[bins[f]];
      const double weight = gain[point];
      for (std::size_t g = f + 1; g < bins.size(); ++g) row[bins[g] - first] += weight;
    }
  }
}

// marginal_ are the sums per bin of the evidence, held_ the sums where each cut holds.
PairSums::PairSums(const TreeQuestion& question, const PairTable& table, const Hypotheses::Errors& errors)
    : q_(question),
      table_(table),
      errors_(errors),
      marginal_(q_.columns.bins()),
      left_(marginal_.size()),
      right_(marginal_.size()) {
  for (std::size_t bin = 0; bin < marginal_.size(); ++bin) marginal_[bin] = errors_.sum(bin);
  held_ = marginal_;
  q_.columns.cumulate(held_);
}

// Into out: for every bin the sum over the points in it where the root holds; without a root over all points.
void PairSums::joint(const Cut* root, std::span<double> out) {
  if (!root) {
    std::copy(marginal_.begin(), marginal_.end(), out.begin());
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  const ColumnSums& columns = q_.columns;
  // The root holds at the bins first..end-1 of its own feature. Later features are read along rows of f, earlier ones
  // across the rows of their own bins, because each pair is kept once.
  const std::size_t f = root->feature, first = columns.bin_of(*root);
  const std::size_t end = columns.categorical(f) ? first + 1 : columns.first_of(f + 1);
  const std::size_t later = columns.first_of(f + 1);
  for (std::size_t a = first; a < end; ++a) {
    out[a] = marginal_[a];
    const std::size_t row = table_.row_start(a);
    for (std::size_t b = later; b < columns.bins(); ++b) out[b] += errors_.sum(row + b - later);
  }
  for (std::size_t g = 0; g < f; ++g) {
    for (std::size_t b = columns.first_of(g); b < columns.first_of(g + 1); ++b) {
      const std::size_t row = table_.row_start(b);
      for (std::size_t a = first; a < end; ++a) out[b] += errors_.sum(row + a - columns.first_of(g + 1));
    }
  }
}

// For every root: the least and greatest G over all stumps on its right, and of A_g - G on its left; a stump that says
// 0 where its cut holds has the side's total less that.
void PairSums::least_of_roots(std::span<double> out) {
  const ColumnSums& columns = q_.columns;
  rows_.resize(columns.bins());
  g_.resize(columns.bins());
  for (std::size_t f = 0; f < columns.features(); ++f) {
    interruption_point();
    see_own_feature(f);
    see_later_features(f);
  }
  const double total =
      std::accumulate(marginal_.begin(), marginal_.begin() + static_cast<std::ptrdiff_t>(columns.first_of(1)), 0.0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t bin = columns.bin_of(q_.cuts.all()[i]);
    const double in_right = held_[bin], in_left = total - in_right;
    out[i] =
        std::min(left_.low[bin], in_left - left_.high[bin]) + std::min(right_.low[bin], in_right - right_.high[bin]);
  }
}

// Root and stump on one feature: both cuts hold from the greater rank on, or at the same category alone.
// O(values^2) a feature: held_ is the sum over the points where a cut holds.
void PairSums::see_own_feature(std::size_t f) {
  const std::size_t first = q_.columns.first_of(f), end = q_.columns.first_of(f + 1);
  for (std::size_t root = first; root < end; ++root) {
    for (std::size_t cut = first; cut < end; ++cut) {
      const double both = !q_.columns.categorical(f) ? held_[std::max(root, cut)] : root == cut ? held_[root] : 0.0;
      right_.see(root, both);
      left_.see(root, held_[cut] - both);
    }
  }
}

// Roots on f with stumps on later features, and by symmetry roots on those with stumps on f: each pair of features
// once.
void PairSums::see_later_features(std::size_t f) {
  const ColumnSums& columns = q_.columns;
  const std::size_t first = columns.first_of(f + 1), width = columns.bins() - first;
  if (width == 0) return;
  const bool single = columns.categorical(f);
  std::fill_n(rows_.begin(), width, 0.0);
  // From the last value down: rows_ is then the sum over the values from `bin` on, where a number's cut holds; for a
  // category the row alone.
  for (std::size_t bin = first; bin-- > columns.first_of(f);) {
    const double* const data = errors_.data.data() + table_.row_start(bin);
    double* const rows = rows_.data();
    if (single) std::fill_n(rows, width, 0.0);
    if (errors_.scale == 0) {
      for (std::size_t j = 0; j < width; ++j) rows[j] += data[j];
    } else {
      const double* const noise = errors_.noise.data() + table_.row_start(bin);
      const double scale = errors_.scale;
      for (std::size_t j = 0; j < width; ++j) rows[j] += data[j] + scale * noise[j];
    }
    std::copy_n(rows, width, g_.begin());
    columns.cumulate(std::span(g_).first(width), f + 1);
    see_row(bin, first);
  }
}

// Minima of entries side by side run in vector registers; those along a row go in four lanes.
void PairSums::see_row(std::size_t bin, std::size_t first) {
  const std::size_t width = held_.size() - first;
  const double* const g = g_.data();
  const double* const held = held_.data() + first;
  const double own = held_[bin];
  double* const right_low = right_.low.data() + first;
  double* const right_high = right_.high.data() + first;
  double* const left_low = left_.low.data() + first;
  double* const left_high = left_.high.data() + first;
  for (std::size_t j = 0; j < width; ++j) {
    right_low[j] = g[j] < right_low[j] ? g[j] : right_low[j];
    right_high[j] = g[j] > right_high[j] ? g[j] : right_high[j];
  }
  for (std::size_t j = 0; j < width; ++j) {
    const double away = own - g[j];
    left_low[j] = away < left_low[j] ? away : left_low[j];
    left_high[j] = away > left_high[j] ? away : left_high[j];
  }
  constexpr std::size_t kLanes = 4;
  // Starts at 0, the sum of the stump that holds nowhere, which is always one of those compared.
  double lanes[4][kLanes] = {};
  std::size_t j = 0;
  for (; j + kLanes <= width; j += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      const double in = g[j + l], away = held[j + l] - g[j + l];
      lanes[0][l] = in < lanes[0][l] ? in : lanes[0][l];
      lanes[1][l] = in > lanes[1][l] ? in : lanes[1][l];
      lanes[2][l] = away < lanes[2][l] ? away : lanes[2][l];
      lanes[3][l] = away > lanes[3][l] ? away : lanes[3][l];
    }
  }
  for (; j < width; ++j) {
    right_.see(bin, g[j]);
    left_.see(bin, held[j] - g[j]);
  }
  for (std::size_t l = 0; l < kLanes; ++l) {
    for (const int way : {0, 1}) {
      right_.see(bin, lanes[way][l]);
      left_.see(bin, lanes[2 + way][l]);
    }
  }
}

}  // namespace hannan::detail
