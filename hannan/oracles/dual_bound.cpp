// Messages between tables and coordinates (dual_bound.hpp has the update and why the bound never falls). Layout:
// messages of group g follow those of g - 1, one number per member and position; tables likewise, the last member
// fastest. Invariant: totals_[c] = own(c) + all messages to c, least_[c] its minimum. A sweep costs one pass over all
// tables.
#include "hannan/oracles/dual_bound.hpp"

#include <algorithm>
#include <limits>

#include "hannan/oracles/argmin.hpp"

namespace hannan::detail {

namespace {
constexpr double kNothingProven = -std::numeric_limits<double>::infinity();
}  // namespace

// apart_[c]: the coordinates that share no group with c. linear_: any two coordinates share at most one group, as pairs
// do.
DualBound::DualBound(const BoxModel& model) : model_(model), groups_(model.groups()) {
  const std::size_t n = model.coordinates();
  // O(groups * k^2 + n^2), once.
  std::vector<std::vector<int>> shared(n, std::vector<int>(n, 0));  // groups of two coordinates
  for (const auto& group : groups_) {
    for (const std::size_t c : group) {
      for (const std::size_t e : group) ++shared[c][e];
    }
  }
  apart_.resize(n);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t e = 0; e < n; ++e) {
      if (e == c) continue;
      if (shared[c][e] == 0) apart_[c].push_back(e);
      if (shared[c][e] > 1) linear_ = false;
    }
  }
}

// Messages are kept from sweep to sweep and handed down from a box to its parts: they stay valid for any of them, as
// they shift cost between tables and coordinates without changing any sum.
void DualBound::start(const BoxLists& box, std::span<const double> tables, std::span<double> messages) {
  box_ = &box;
  tables_ = tables;
  messages_ = messages;
  sweeps_ = 0;
  totals_.resize(box.size());
  levels_.resize(box.size());
  least_.resize(box.size());
  for (std::size_t c = 0; c < box.size(); ++c) {
    const auto own = model_.own(c);
    totals_[c].clear();
    for (const int position : box[c]) totals_[c].push_back(own[static_cast<std::size_t>(position)]);
    levels_[c].assign(box[c].size(), kNothingProven);
  }
  const double* message = messages.data();
  for (const auto& group : groups_) {
    for (const std::size_t c : group) {
      for (double& total : totals_[c]) total += *message++;
    }
  }
  for (std::size_t c = 0; c < box.size(); ++c) least_[c] = *std::min_element(totals_[c].begin(), totals_[c].end());
}

// When every group has been updated, all table entries less their messages are at least 0, so that the constant and the
// sum of least_ bound every assignment from below.
double DualBound::sweep() {
  ++sweeps_;
  for_groups([&](std::size_t g, const double* table, double* messages) { update(g, table, messages); });
  double bound = model_.constant();
  for (const double least : least_) bound += least;
  return bound;
}

// The bound by all groups of a coordinate at once; it needs that two coordinates meet in one group at most (linear_).
double DualBound::raise_levels() {
  if (!linear_) return kNothingProven;
  stars_ = totals_;
  for_groups([&](std::size_t g, const double* table, const double* messages) {
    measure(g, table, messages);
    for (std::size_t j = 0; j < groups_[g].size(); ++j) {
      const auto& total = totals_[groups_[g][j]];
      auto& star = stars_[groups_[g][j]];
      for (std::size_t d = 0; d < star.size(); ++d) star[d] += mins_[j][d] - total[d];
    }
  });
  double bound = kNothingProven;
  for (std::size_t c = 0; c < stars_.size(); ++c) {
    double others = model_.constant(), least = std::numeric_limits<double>::infinity();
    for (const std::size_t e : apart_[c]) others += least_[e];
    for (std::size_t d = 0; d < stars_[c].size(); ++d) {
      levels_[c][d] = std::max(levels_[c][d], others + stars_[c][d]);
      least = std::min(least, levels_[c][d]);
    }
    bound = std::max(bound, least);
  }
  return bound;
}

template <class Visit>
// Tables and messages of the groups one behind another, as they are laid out.
void DualBound::for_groups(Visit&& visit) {
  const double* table = tables_.data();
  double* messages = messages_.data();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    visit(g, table, messages);
    std::size_t entries = 1;
    for (const std::size_t c : groups_[g]) {
      entries *= (*box_)[c].size();
      messages += (*box_)[c].size();
    }
    table += entries;
  }
}

