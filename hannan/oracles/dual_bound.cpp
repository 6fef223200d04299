// Messages between tables and coordinates (dual_bound.hpp has the update and why the bound never falls). Layout:
// messages of group g follow those of g - 1, one number per member and position; tables likewise, the last member
// fastest. Numbers of coordinate c are at starts_[c]..starts_[c + 1] of totals_ and levels_, those of a group's members
// one behind the other in rest_ and mins_, as in its messages. Invariant: totals_ of c = own(c) + all messages to c,
// least_[c] its minimum. A sweep costs one pass over all tables and allocates nothing.
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
  least_.resize(box.size());
  starts_.assign(1, 0);
  totals_.clear();
  for (std::size_t c = 0; c < box.size(); ++c) {
    const auto own = model_.own(c);
    for (const int position : box[c]) totals_.push_back(own[static_cast<std::size_t>(position)]);
    starts_.push_back(totals_.size());
  }
  levels_.assign(totals_.size(), kNothingProven);
  places_.clear();
  Place place{};
  std::size_t most = 0;
  for (const auto& group : groups_) {
    std::size_t entries = 1;
    place.size = 0;
    for (const std::size_t c : group) {
      const std::size_t size = size_of(c);
      const double* const message = messages.data() + place.message + place.size;
      double* const total = totals_.data() + starts_[c];
      for (std::size_t d = 0; d < size; ++d) total[d] += message[d];
      entries *= size;
      place.size += size;
    }
    places_.push_back(place);
    place.table += entries;
    place.message += place.size;
    most = std::max(most, place.size);
  }
  rest_.resize(most);
  mins_.resize(most);
  row_mins_.resize(most);
  for (std::size_t c = 0; c < box.size(); ++c)
    least_[c] = *std::min_element(totals_.data() + starts_[c], totals_.data() + starts_[c + 1]);
}

// When every group has been updated, all table entries less their messages are at least 0, so that the constant and the
// sum of least_ bound every assignment from below.
double DualBound::sweep() {
  ++sweeps_;
  for (std::size_t g = 0; g < groups_.size(); ++g) update(g);
  double bound = model_.constant();
  for (const double least : least_) bound += least;
  return bound;
}

template <class Visit>
void DualBound::for_members(std::size_t g, Visit&& visit) {
  std::size_t before = 0;
  for (const std::size_t c : groups_[g]) {
    visit(c, size_of(c), before);
    before += size_of(c);
  }
}

// The bound by all groups of a coordinate at once; it needs that two coordinates meet in one group at most (linear_).
double DualBound::raise_levels() {
  if (!linear_) return kNothingProven;
  stars_ = totals_;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    measure(g);
    for_members(g, [&](std::size_t c, std::size_t size, std::size_t before) {
      const double *total = totals_.data() + starts_[c], *mins = mins_.data() + before;
      double* const star = stars_.data() + starts_[c];
      for (std::size_t d = 0; d < size; ++d) star[d] += mins[d] - total[d];
    });
  }
  double bound = kNothingProven;
  for (std::size_t c = 0; c < apart_.size(); ++c) {
    double others = model_.constant(), least = std::numeric_limits<double>::infinity();
    for (const std::size_t e : apart_[c]) others += least_[e];
    for (std::size_t d = starts_[c]; d < starts_[c + 1]; ++d) {
      levels_[d] = std::max(levels_[d], others + stars_[d]);
      least = std::min(least, levels_[d]);
    }
    bound = std::max(bound, least);
  }
  return bound;
}

