// The one run-time face of the house: problems and learners behind virtual calls, spoken to in JSON
// or, where speed matters, in rows of numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/certify/certificate.hpp"
#include "hannan/core/learner.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/imported.hpp"
#include "hannan/io/json.hpp"

namespace hannan {

struct ActView {
  std::uint64_t round = 1;
  std::optional<double> eta;
  std::optional<double> multiplier;
  std::string_view regime;
  std::span<const double> weights;  // of a mixture; valid until the next observe
};

struct ObserveView {
  double loss = 0;
  double total = 0;
  std::optional<double> best;
  std::optional<double> regret;
  std::uint64_t oracle_calls = 0;
  bool switched = false;
  bool has_after = false;
  Stability stability;
  std::optional<Estimates> estimates;
};

class LearnerFace {
 public:
  virtual ~LearnerFace() = default;
  virtual const std::string& kind() const = 0;
  virtual const Json& params() const = 0;   // every default filled in
  virtual bool adapts_multiplier() const = 0;  // act says multiplier, not eta
  virtual bool switches() const = 0;

  // Before the first round: both will be told the same outcomes, each after both have acted. Saves time where it can.
  virtual void share([[maybe_unused]] const LearnerFace& other) {}
  virtual std::uint64_t rounds() const = 0;  // played so far
  virtual ActView act() = 0;
  virtual Json action() = 0;                         // of act
  virtual std::size_t row_width() const = 0;         // numbers in a row that is an outcome
  virtual ObserveView observe(const Json& outcome, std::string_view path) = 0;
  virtual ObserveView observe_row(std::span<const double> row) = 0;
  virtual Json after() = 0;                          // x' of the last round, where has_after
  virtual Json last_outcome() = 0;

  virtual RunFacts facts() = 0;                      // for the certificate; looks for L* if need be
  virtual std::optional<double> bound() = 0;         // the sharpest upper bound that applies now, if any
  virtual Json report() = 0;
  virtual Json save() = 0;
};

struct CheckRequest;  // check.hpp

struct ConditionsQuery {
  std::string perturbation;
  const Json& outcomes;  // a list
  int sign = 0;          // of s: 0 free, 1 non-negative, -1 non-positive
  const Json* actions = nullptr;  // a list: only these, by cutting planes; null: all of them
};

class ProblemFace {
 public:
  virtual ~ProblemFace() = default;
  virtual std::string_view kind() const = 0;
  virtual Json params() const = 0;
  virtual Json describe() const = 0;
  virtual Json actions(std::uint64_t limit) const = 0;
  virtual Json loss(const Json& action, const Json& outcome) const = 0;
  // The loss of every action in order, action by action: for checkers. Needs a list of actions() that is complete.
  virtual std::vector<double> losses(const Json& outcome, std::string_view path) const = 0;
  virtual Json row(const std::string& perturbation, const Json& action) const = 0;
  virtual Json column(const std::string& perturbation, std::uint64_t column, int sign, Weights weights) const = 0;
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
  virtual Json noise_size(const std::string& perturbation, const std::string& noise) const = 0;
  virtual std::size_t row_width() const = 0;  // numbers in a row that is an outcome; 0: it is none
  virtual Interval row_range() const = 0;      // what each of them may be
  virtual Json outcome_of_row(std::span<const double> row) const = 0;
  virtual void check_outcome(const Json& outcome, std::string_view path) const = 0;  // throws what is wrong with it
  virtual std::unique_ptr<LearnerFace> learner(const std::string& kind, const Json& params) const = 0;
  virtual std::unique_ptr<LearnerFace> load(const Json& state) const = 0;
};

struct ProblemKind {
  std::string_view name;
  std::string_view about;
  std::string_view columns_param;  // the parameter that a table's number of columns gives; empty: none
  std::unique_ptr<ProblemFace> (*make)(const Json& params, std::string_view path);
  std::string_view file_about;  // what file the problem can be read from; empty: none
  // Fills in what the file says; null where there is no such file.
  Imported (*import)(Json params, const std::string& file);
};

// Every line of problems/all.hpp, in its order.
std::span<const ProblemKind> problem_kinds();
// Throws kUnknownName with the list of kinds.
std::unique_ptr<ProblemFace> make_problem(const std::string& kind, const Json& params, std::string_view path);
// The problem's parameters, and maybe its outcomes, from a file of its own kind.
Imported import_problem(const std::string& kind, Json params, const std::string& file);
// A learner from what LearnerFace::save gave; it goes on exactly as the saved one would have.
std::unique_ptr<LearnerFace> load_learner(const Json& state);

}  // namespace hannan
