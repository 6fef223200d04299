// `custom`: a problem whose rules are code of the user's own in this process, and whose actions cannot be listed.
//
// Actions and outcomes are JSON values, kept as their text; equal texts are equal values. Where outcomes are listed,
// one is its place in that list. ln K is what the rules say: nothing here can check it.
//
// Perturbation: outcomes, one column for each listed outcome with gamma = 1, or data sets of the user's own, of which
// nothing is claimed. Oracle: the user's own, audited (hannan/external/external_oracle.hpp).
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/oracle.hpp"
#include "hannan/core/perturbation.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/perturbations/coded_columns.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail::python {

struct OwnAction {
  std::string text;
  friend auto operator<=>(const OwnAction&, const OwnAction&) = default;
};
struct OwnOutcome {
  std::string text;
};
inline void archive(Archive& a, OwnAction& x) { a.field("action", x.text); }
inline void archive(Archive& a, OwnOutcome& y) { a.field("outcome", y.text); }

// What the user's code answers. Called from any thread; what it throws is an Error.
class OwnRules {
 public:
  virtual ~OwnRules() = default;
  virtual double loss(const OwnAction& x, const OwnOutcome& y) const = 0;  // in [0,1]
  // Throws kBadAction where the value is no action.
  virtual void check(const OwnAction& x, std::string_view path) const = 0;
};

class OwnProblem {
 public:
  using Action = OwnAction;
  using Outcome = OwnOutcome;

  struct Parts {
    std::string name;    // under which it is registered
    std::string oracle;  // "own:NAME"
    std::shared_ptr<const OwnRules> rules;
    double ln_size = 0;
    std::optional<std::uint64_t> outcomes;     // how many are listed; none: any JSON value is one
    std::vector<Dataset<OwnOutcome>> columns;  // of the user's own; empty: one for each listed outcome
  };
  explicit OwnProblem(Parts parts) : parts_(std::move(parts)) {}

  const Parts& parts() const { return parts_; }
  double loss(const OwnAction& x, const OwnOutcome& y) const { return parts_.rules->loss(x, y); }
  double raw(const OwnAction& x, const OwnOutcome& y) const { return loss(x, y); }
  double ln_size() const { return parts_.ln_size; }
  Form form() const { return Form::kLoss; }
  double normaliser() const { return 1; }
  bool allows(const OwnAction& x) const;

  std::optional<double> action_count() const { return std::nullopt; }
  std::vector<OwnAction> first_actions(std::uint64_t) const { return {}; }

  static std::vector<std::shared_ptr<const Perturbation<OwnProblem>>> perturbations(
      const std::shared_ptr<const OwnProblem>& p);
  static std::vector<std::shared_ptr<const AnyOracle<OwnProblem>>> oracles(std::shared_ptr<const OwnProblem> p);

 private:
  Parts parts_;
};

// Kept under its name until forgotten; replaces one of the same name. The kind `custom` finds it there.
void register_own_problem(const std::shared_ptr<const OwnProblem>& problem);
void forget_own_problem(const std::string& name);

// A state or record names the problem and the oracle as they were registered where it was made. The same state with
// the names that they have here; throws kBadState where its digest is not its own. An empty name is left as it is.
struct OwnNames {
  std::string problem;
  std::string oracle;  // "own:NAME"
};
Json renamed_state(const Json& state, const OwnNames& names);

// A problem whose actions are listed is one of a built-in kind, in which actions and maybe outcomes are places in lists
// that no state holds. Its states say so by this field, the name of the class of its rules, and no other program takes
// them; unmarked_state() throws kBadState where the digest is not its own.
inline constexpr std::string_view kOwnRules = "own_rules";
Json marked_state(const Json& state, const std::string& rules);
Json unmarked_state(const Json& state);
// The state with the names of the columns that its outcomes had, in the order of its numbers.
Json state_with_columns(const Json& state, const std::vector<std::string>& names);

// The row of the registry.
ProblemKind kind_custom();

}  // namespace hannan::detail::python

namespace hannan::detail {

template <>
struct Codec<python::OwnProblem> {
  using P = python::OwnProblem;
  static constexpr std::string_view kKind = "custom";
  static constexpr std::string_view kAbout = "rules in Python, whose actions cannot be listed";
  static constexpr ActionLabels kActionLabels{
      .shape = ActionLabels::Shape::kNotDrawn, .title = {}, .one = {}, .unit = {}};

  // The registered problem of this name, which must have these parameters.
  static std::shared_ptr<const P> parse(Fields& params);
  static Json params(const P& p);
  static Json action_json(const P& p, const python::OwnAction& x);
  static python::OwnAction parse_action(const P& p, const Json& json, std::string_view path);
  static Json outcome_json(const P& p, const python::OwnOutcome& y);
  static python::OwnOutcome parse_outcome(const P& p, const Json& json, std::string_view path);
};

}  // namespace hannan::detail
