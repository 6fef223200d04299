// The scenarios of a solution as the verifier reads them: its own sums, its own sort, its own searches.
//
// Scenarios are the problem's outcomes, a list in the file, groups of rows of data, or a budget of disruptions; what
// they are is stated in docs/solve.md. Cost of losses(): one loss per distinct outcome.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hannan/game/game.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// The rows of a data file in order, each with the labels of its group; false at the end.
using SolutionRows = std::function<bool(AnyOutcome&, std::vector<std::string>& labels)>;

class SolutionScenarios {
 public:
  // `from` is the field "scenarios". Rows are asked for where it names some. Throws kRejected where they are others.
  SolutionScenarios(std::shared_ptr<const Game> game, const Json& from, const SolutionRows& rows);

  const Game& game() const { return *game_; }
  std::size_t size() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<double>& shares() const { return shares_; }
  std::optional<std::size_t> place(const std::string& name) const;
  double unit() const;  // of losses

  std::vector<double> losses(const AnyAction& x) const;
  // Those of the rows that were held; only where has_held().
  std::vector<double> held_losses(const AnyAction& x) const { return sums(x, held_); }
  bool has_held() const { return !held_.empty(); }
  const std::vector<double>& held_shares() const { return held_shares_; }
  const std::vector<std::uint64_t>& held_rows() const { return held_rows_; }
  std::vector<std::pair<AnyOutcome, double>> held_group(std::size_t g) const;  // its distinct outcomes with weights

  // The data set of weights on scenarios: distinct outcomes with their weights.
  std::vector<std::pair<AnyOutcome, double>> mixed(const std::vector<double>& weights) const;

  // Groups of rows: how many rows decide in each; empty where scenarios are none.
  const std::vector<std::uint64_t>& rows() const { return rows_; }
  // Each distinct outcome of a group with its part of the rows.
  std::vector<std::pair<const AnyOutcome*, double>> group(std::size_t g) const;

 private:
  using Data = std::vector<std::pair<std::size_t, double>>;  // place of an outcome, weight

  void read_list(const Json& from);
  void read_rows(const Json& from, const SolutionRows& rows);
  void read_budget(const Json& from);
  std::size_t keep(const AnyOutcome& y, const std::string& text);
  void add(const std::string& name, Data data);
  std::vector<double> sums(const AnyAction& x, const std::vector<Data>& data) const;
  AnyOutcome row_of(std::size_t only) const;  // the rise of one cost alone

  std::shared_ptr<const Game> game_;
  std::vector<AnyOutcome> outcomes_;
  std::unordered_map<std::string, std::size_t> by_text_, by_name_;
  std::vector<std::string> names_;
  std::vector<Data> data_, held_;
  std::vector<double> shares_, held_shares_;
  std::vector<std::uint64_t> rows_, held_rows_;
  // Of a budget: scenario g is the base, kept as the only outcome, and `budget_` times the rise of cost g.
  double budget_ = 0;
  std::vector<double> rise_;
};

}  // namespace hannan::detail
