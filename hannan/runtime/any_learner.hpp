// A learner of any problem behind virtual calls, spoken to in JSON or, where speed matters, in rows of numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hannan/certify/certificate.hpp"
#include "hannan/core/learner.hpp"
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

class AnyLearner {
 public:
  virtual ~AnyLearner() = default;
  virtual const std::string& kind() const = 0;
  virtual const Json& params() const = 0;      // every default filled in
  virtual bool adapts_multiplier() const = 0;  // act says multiplier, not eta
  virtual bool switches() const = 0;

  // Before the first round: both will be told the same outcomes, each after both have acted. Saves time where it can.
  virtual void share([[maybe_unused]] const AnyLearner& other) {}
  virtual std::uint64_t rounds() const = 0;  // played so far
  virtual ActView act() = 0;
  virtual Json action() = 0;                  // of act
  virtual std::size_t row_width() const = 0;  // numbers in a row that is an outcome
  virtual ObserveView observe(const Json& outcome, std::string_view path) = 0;
  virtual ObserveView observe_row(std::span<const double> row) = 0;
  virtual Json after() = 0;  // x' of the last round, where has_after
  virtual Json last_outcome() = 0;

  virtual RunFacts facts() = 0;               // for the certificate; looks for L* if need be
  virtual std::optional<double> bound() = 0;  // the sharpest upper bound that applies now, if any
  virtual Json report() = 0;
  virtual Json save() = 0;
};

}  // namespace hannan
