// Where scenarios come from: the outcomes of the problem, a list in JSON, rows of data by group, or a budget of
// disruptions of a row of costs. What is wrong with them is refused here, with its place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/digest.hpp"
#include "hannan/solve/scenarios.hpp"

namespace hannan::detail {

struct ScenarioSet {
  std::unique_ptr<Scenarios> scenarios;
  Json from;  // what the solution says of them
  // Of groups of rows alone: how many rows decide in each, and the rows that do not, where some are held.
  std::vector<std::uint64_t> rows;
  std::vector<std::uint64_t> held_rows;
  std::unique_ptr<ListedScenarios> held;
  const ListedScenarios& groups() const { return static_cast<const ListedScenarios&>(*scenarios); }
  bool grouped() const { return !rows.empty(); }
};

// Every outcome is a scenario, called by its JSON. Throws kMissingField where the problem cannot list them.
ScenarioSet scenarios_of_outcomes(const std::shared_ptr<const Game>& game);

// {"name", "data": [{"weight", "outcome"}, ...]} one after the other.
class ScenarioList {
 public:
  explicit ScenarioList(const std::shared_ptr<const Game>& game);
  // Throws kOutOfRange for a weight below 0, weights beyond kMostScenarioWeight and a name that is there already,
  // kEmpty for no data, kTooLarge, and what is wrong with an outcome.
  void add(const Json& scenario, const std::string& path);
  // Throws kEmpty where there is none.
  ScenarioSet finish(const std::string& path);

 private:
  std::unique_ptr<ListedScenarios> made_;
  std::set<std::string> names_;
};
ScenarioSet scenarios_of_list(const std::shared_ptr<const Game>& game, const Json& list, const std::string& path);

struct BudgetRequest {
  std::int64_t budget = 1;
  std::optional<std::vector<double>> base, rise;  // 0, and 1 - base, where they are not given
};
// Throws kOutOfRange for a budget outside 1..width, kColumnCount and kLossRange for rows that are none. The caller has
// made sure that losses are linear in rows of costs.
ScenarioSet scenarios_of_budget(const std::shared_ptr<const Game>& game, BudgetRequest request);

// Rows of data: each a scenario, or those of equal labels one, their mean.
class RowScenarios {
 public:
  struct Options {
    std::vector<std::string> group;  // the columns of the labels; none: every row by itself
    std::uint64_t skipped = 0;       // rows before the first that is added, for who reads them again
    double hold = 0;                 // the last part of each group's rows that does not decide
    enum class Data { kDigest, kInside } data = Data::kDigest;  // what the solution has of the rows
  };
  RowScenarios(std::shared_ptr<const Game> game, Options options);
  // Throws kTooLarge.
  void add(const AnyOutcome& y, std::span<const std::string> labels);
  // Throws kEmpty without rows, kUnavailable for a group of one row where some are to be held.
  ScenarioSet finish(const std::string& path);

 private:
  struct Group {
    std::string name;
    std::vector<std::size_t> places;  // of its rows, in order
  };
  void name_group(std::span<const std::string> labels);

  std::shared_ptr<const Game> game_;
  Options options_;
  std::unique_ptr<ListedScenarios> made_;
  std::vector<Group> groups_;
  std::unordered_map<std::string, std::size_t> by_label_;
  std::set<std::string> names_;
  Digest digest_;
  std::uint64_t rows_ = 0;
};

}  // namespace hannan::detail
