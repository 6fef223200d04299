// Perturbed leaders with noise of a fixed size, as rivals: `uniform-gftpl` (Dudik et al. 2017) and `fake-data`
// (Daskalakis and Syrgkanis 2016). x_t = argmin of the losses so far + noise_t. No bound of ours is stated for them:
// their theorems need the number of rounds beforehand. One oracle call a round.
#include "hannan/learners/classical.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "hannan/core/elementary.hpp"
#include "hannan/learners/learner_maker.hpp"
#include "hannan/learners/rows.hpp"
#include "hannan/learners/tuning.hpp"
#include "hannan/noise/uniform.hpp"
#include "hannan/perturbations/outcome_columns.hpp"

namespace hannan::detail {

void Classical::decide(Decision& decision) const {
  const auto& play = ask(seen(), perturber_.at(round()), 1.0);
  played_unproven(play.unproven());
  decision.action = play.action;
}

namespace {

struct UniformGftplRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{.name = "uniform-gftpl",
                                       .about = "classical perturbed leader, uniform noise (Dudik et al.)",
                                       .params = "perturbation draw alpha beta rounds"};
  Tuning beta;

  void parse(Fields& fields, const LearnerParams& shared) {
    beta.parse(fields, shared, "beta");
    // Given the number of rounds T, the size that the theorem asks for: of order sqrt(T).
    if (beta.rounds && !beta.value) beta.value = beta.root();
  }
  void print(Json& json) const override { beta.print(json, "beta"); }

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    parts.use_noise(Noise(Uniform(beta.value.value_or(1.0))));
    return std::make_unique<Classical>(Classical::Parts{parts.game(), parts.oracle(), parts.perturber()});
  }
};

}  // namespace

LearnerKind uniform_gftpl_row() { return learner_row<UniformGftplRow>(); }

namespace {

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

  std::unique_ptr<Learner> make(LearnerMaker& parts) const {
    const auto outcomes = parts.game()->outcomes();
    if (!outcomes) parts.refuse("fake-data adds every possible outcome, and those of", "cannot be listed");
    OutcomeColumns<Game>::Parts columns{.name = "fake outcomes",
                                        .problem = parts.game(),
                                        .columns = {},
                                        .form = Form::kLoss,
                                        .gamma = std::nullopt,
                                        .negative = nullptr};
    for (const auto& y : *outcomes) columns.columns.push_back({{1.0, y}});
    parts.use_matrix(std::make_shared<OutcomeColumns<Game>>(std::move(columns)));
    Draw draw = parts.given_or(parts.matrix()->columns(), [&] { return geometric(parts.params()); });
    // Counts of outcomes: an oracle without negative weights serves.
    draw.signs = DrawSigns::kNonNegative;
    return std::make_unique<Classical>(
        Classical::Parts{parts.game(), parts.oracle(), Perturber(parts.oracle(), parts.matrix(), std::move(draw))});
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

}  // namespace

LearnerKind fake_data_row() { return learner_row<FakeDataRow>(); }

}  // namespace hannan::detail
