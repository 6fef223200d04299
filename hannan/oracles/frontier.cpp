// Boxes as runs of 16-bit positions. Box k is runs_[starts_[k] .. starts_[k + 1]): for every coordinate the number r of
// its runs, then r pairs (first, last). Runs rise and do not touch, so a list has one form. Positions are below
// kMostPositions = 2^16, which the limits of the problems keep.
#include "hannan/oracles/frontier.hpp"

#include <algorithm>

namespace hannan::detail {

// A list of positions as runs of neighbours: most lists are a few runs, so a box takes tens of bytes.
void Frontier::add(const BoxLists& box, double bound) {
  for (const auto& list : box) {
    const std::size_t count = runs_.size();
    runs_.push_back(0);
    for (std::size_t d = 0; d < list.size();) {
      std::size_t last = d;
      while (last + 1 < list.size() && list[last + 1] == list[last] + 1) ++last;
      runs_.push_back(static_cast<std::uint16_t>(list[d]));
      runs_.push_back(static_cast<std::uint16_t>(list[last]));
      ++runs_[count];
      d = last + 1;
    }
  }
  starts_.push_back(runs_.size());
  bounds_.push_back(bound);
}

void Frontier::add(std::span<const std::uint16_t> runs, double bound) {
  runs_.insert(runs_.end(), runs.begin(), runs.end());
  starts_.push_back(runs_.size());
  bounds_.push_back(bound);
}

// The evidence changes by factor * tables: bounds move by the least that can be, points by exactly what it is.
void Frontier::add_tables(std::span<const std::vector<double>> tables, double factor) {
  // Bounds by the least entry of each table over the box's positions: the least of a sum is at least the sum of the
  // leasts.
  for (std::size_t box = 0; box < size(); ++box) {
    const std::uint16_t* next = runs_.data() + starts_[box];
    for (const auto& table : tables) {
      double least = kInfinity;
      for (std::size_t count = *next++; count > 0; --count, next += 2) {
        for (std::size_t d = next[0]; d <= next[1]; ++d) least = std::min(least, factor * table[d]);
      }
      bounds_[box] += least;
    }
  }
  for (Found& point : points) {
    for (std::size_t c = 0; c < tables.size(); ++c)
      point.value += factor * tables[c][static_cast<std::size_t>(point.positions[c])];
  }
}

// The inverse of add().
BoxLists Frontier::lists(std::span<const std::uint16_t> runs) {
  BoxLists box;
  for (std::size_t k = 0; k < runs.size();) {
    box.emplace_back();
    std::size_t count = runs[k++];
    for (; count > 0; --count, k += 2) {
      for (int position = runs[k]; position <= runs[k + 1]; ++position) box.back().push_back(position);
    }
  }
  return box;
}

// The first position of the first run of each coordinate: runs[k] is the count of its runs, runs[k + 1] that position,
// and 1 + 2 count numbers on stands the next coordinate.
std::vector<int> Frontier::smallest(std::span<const std::uint16_t> runs) {
  std::vector<int> corner;
  for (std::size_t k = 0; k < runs.size(); k += 1 + 2 * std::size_t{runs[k]}) corner.push_back(runs[k + 1]);
  return corner;
}

// Whether runs read from a state are a box of a problem with these domains.
bool Frontier::fits(std::span<const std::uint16_t> runs, std::span<const std::size_t> domains) const {
  std::size_t k = 0;
  for (const std::size_t domain : domains) {
    if (k >= runs.size()) return false;
    const std::size_t count = runs[k++];
    // Read from a file: every length is tested before it is used, and runs must rise by more than one.
    if (count == 0 || 2 * count > runs.size() - k) return false;
    std::size_t next = 0;  // the least that the next run may begin with
    for (std::size_t r = 0; r < count; ++r, k += 2) {
      if (runs[k] < next || runs[k + 1] < runs[k] || runs[k + 1] >= domain) return false;
      next = std::size_t{runs[k + 1]} + 2;
    }
  }
  return k == runs.size();
}

// Reading refuses what fits() does not accept: later code indexes tables by these positions without tests.
void Frontier::archive(Archive& a, std::span<const std::size_t> domains) {
  const std::uint64_t boxes = a.open_list("boxes", size());
  Frontier read;
  for (std::uint64_t k = 0; k < boxes; ++k) {
    a.item();
    double bound = a.reading() ? 0.0 : bounds_[k];
    std::vector<std::uint16_t> held;
    if (!a.reading()) held.assign(runs(k).begin(), runs(k).end());
    a.field("bound", bound);
    a.wholes("runs", held, {0, kMostPositions - 1});
    if (!a.reading()) continue;
    if (!fits(held, domains)) a.refuse("runs", "found what is no box of this problem");
    read.add(held, bound);
  }
  a.close_list();
  if (a.reading()) {
    runs_ = std::move(read.runs_);
    starts_ = std::move(read.starts_);
    bounds_ = std::move(read.bounds_);
  }
  points.resize(a.open_list("points", points.size()));
  if (a.reading() && points.empty() && size() > 0) a.refuse("", "found boxes without any point");
  for (Found& point : points) {
    a.item();
    a.field("value", point.value);
    a.wholes("positions", point.positions, {0, kMostPositions - 1}, {domains.size(), domains.size()});
    for (std::size_t c = 0; c < domains.size(); ++c) {
      if (static_cast<std::size_t>(point.positions[c]) >= domains[c]) a.refuse("positions", "found no such position");
    }
  }
  a.close_list();
}

}  // namespace hannan::detail
