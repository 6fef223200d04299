// `@name@`: guess a number from 0 to n before it is shown. Put your own game in its place.
//
// Loss: |guess - number| / n, in [0,1]. Oracle: a table of all n + 1 actions. Perturbations: bits (gamma = N), one-hot (gamma = 1)
// and thermometer (gamma = 2, or 1 for two actions); the actions are listed, so these need nothing of the game.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/perturbations/coded_columns.hpp"

namespace hannan::detail {

class @Type@ {
 public:
  using Action = std::uint64_t;
  using Outcome = std::uint64_t;
  static constexpr std::uint64_t kMost = 1'000'000;

  // Throws kOutOfRange unless 1 <= greatest <= kMost.
  explicit @Type@(std::uint64_t greatest);

  double loss(Action x, Outcome y) const { return static_cast<double>(x > y ? x - y : y - x) / static_cast<double>(greatest_); }
  double ln_size() const { return std::log(static_cast<double>(size())); }
  std::uint64_t size() const { return greatest_ + 1; }
  Action action(std::uint64_t k) const { return k; }
  std::uint64_t greatest() const { return greatest_; }

  // One coordinate that takes every value: what the codes of the perturbations are made of.
  std::size_t coordinates() const { return 1; }
  std::size_t domain(std::size_t) const { return size(); }
  std::size_t position(Action x, std::size_t) const { return x; }

  // In units of the problem: the loss itself.
  Form form() const { return Form::kLoss; }
  double normaliser() const { return 1; }
  double raw(Action x, Outcome y) const { return loss(x, y); }

  static std::vector<std::shared_ptr<const Perturbation<@Type@>>> perturbations(std::shared_ptr<const @Type@> p);
  static std::vector<std::shared_ptr<const AnyOracle<@Type@>>> oracles(std::shared_ptr<const @Type@> p);

 private:
  std::uint64_t greatest_;
};

}  // namespace hannan::detail
