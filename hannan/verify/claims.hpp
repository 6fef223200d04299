// Complaints of the verifier: what was found, what was expected, in which field of which line.
//
// An oracle that may stop before it has proven its answer can be above L* and still be honest: the
// record then shows a gap. So what depends on an answer being the best is only *suspected* until the
// end of the record says whether any oracle fell short; an oracle that looks at every action never does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/verify/recomputed_totals.hpp"

namespace hannan::detail {

class Claims {
 public:
  explicit Claims(std::string name) : name_(std::move(name)) {}

  // The next file.
  void begin(std::string name) {
    name_ = std::move(name);
    line_ = 0;
  }
  const std::string& name() const { return name_; }
  void next_line() { ++line_; }
  std::string place() const;
  // What fields are named by from here on: "nodes[2]." for those of a node; "" for those of the line.
  void within(std::string prefix) { prefix_ = std::move(prefix); }
  bool placed(const Error& e) const { return e.at().starts_with(name_ + ":"); }
  void trust_no_gap(bool exact) { exact_ = exact; }

  [[noreturn]] void reject(std::string_view field, const std::string& message) const;
  // The two agree up to rounding: numbers in units of losses, and plain ones such as M.
  void expect(std::string_view field, double found, double expected) const;
  void expect_plain(std::string_view field, double found, double expected) const;
  // In what losses are measured from here on.
  void measure(const Precision& precision) { precision_ = precision; }
  const Precision& precision() const { return precision_; }
  void expect_count(std::string_view field, std::int64_t found, std::uint64_t expected) const;

  // Wrong, unless an oracle fell short.
  void suspect(std::string_view field, const std::string& message);
  void expect_of_oracle(std::string_view field, double found, double expected);
  // A choice is above the best by this much. All of them together are at most the gap that the end shows.
  void fell_short(double amount) { shortfall_ += amount; }
  double shortfall() const { return shortfall_; }
  // The record shows no gap anywhere: the first suspicion, if there is one, stands.
  void settle() const;

 private:
  Error complaint(std::string_view field, const std::string& message) const;

  std::string name_, prefix_;
  std::uint64_t line_ = 0;
  bool exact_ = true;
  Precision precision_;
  double shortfall_ = 0;
  std::optional<Error> suspicion_;
};

}  // namespace hannan::detail
