// A problem of any kind behind virtual calls, spoken to in JSON or, where speed matters, in rows of numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/extreme_outcomes.hpp"
#include "hannan/core/market_draws.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"
#include "hannan/runtime/any_learner.hpp"

namespace hannan {

struct CheckRequest;  // check.hpp

struct ConditionsQuery {
  std::string perturbation;
  const Json& outcomes;           // a list
  int sign = 0;                   // of s: 0 free, 1 non-negative, -1 non-positive
  const Json* actions = nullptr;  // a list: only these, by cutting planes; null: all of them
};

class AnyProblem {
 public:
  virtual ~AnyProblem() = default;
  virtual std::string_view kind() const = 0;
  virtual Json params() const = 0;
  virtual Json describe() const = 0;
  virtual Json actions(std::uint64_t limit) const = 0;
  virtual Json loss(const Json& action, const Json& outcome) const = 0;
  // The loss of every action in order, action by action: for checkers. Needs a list of actions() that is complete.
  virtual std::vector<double> losses(const Json& outcome, std::string_view path) const = 0;
  virtual Json row(const std::string& perturbation, const Json& action) const = 0;
  virtual Json column(const std::string& perturbation, std::uint64_t column, int sign, Weights weights) const = 0;
  // The same for the pipe: where nothing is known by construction, a set is searched for among the outcomes given, or
  // all of them where they can be listed.
  struct ColumnQuery {
    std::string perturbation;
    std::uint64_t column = 0;
    int sign = 1;
    Weights weights = Weights::kAnySign;
    const Json* outcomes = nullptr;  // a list, or null
  };
  virtual Json searched_column(const ColumnQuery& query) const = 0;
  struct BestRequest {
    const Json& data;
    std::string oracle;  // empty: the default
    std::uint64_t keep = 1;
  };
  virtual Json best(const BestRequest& request) const = 0;
  virtual Json conditions(const ConditionsQuery& query) const = 0;
  virtual Json check(const CheckRequest& request) const = 0;  // what `hannan check` prints
  // Every outcome there is, as a list; null where they cannot be listed.
  virtual Json outcomes() const = 0;
  // Outcomes on which its rules break; none where the problem knows no such.
  virtual void extreme_outcomes(ExtremeOutcomes<Json>& into) const = 0;
  // One round of a simulated market. kUnavailable where no market makes outcomes of this problem.
  virtual Json simulated(const MarketDraws& draws) const = 0;
  virtual bool simulates() const = 0;  // otherwise simulated throws
  virtual Json noise_size(const std::string& perturbation, const std::string& noise) const = 0;
  virtual std::size_t row_width() const = 0;  // numbers in a row that is an outcome; 0: it is none
  virtual Interval row_range() const = 0;     // what each of them may be
  virtual Json outcome_of_row(std::span<const double> row) const = 0;
  virtual void check_outcome(const Json& outcome, std::string_view path) const = 0;  // throws what is wrong with it
  virtual std::unique_ptr<AnyLearner> learner(const std::string& kind, const Json& params) const = 0;
  virtual std::unique_ptr<AnyLearner> load(const Json& state) const = 0;
};

}  // namespace hannan