// Into rest_, member by member: its totals less this group's message to it. Into mins_: the least over the table of
// entry plus the rests of all members, with that member at that position. Changes neither totals nor messages.
void DualBound::measure(std::size_t g) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const auto& group = groups_[g];
  const std::size_t k = group.size();
  const double* const messages = messages_.data() + places_[g].message;
  for_members(g, [&](std::size_t c, std::size_t size, std::size_t before) {
    const double *total = totals_.data() + starts_[c], *message = messages + before;
    double* const rest = rest_.data() + before;
    for (std::size_t d = 0; d < size; ++d) rest[d] = total[d] - message[d];
  });
  std::fill_n(mins_.begin(), places_[g].size, kInfinite);
  // The last member runs along a row, the one before it over the rows of a block, the others over the blocks. In rest_
  // and mins_ the row stands at the end, the rows before it.
  static constexpr double kNone[] = {0.0};
  const std::size_t width = size_of(group[k - 1]), rows = k > 1 ? size_of(group[k - 2]) : 1;
  const std::size_t inner = places_[g].size - width, outer = k > 1 ? inner - rows : 0, blocks = k > 2 ? k - 2 : 0;
  const double* table = tables_.data() + places_[g].table;
  // Blocks are the combinations of the members before the last two; block_ counts them and `table` moves on by rows *
  // width each, so all entries of the group are read exactly once.
  block_.assign(blocks, 0);
  while (true) {
    double shift = 0;
    for (std::size_t j = 0, before = 0; j < blocks; before += size_of(group[j++])) shift += rest_[before + block_[j]];
    table_mins({.table = table,
                .rows = rows,
                .width = width,
                .shift = shift,
                .outer = k > 1 ? rest_.data() + outer : kNone,
                .inner = rest_.data() + inner,
                .row_mins = row_mins_.data(),
                .column_mins = mins_.data() + inner});
    table += rows * width;
    double least = kInfinite;
    for (std::size_t r = 0; r < rows; ++r) {
      least = std::min(least, row_mins_[r]);
      if (k > 1) mins_[outer + r] = std::min(mins_[outer + r], row_mins_[r]);
    }
    for (std::size_t j = 0, before = 0; j < blocks; before += size_of(group[j++]))
      mins_[before + block_[j]] = std::min(mins_[before + block_[j]], least);
    std::size_t j = blocks;
    while (j > 0 && ++block_[j - 1] == size_of(group[j - 1])) block_[--j] = 0;
    if (j == 0) break;
  }
}

// levels_ of the group's members: a bound with coordinate c at d. The members are in rising order, so that the sum over
// the others runs from one member to the next.
void DualBound::raise_by(std::size_t g) {
  double others = model_.constant();
  std::size_t next = 0;
  for (const std::size_t member : groups_[g]) {
    for (; next < member; ++next) others += least_[next];
    ++next;
  }
  for (; next < least_.size(); ++next) others += least_[next];
  for_members(g, [&](std::size_t c, std::size_t size, std::size_t before) {
    const double* const mins = mins_.data() + before;
    double* const levels = levels_.data() + starts_[c];
    for (std::size_t d = 0; d < size; ++d) levels[d] = std::max(levels[d], others + mins[d]);
  });
}

// mins_ of member j at d = least over the table of entry + what the members have apart from this group, with member j
// at d. Each member gets the k-th part of it, so that the parts together are no more than the entry anywhere.
void DualBound::update(std::size_t g) {
  measure(g);
  if (sweeps_ > 1 && !linear_) raise_by(g);
  double* const messages = messages_.data() + places_[g].message;
  const double share = 1.0 / static_cast<double>(groups_[g].size());
  for_members(g, [&](std::size_t c, std::size_t size, std::size_t before) {
    const double *mins = mins_.data() + before, *rest = rest_.data() + before;
    double *const total = totals_.data() + starts_[c], *const message = messages + before;
    for (std::size_t d = 0; d < size; ++d) {
      total[d] = mins[d] * share;
      message[d] = total[d] - rest[d];
    }
    least_[c] = *std::min_element(total, total + size);
  });
}

// Each coordinate at its own least total: a starting point for descents, optimal where the bound is tight.
std::vector<int> DualBound::likeliest() const {
  std::vector<int> full;
  for (std::size_t c = 0; c < least_.size(); ++c) {
    const double* const total = totals_.data() + starts_[c];
    full.push_back((*box_)[c][static_cast<std::size_t>(std::min_element(total, total + size_of(c)) - total)]);
  }
  return full;
}

}  // namespace hannan::detail
