// What all listed classes share: codes are places in a walk, and any rule can be looked up by what it
// says on the points.
#pragma once

#include <cassert>
#include <cmath>
#include <optional>
#include <utility>

#include "hannan/problems/classification/hypotheses.hpp"

namespace hannan::detail {

class ListedHypotheses : public Hypotheses {
 public:
  std::size_t points() const override { return walk_.points(); }
  const HypothesisWalk* walk() const override { return &walk_; }
  double ln_size() const override { return std::log(static_cast<double>(walk_.size())); }
  bool allows(std::uint64_t code) const override { return code < walk_.size(); }
  std::vector<std::uint64_t> first(std::uint64_t limit) const override {
    std::vector<std::uint64_t> codes;
    for (std::uint64_t k = 0; k < walk_.size() && k < limit; ++k) codes.push_back(k);
    return codes;
  }
  Answer<std::uint64_t> search(const Errors&, std::size_t) const override {
    assert(false && "listed classes are searched along their walk");
    return {};
  }

 protected:
  explicit ListedHypotheses(HypothesisWalk walk) : walk_(std::move(walk)) { walk_.finish(); }

  template <class Says>
  std::optional<std::uint64_t> look_up(Says&& says) const {
    SetPrint print;
    for (std::size_t i = 0; i < points(); ++i) {
      if (says(i)) print.flip(i);
    }
    return walk_.find(print);
  }

 private:
  HypothesisWalk walk_;
};

}  // namespace hannan::detail
