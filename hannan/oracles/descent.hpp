// Coordinate descent on a product grid: the incumbents an exact search begins with.
//
// A model evaluates full assignments, value(full), and all positions of one coordinate with the others as they are,
// line(full, c, out); +inf is infeasible. A descent sets one coordinate after the other to its best position until
// nothing changes. Every value met is offered to the incumbents.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hannan/core/interruption.hpp"
#include "hannan/oracles/incumbents.hpp"

namespace hannan::detail {

template <class M>
class Descent {
 public:
  Descent(M& model, Incumbents& incumbents, std::vector<std::size_t> domains)
      : model_(model),
        incumbents_(incumbents),
        domains_(std::move(domains)),
        line_(domains_.empty() ? 0 : *std::max_element(domains_.begin(), domains_.end())) {}

  std::uint64_t lines() const { return lines_; }

  // Offers every position of coordinate c and leaves `full` at the best of them, the lowest of equals. False where all
  // are infeasible, or the best is where it was.
  bool take_line(std::vector<int>& full, std::size_t c) {
    interruption_point();
    ++lines_;
    const std::span<double> line(line_.data(), domains_[c]);
    if (full[c] < 0) full[c] = 0;
    const int from = full[c];
    model_.line(full, c, line);
    const double least = *std::min_element(line.begin(), line.end());
    if (least == kInfinity) return false;
    int best = -1;
    for (std::size_t d = 0; d < line.size(); ++d) {
      if (best < 0 && line[d] <= least + rounding_slack(least)) best = static_cast<int>(d);
      // An assignment met before may come with other rounding; it must not count as turned away.
      if (const double cut = incumbents_.cut(); line[d] > cut + rounding_slack(cut)) {
        incumbents_.prove_rest(line[d]);
        continue;
      }
      full[c] = static_cast<int>(d);
      incumbents_.offer(full, line[d]);
    }
    full[c] = best;
    return best != from;
  }

  // Stops when a whole round changes nothing or the end of an earlier descent is reached.
  void descend(std::vector<int> full) {
    // idle counts lines in a row that changed nothing, the last change's own line included: idle = n means a full
    // round.
    constexpr std::size_t kMostRounds = 50;  // far above what was ever needed; a guard against rounding
    std::size_t idle = 0;
    for (std::size_t step = 0; idle < full.size() && step < kMostRounds * full.size(); ++step) {
      idle = take_line(full, step % full.size()) ? 1 : idle + 1;
      if (idle == 1 && std::find(ends_.begin(), ends_.end(), full) != ends_.end()) return;
    }
    ends_.push_back(std::move(full));
  }

  // Hints that fit are offered, the first of them (the last search's choice) is descended from; then the assignment
  // of zeros.
  void from_hints(const std::vector<std::vector<int>>& hints) {
    for (const auto& hint : hints) {
      if (!fits(hint)) continue;
      incumbents_.offer(hint, model_.value(hint));
      if (!std::exchange(hinted_, true)) descend(hint);
    }
    descend(std::vector<int>(domains_.size(), 0));
  }

  // From `likeliest`, then from starts spread over the grid, as long as `proven` says no. Few starts are worth trying
  // beside a hint.
  template <class Proven>
  void from_starts(const std::vector<int>& likeliest, Proven&& proven) {
    const std::size_t n = domains_.size(), starts = hinted_ ? n / 2 : 2 * n;
    if (!proven()) descend(likeliest);
    std::vector<int> full(n);
    // Spread by multiples of the golden ratio, a different stride for every coordinate.
    for (std::size_t j = 1; j < starts && !proven(); ++j) {
      for (std::size_t c = 0; c < n; ++c) {
        const double turn = 0.6180339887498949 * static_cast<double>(j * (2 * c + 1));
        full[c] = static_cast<int>((turn - std::floor(turn)) * static_cast<double>(domains_[c]));
      }
      descend(full);
    }
  }

 private:
  bool fits(const std::vector<int>& hint) const {
    if (hint.size() != domains_.size()) return false;
    for (std::size_t c = 0; c < hint.size(); ++c) {
      if (hint[c] < 0 || static_cast<std::size_t>(hint[c]) >= domains_[c]) return false;
    }
    return true;
  }

  M& model_;
  Incumbents& incumbents_;
  std::vector<std::size_t> domains_;
  std::vector<double> line_;
  std::vector<std::vector<int>> ends_;  // of the descents so far
  std::uint64_t lines_ = 0;
  bool hinted_ = false;
};

}  // namespace hannan::detail
