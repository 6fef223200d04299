// What a search found last time, as hints for the next: part of a history, saved with it.
//
// The perturbed and the plain problem have different optima, so each keeps its own. Hints only change when data is
// added: asking twice gives the same answer twice, even under a work limit. The plain question is asked by many, for
// more or fewer of the best, and again after a save: of its searches since the last outcome the first with the most to
// remember counts, so asking again leaves no trace. A noise is asked for by its learner alone, and the last counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/oracles/incumbents.hpp"

namespace hannan::detail {

class WarmStart {
 public:
  static constexpr std::size_t kMost = 8;  // remembered; more cost more to try than they save

  const std::vector<std::vector<int>>& hints(double scale) const { return of(scale).used; }
  void remember(double scale, const std::vector<Found>& pool) {
    auto& found = of(scale).found;
    if (scale == 0 && std::min(pool.size(), kMost) <= found.size()) return;
    found.clear();
    for (std::size_t i = 0; i < pool.size() && i < kMost; ++i) found.push_back(pool[i].positions);
  }
  // Data was added.
  void advance() {
    for (Memory* memory : {&plain_, &noisy_}) {
      if (memory->found.empty()) continue;
      memory->used = std::move(memory->found);
      memory->found.clear();
    }
  }
  void archive(Archive& a) {
    for (Memory* memory : {&plain_, &noisy_}) {
      list(a, memory == &plain_ ? "plain_used" : "noisy_used", memory->used);
      list(a, memory == &plain_ ? "plain_found" : "noisy_found", memory->found);
    }
  }

 private:
  struct Memory {
    std::vector<std::vector<int>> used, found;  // found: since the last outcome
  };
  Memory& of(double scale) { return scale == 0 ? plain_ : noisy_; }
  const Memory& of(double scale) const { return scale == 0 ? plain_ : noisy_; }

  static void list(Archive& a, const char* name, std::vector<std::vector<int>>& all) {
    const std::uint64_t size = a.open_list(name, all.size());
    if (size > kMost)
      a.refuse("", "found " + std::to_string(size) + " hints, expected at most " + std::to_string(kMost));
    all.resize(size);
    for (auto& positions : all) {
      a.item();
      a.wholes("positions", positions, {0, 1e9});  // a search skips hints that do not fit its domains
    }
    a.close_list();
  }

  Memory plain_, noisy_;
};

}  // namespace hannan::detail
