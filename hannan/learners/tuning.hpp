// A parameter that is given, or follows from the number of rounds.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/learners/learner_params.hpp"

namespace hannan::detail {

struct Tuning {
  std::optional<std::uint64_t> rounds;
  std::optional<double> value;  // none: noise is given

  // `name` is that of the value; given noise needs neither.
  void parse(Fields& fields, const LearnerParams& shared, const char* name) {
    if (fields.has("rounds")) rounds = static_cast<std::uint64_t>(fields.integer("rounds", {1, kAnyInteger.hi}));
    if (fields.has(name)) {
      value = fields.number(name, limits::kTuning);
    } else if (!shared.alpha && !rounds) {
      throw Error(Code::kMissingField, std::string("expected ") + name + ", or rounds to tune it by", fields.at(name));
    }
  }
  double root() const { return std::sqrt(static_cast<double>(*rounds)); }
  void print(Json& json, const char* name) const {
    if (rounds) json.set("rounds", *rounds);
    if (value) json.set(name, *value);
  }
};

}  // namespace hannan::detail
