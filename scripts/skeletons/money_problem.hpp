// `@name@`: choose a stock before the demand is known. Put your own game in its place.
//
// An action is a place in a list of stocks s_0 < s_1 < ..., an outcome the demand d in [0, D]. Every piece too much costs `over`, every
// piece too little `under`:
//   cost = over max(s - d, 0) + under max(d - s, 0),   loss = cost / R,   R = max(over s_last, under (D - s_0)),
// so that losses lie in [0,1] and R times a loss is money. Oracle: a table of all actions. Perturbations: bits, one-hot and
// thermometer, which need nothing of the game.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hannan/core/interval.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/perturbations/coded_columns.hpp"

namespace hannan::detail {

class @Type@ {
 public:
  using Action = std::uint64_t;  // a place in the list
  using Outcome = double;        // the demand
  static constexpr std::size_t kMost = 100'000;

  struct Parts {
    std::vector<double> stocks;   // rising, from 0 up
    double over = 1, under = 1;   // money a piece, more than 0
    double most = 1;              // D
  };
  // Throws kOutOfRange with the name of the part.
  explicit @Type@(Parts parts);

  const Parts& parts() const { return parts_; }
  double loss(Action x, Outcome y) const { return raw(x, y) / normaliser_; }
  double ln_size() const { return std::log(static_cast<double>(size())); }
  std::uint64_t size() const { return parts_.stocks.size(); }
  Action action(std::uint64_t k) const { return k; }

  // One coordinate that takes every value: what the codes of the perturbations are made of.
  std::size_t coordinates() const { return 1; }
  std::size_t domain(std::size_t) const { return size(); }
  std::size_t position(Action x, std::size_t) const { return x; }

  // In money, and as a row of a table.
  Form form() const { return Form::kLoss; }
  double normaliser() const { return normaliser_; }
  double raw(Action x, Outcome y) const {
    const double stock = parts_.stocks[x];
    return parts_.over * std::max(stock - y, 0.0) + parts_.under * std::max(y - stock, 0.0);
  }
  std::size_t row_width() const { return 1; }
  Interval row_range() const { return {0, parts_.most}; }
  void outcome_from_row(std::span<const double> row, Outcome& y) const { y = row[0]; }

  static std::vector<std::shared_ptr<const Perturbation<@Type@>>> perturbations(std::shared_ptr<const @Type@> p);
  static std::vector<std::shared_ptr<const AnyOracle<@Type@>>> oracles(std::shared_ptr<const @Type@> p);

 private:
  Parts parts_;
  double normaliser_;
};

}  // namespace hannan::detail