// Into rest_[j]: the totals of member j less this group's message to it. Into mins_[j][d]: the least over the table of
// entry plus the rests of all members, with member j at d. Changes neither totals nor messages.
void DualBound::measure(std::size_t g, const double* table, const double* messages) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const auto& group = groups_[g];
  const std::size_t k = group.size();
  if (rest_.size() < k) {
    rest_.resize(k);
    mins_.resize(k);
  }
  const double* message = messages;
  for (std::size_t j = 0; j < k; ++j) {
    const auto& total = totals_[group[j]];
    rest_[j].resize(total.size());
    mins_[j].assign(total.size(), kInfinite);
    double* const rest = rest_[j].data();
    for (std::size_t d = 0; d < total.size(); ++d) rest[d] = total[d] - message[d];
    message += total.size();
  }
  // The last member runs along a row, the one before it over the rows of a block, the others over the blocks.
  const auto& inner = rest_[k - 1];
  static constexpr double kNone[] = {0.0};
  const double* outer = k > 1 ? rest_[k - 2].data() : kNone;
  const std::size_t rows = k > 1 ? rest_[k - 2].size() : 1, blocks = k > 2 ? k - 2 : 0;
  row_mins_.resize(rows);
  // Blocks are the combinations of the members before the last two; `at` counts them and `table` moves on by rows *
  // width each, so all entries of the group are read exactly once.
  std::vector<std::size_t> at(blocks, 0);
  while (true) {
    double shift = 0;
    for (std::size_t j = 0; j < blocks; ++j) shift += rest_[j][at[j]];
    table_mins({.table = table,
                .rows = rows,
                .width = inner.size(),
                .shift = shift,
                .outer = outer,
                .inner = inner.data(),
                .row_mins = row_mins_.data(),
                .column_mins = mins_[k - 1].data()});
    table += rows * inner.size();
    double least = kInfinite;
    for (std::size_t r = 0; r < rows; ++r) {
      least = std::min(least, row_mins_[r]);
      if (k > 1) mins_[k - 2][r] = std::min(mins_[k - 2][r], row_mins_[r]);
    }
    for (std::size_t j = 0; j < blocks; ++j) mins_[j][at[j]] = std::min(mins_[j][at[j]], least);
    std::size_t j = blocks;
    while (j > 0 && ++at[j - 1] == rest_[j - 1].size()) at[--j] = 0;
    if (j == 0) break;
  }
}

// mins_[j][d] = least over the table of entry + what the members have apart from this group, with member j at d. Each
// member gets the k-th part of it, so that the parts together are no more than the entry anywhere.
void DualBound::update(std::size_t g, const double* table, double* messages) {
  const auto& group = groups_[g];
  const std::size_t k = group.size();
  measure(g, table, messages);
  // levels_[c][d]: a bound with coordinate c at d. group is in rising order, so that one pass tells members from
  // others.
  if (sweeps_ > 1 && !linear_) {
    double others = model_.constant();
    std::size_t next = 0;
    for (std::size_t c = 0; c < least_.size(); ++c) {
      if (next < k && group[next] == c) {
        ++next;
      } else {
        others += least_[c];
      }
    }
    for (std::size_t j = 0; j < k; ++j) {
      auto& levels = levels_[group[j]];
      for (std::size_t d = 0; d < levels.size(); ++d) levels[d] = std::max(levels[d], others + mins_[j][d]);
    }
  }
  double* message = messages;
  const double share = 1.0 / static_cast<double>(k);
  for (std::size_t j = 0; j < k; ++j) {
    auto& total = totals_[group[j]];
    const double *mins = mins_[j].data(), *rest = rest_[j].data();
    for (std::size_t d = 0; d < total.size(); ++d) {
      total[d] = mins[d] * share;
      message[d] = total[d] - rest[d];
    }
    message += total.size();
    least_[group[j]] = *std::min_element(total.begin(), total.end());
  }
}

// Each coordinate at its own least total: a starting point for descents, optimal where the bound is tight.
std::vector<int> DualBound::likeliest() const {
  std::vector<int> full;
  for (std::size_t c = 0; c < totals_.size(); ++c) {
    const auto least = std::min_element(totals_[c].begin(), totals_[c].end()) - totals_[c].begin();
    full.push_back((*box_)[c][static_cast<std::size_t>(least)]);
  }
  return full;
}

}  // namespace hannan::detail
