// The part of a game that has been met: actions with their rows of losses, responses of the opponent, their products.
//
// Rows are F(x, g) less one number for all (`origin`), so that losses far from 0 keep their digits; what is handed out
// has it added back. Products <response, row> / unit are kept: they are the entries of the linear programmes.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "hannan/solve/capped_simplex.hpp"
#include "hannan/solve/matrix_programme.hpp"
#include "hannan/solve/scenarios.hpp"
#include "hannan/solve/solver.hpp"

namespace hannan::detail {

// An oracle call at a mixture of scenarios.
struct Reply {
  std::size_t action = 0;  // its place among those met
  bool is_new = false;
  double lower = 0;  // no action has a smaller <weights, F(x, .)>
  bool proven = true;
};

class ActiveGame {
 public:
  ActiveGame(const Scenarios& scenarios, const GameOracle& oracle, const SolveOptions& options);

  // Requires weights >= 0 that sum to 1. One oracle call.
  Reply ask(std::span<const double> weights);
  // The place of an action, met before or not.
  std::size_t met(const AnyAction& x);
  std::size_t add_response(SparseMixture response);
  bool has_response(const SparseMixture& response) const;
  // A further action, or response, would exceed a limit.
  bool full() const;

  std::size_t actions() const { return actions_.size(); }
  std::size_t responses() const { return responses_.size(); }
  const AnyAction& action(std::size_t x) const { return actions_[x]; }
  const SparseMixture& response(std::size_t k) const { return responses_[k]; }
  std::span<const double> row(std::size_t x) const { return rows_[x]; }
  const ProductTable& products() const { return products_; }
  std::vector<double> products_of(std::size_t response) const;
  const std::vector<double>& averages() const { return averages_; }  // <shares, row> of every action

  // sum of p_x row(x), without the origin.
  std::vector<double> mixed(std::span<const double> p) const;
  double average(std::span<const double> losses) const;  // <shares, losses>

  double unit() const { return unit_; }
  double origin() const { return origin_; }
  // What rounding does to losses: 1e-9 of the unit, or a few digits where losses are far larger than it.
  double rounding(double value) const;
  std::span<const double> base_low() const { return base_low_; }
  std::span<const double> base_high() const { return base_high_; }
  double base_gap() const { return base_gap_; }  // the largest high - low
  std::uint64_t calls() const { return calls_; }
  std::uint64_t nodes() const { return nodes_; }

 private:
  GameAnswer asked(std::span<const double> weights);
  void find_bases();

  const Scenarios& scenarios_;
  const GameOracle& oracle_;
  double unit_, call_unit_, origin_ = 0, base_gap_ = 0;
  std::vector<double> base_low_, base_high_;
  std::unique_ptr<GameHistory> history_, nothing_;
  std::map<AnyAction, std::size_t> places_;
  std::vector<AnyAction> actions_;
  std::vector<std::vector<double>> rows_;
  std::vector<double> averages_;
  std::vector<SparseMixture> responses_;
  ProductTable products_;
  std::uint64_t calls_ = 0, nodes_ = 0;
};

}  // namespace hannan::detail
