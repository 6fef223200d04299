// A list of outcomes on which a perturbation is checked, filled by the problem that knows where its rules break.
//
// A problem that offers `void extreme_outcomes(ExtremeOutcomes<Outcome>& into) const` adds such outcomes (ends of
// ranges, grid points and values just below them) while there is space left, and says in words which ones they are.
#pragma once

#include <cstdint>
#include <string>

namespace hannan::detail {

template <class Outcome>
class ExtremeOutcomes {
 public:
  virtual ~ExtremeOutcomes() = default;
  virtual std::uint64_t left() const = 0;  // how many more are taken
  // Beyond the last nothing happens; an outcome that is on the list already takes no space.
  virtual void add(const Outcome& y) = 0;
  // What the list holds, in words for the report: "all profiles of one step per bidder".
  virtual void describe(const std::string& words) = 0;
};

}  // namespace hannan::detail
