// The row of `fake-data`.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "hannan/core/elementary.hpp"
#include "hannan/learners/classical.hpp"
#include "hannan/perturbations/outcome_columns.hpp"
#include "hannan/runtime/learners/tuning.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct FakeDataRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "fake-data",
                                       .about = "perturbed leader with geometric fake outcomes (Daskalakis, Syrgkanis)",
                                       .params = "draw alpha epsilon rounds"};
  Tuning epsilon;

  void parse(Fields& fields, const LearnerParams& shared) {
    epsilon.parse(fields, shared, "epsilon");
    if (epsilon.value && *epsilon.value > 1) {
      throw Error(Code::kOutOfRange, "found " + number_text(*epsilon.value) + ", expected a number in (0,1]",
                  fields.at("epsilon"));
    }
    if (epsilon.rounds && !epsilon.value) epsilon.value = 1 / epsilon.root();
  }
  void print(Json& json) const override { epsilon.print(json, "epsilon"); }

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    if constexpr (requires { parts.problem()->outcomes(); }) {
      typename OutcomeColumns<P>::Parts columns{.name = "fake outcomes",
                                                .problem = parts.problem(),
                                                .columns = {},
                                                .form = Form::kLoss,
                                                .gamma = std::nullopt,
                                                .negative = nullptr};
      for (const auto& y : parts.problem()->outcomes()) columns.columns.push_back({{1.0, y}});
      parts.use_matrix(std::make_shared<OutcomeColumns<P>>(std::move(columns)));
      Draw draw = parts.given_or(parts.matrix()->columns(), [&] { return geometric(parts.params()); });
      draw.signs = DrawSigns::kNonNegative;
      return std::make_unique<Classical<P>>(typename Classical<P>::Parts{
          parts.problem(), parts.oracle(), Perturber<P>(parts.oracle(), parts.matrix(), std::move(draw))});
    } else {
      parts.refuse("fake-data adds every possible outcome, and those of", "cannot be listed");
    }
  }

 private:
  // P[weight = n] = epsilon (1-epsilon)^n by inverse CDF: floor(ln u / ln(1-epsilon)).
  Draw geometric(const LearnerParams& params) const {
    return {[chance = epsilon.value.value_or(1.0), key = params.key](std::uint64_t round, std::span<double> weights) {
              KeyedRandom(key, Purpose::kNoise, round).fill_uniform(weights);
              const double rate = chance < 1 ? portable_log(1 - chance) : 0;
              for (double& w : weights) w = rate < 0 ? std::floor(portable_log(w) / rate) : 0.0;
            },
            params.draw};
  }
};

}  // namespace hannan::detail
