// From checked parameters to a learner: picks oracle, perturbation and noise, refuses what does not
// go together and says why, and puts the parts in place.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/certify/bounds.hpp"
#include "hannan/check/matrix_noise.hpp"
#include "hannan/core/elementary.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/learner.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/learners/ada.hpp"
#include "hannan/learners/classical.hpp"
#include "hannan/learners/flipflop.hpp"
#include "hannan/learners/fpl.hpp"
#include "hannan/learners/gftpl.hpp"
#include "hannan/learners/hedge.hpp"
#include "hannan/learners/leader.hpp"
#include "hannan/learners/off.hpp"
#include "hannan/noise/noise.hpp"
#include "hannan/perturbations/outcome_columns.hpp"
#include "hannan/runtime/choose_oracle.hpp"
#include "hannan/runtime/learner_params.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan {

template <class P>
class LearnerMaker {
 public:
  LearnerMaker(std::shared_ptr<const GameOf<P>> game, LearnerParams params)
      : game_(std::move(game)),
        problem_(game_->problem()),
        params_(std::move(params)),
        oracle_(choose_typed_oracle(game_, params_.oracle, "params.oracle")) {
    if (params_.oracle.find(':') == std::string::npos) oracle_ = with_learner_work(oracle_);
    params_.oracle = oracle_->name();
    if (!params_.pool) params_.pool = suitable_pool();
    if (*params_.pool > 0) oracle_ = pooled(oracle_, *params_.pool);
    if (takes(params_.kind, "perturbation")) settle_perturbation();
  }

  std::unique_ptr<Learner<P>> make() {
    const std::string& kind = params_.kind;
    if (kind == "leader") return std::make_unique<Leader<P>>(problem_, oracle_);
    if (kind == "gftpl") return make_gftpl();
    if (kind == "off") return make_off();
    if (kind == "ada") {
      return std::make_unique<Ada<P>>(typename Ada<P>::Parts{problem_, oracle_, perturber(), noise_size()});
    }
    if (kind == "flipflop") {
      return std::make_unique<FlipFlop<P>>(
          typename FlipFlop<P>::Parts{problem_, oracle_, perturber(), noise_size(), params_.flipflop});
    }
    if (kind == "uniform-gftpl") {
      return std::make_unique<Classical<P>>(typename Classical<P>::Parts{problem_, oracle_, perturber()});
    }
    if (kind == "fake-data") return make_fake_data();
    return make_enumerating();
  }

  const LearnerParams& params() const { return params_; }  // with the problem's defaults filled in
  const std::shared_ptr<const AnyOracle<P>>& oracle() const { return oracle_; }
  const std::shared_ptr<const Perturbation<P>>& matrix() const { return matrix_; }
  const Noise& noise() const { return noise_; }
  // M by Monte Carlo or by formula. An oracle from outside may miss the maximum, and M would be too small for the
  // bounds: there one of ours searches.
  double measured_noise_size() const {
    if (problem_->ln_size() <= 0) return 0;  // one action: nothing to distort, and a mean of draws might be negative
    const auto by = oracle_->claims().empty() ? oracle_ : own_oracle();
    return size_of_noise(std::make_shared<detail::GameOracle<P>>(game_, by),
                         std::make_shared<detail::GamePerturbation<P>>(matrix_), noise_)
        .value;
  }

 private:
  // A learner calls thousands of times: unless told otherwise, it does not wait for the last proof.
  static std::shared_ptr<const AnyOracle<P>> with_learner_work(std::shared_ptr<const AnyOracle<P>> oracle) {
    auto limited = oracle->limited(kLearnerWork);
    return limited ? limited : oracle;
  }
  std::shared_ptr<const AnyOracle<P>> own_oracle() const { return with_learner_work(P::oracles(problem_).front()); }

  // Most oracles answer by a pass over a summary, which costs about what following a pool does.
  std::uint64_t suitable_pool() const {
    constexpr std::uint64_t kUsual = 256;
    return oracle_->expensive() ? kUsual : 0;
  }

  void settle_perturbation() {
    matrix_ = choose_named(P::perturbations(problem_), params_.perturbation, "params.perturbation");
    params_.perturbation = matrix_->name();
    noise_ = params_.kind == "uniform-gftpl" ? Noise(Uniform(params_.beta.value_or(1.0)))
                                             : Noise::parse(params_.noise, "params.noise");
    if (params_.alpha) check_given("params.alpha", params_.alpha->draws, matrix_->columns());
    if (params_.kind == "uniform-gftpl") return;
    if (!params_.alpha) check_law();
    if (!params_.gamma) params_.gamma = matrix_->gamma();
    if (!params_.gamma && (params_.kind == "gftpl" || params_.kind == "off")) {
      throw Error(Code::kMissingField, "\"" + matrix_->name() + "\" claims no gamma here; give one", "params.gamma");
    }
  }

  void check_law() const {
    if (noise_.facts().p == 0) {
      throw Error(Code::kUnavailable,
                  "uniform noise is for uniform-gftpl alone: the stability lemma needs a noise "
                  "whose log-density is Lipschitz",
                  "params.noise");
    }
    const bool adapts = params_.kind == "ada" || params_.kind == "flipflop";
    if (adapts && !noise_.facts().centred) {
      throw Error(Code::kUnavailable,
                  "found noise \"" + noise_.name() +
                      "\", expected a centred one (laplace, "
                      "exponential-centred, lp:P): the proof of " +
                      params_.kind + " needs mean zero",
                  "params.noise");
    }
    const std::string objection = one_sided_objection(noise_.facts(), *matrix_);
    if (!objection.empty()) throw Error(Code::kUnavailable, objection, "params.noise");
  }

  static void check_given(const std::string& path, const std::vector<std::vector<double>>& draws, std::size_t wanted) {
    for (std::size_t t = 0; t < draws.size(); ++t) {
      if (draws[t].size() == wanted) continue;
      throw Error(Code::kOutOfRange,
                  "found a draw of " + std::to_string(draws[t].size()) + " numbers, expected " +
                      std::to_string(wanted) + ", one per column",
                  draws.size() > 1 ? path_of(path, t) : path);
    }
  }

  static Draw given_draw(const GivenNoise& given) {
    return {[draws = given.draws](std::uint64_t round, std::span<double> alpha) {
              if (round > draws.size()) {
                throw Error(Code::kNoiseExhausted,
                            "noise was given for " + std::to_string(draws.size()) + " rounds, and this is round " +
                                std::to_string(round),
                            "params.alpha");
              }
              std::copy(draws[round - 1].begin(), draws[round - 1].end(), alpha.begin());
            },
            given.freshness};
  }

  Draw law_draw(const Noise& noise, std::vector<int> signs) const {
    return {[noise, key = params_.key, signs = std::move(signs)](std::uint64_t round, std::span<double> alpha) {
              noise.draw(KeyedRandom(key, Purpose::kNoise, round), alpha, signs);
            },
            params_.draw};
  }

  Perturber<P> perturber() const {
    check_pourable();
    return {oracle_, matrix_, params_.alpha ? given_draw(*params_.alpha) : law_draw(noise_, column_signs(*matrix_))};
  }

  // An oracle without tables needs data sets, of non-negative weights if it takes no others.
  void check_pourable() const {
    if (oracle_->takes_tables()) return;
    const Weights weights = oracle_->takes_negative_weights() ? Weights::kAnySign : Weights::kNonNegative;
    for (std::size_t j = 0; j < matrix_->columns(); ++j) {
      for (const int sign : {1, -1}) {
        if (matrix_->has_data({.column = j, .sign = sign, .weights = weights})) continue;
        throw Error(Code::kUnavailable,
                    "oracle \"" + oracle_->name() + "\" takes " +
                        (weights == Weights::kAnySign ? "weighted outcomes" : "non-negative weights") +
                        " only, and no such data set makes " + (sign > 0 ? "plus" : "minus") + " column " +
                        std::to_string(j) + " of \"" + matrix_->name() + "\"",
                    "params.oracle");
      }
    }
  }

  double noise_size() {
    if (!params_.noise_size) params_.noise_size = measured_noise_size();
    return *params_.noise_size;
  }

  // For lp noise c becomes c N^(1-1/p).
  Schedule small_loss() const {
    const double scale = bounds::lp_scale(static_cast<double>(matrix_->columns()), std::max(1.0, noise_.facts().p));
    return schedules::small_loss({.gamma = *params_.gamma, .c = params_.c * scale});
  }

  std::unique_ptr<Learner<P>> make_gftpl() {
    return std::make_unique<Gftpl<P>>(typename Gftpl<P>::Parts{problem_, oracle_, perturber(), small_loss()});
  }

  std::unique_ptr<Learner<P>> make_off() {
    const bool needs_size = params_.estimator == OffEstimator::kTight || params_.estimator == OffEstimator::kTrajectory;
    const OffEstimate::Setting estimate{.kind = params_.estimator,
                                        .ln_size = problem_->ln_size(),
                                        .columns = static_cast<double>(matrix_->columns()),
                                        .gamma = *params_.gamma,
                                        .c = params_.c,
                                        .noise_size = needs_size ? noise_size() : 0.0};
    return std::make_unique<Off<P>>(typename Off<P>::Parts{problem_, oracle_, perturber(), small_loss(), estimate,
                                                           params_.switching, params_.feed, monte_carlo()});
  }

  MonteCarlo monte_carlo() const {
    if (!params_.mc_given.empty()) {
      for (std::size_t t = 0; t < params_.mc_given.size(); ++t) {
        check_given(path_of("params.mc", t), params_.mc_given[t], matrix_->columns());
      }
      const auto given = std::make_shared<const std::vector<std::vector<std::vector<double>>>>(params_.mc_given);
      return {[given](std::uint64_t round) {
                if (round > given->size()) {
                  throw Error(Code::kNoiseExhausted,
                              "Monte-Carlo noise was given for " + std::to_string(given->size()) +
                                  " rounds, and this is round " + std::to_string(round),
                              "params.mc");
                }
                return (*given)[round - 1].size();
              },
              [given](std::uint64_t round, std::size_t i, std::span<double> alpha) {
                std::copy((*given)[round - 1][i].begin(), (*given)[round - 1][i].end(), alpha.begin());
              }};
    }
    // Draw i of a round takes columns i*N, i*N+1, ...: its own run under the same key.
    return {[n = params_.mc_draws](std::uint64_t) { return static_cast<std::size_t>(n); },
            [noise = noise_, key = params_.key, signs = column_signs(*matrix_), n = params_.mc_draws](
                std::uint64_t round, std::size_t i, std::span<double> alpha) {
              noise.draw(KeyedRandom(key, Purpose::kMonteCarlo, (round - 1) * n + i + 1), alpha, signs);
            }};
  }

  std::unique_ptr<Learner<P>> make_fake_data() {
    if constexpr (requires { problem_->outcomes(); }) {
      typename OutcomeColumns<P>::Parts columns{.name = "fake outcomes",
                                                .problem = problem_,
                                                .columns = {},
                                                .form = Form::kLoss,
                                                .gamma = std::nullopt,
                                                .negative = nullptr};
      for (const auto& y : problem_->outcomes()) columns.columns.push_back({{1.0, y}});
      matrix_ = std::make_shared<OutcomeColumns<P>>(std::move(columns));
      if (params_.alpha) check_given("params.alpha", params_.alpha->draws, matrix_->columns());
      // P[weight = n] = epsilon (1-epsilon)^n by inverse CDF: floor(ln u / ln(1-epsilon)).
      const double epsilon = params_.epsilon.value_or(1.0);
      Draw geometric{[epsilon, key = params_.key](std::uint64_t round, std::span<double> weights) {
                       KeyedRandom(key, Purpose::kNoise, round).fill_uniform(weights);
                       const double rate = epsilon < 1 ? portable_log(1 - epsilon) : 0;
                       for (double& w : weights) w = rate < 0 ? std::floor(portable_log(w) / rate) : 0.0;
                     },
                     params_.draw};
      Draw draw = params_.alpha ? given_draw(*params_.alpha) : std::move(geometric);
      draw.signs = DrawSigns::kNonNegative;
      return std::make_unique<Classical<P>>(
          typename Classical<P>::Parts{problem_, oracle_, Perturber<P>(oracle_, matrix_, std::move(draw))});
    } else {
      throw Error(Code::kUnavailable,
                  "fake-data adds every possible outcome, and those of \"" + std::string(Codec<P>::kKind) +
                      "\" cannot be listed",
                  "kind");
    }
  }

  std::unique_ptr<Learner<P>> make_enumerating() {
    if constexpr (Enumerable<P>) {
      constexpr double kMostActions = 1e7;
      if (std::exp(problem_->ln_size()) > kMostActions * 1.01) {
        throw Error(Code::kUnavailable,
                    params_.kind +
                        " keeps a number per action, and there are more than 10^7 here; "
                        "flipflop, ada or gftpl do not",
                    "kind");
      }
      const double ln_size = problem_->ln_size();
      if (params_.kind == "fpl") {
        if (params_.alpha) check_given("params.alpha", params_.alpha->draws, problem_->size());
        // q is Exp(1): minus one-sided noise of hedge sign +1.
        const Draw draw = params_.alpha ? given_draw(*params_.alpha)
                                        : law_draw(Noise(Exponential{}), std::vector<int>(problem_->size(), -1));
        return std::make_unique<Fpl<P>>(
            typename Fpl<P>::Parts{problem_, oracle_, schedules::hutter_poland(ln_size), draw});
      }
      return std::make_unique<Hedge<P>>(
          typename Hedge<P>::Parts{problem_, oracle_, mixture_rate(ln_size), params_.key});
    } else {
      throw Error(Code::kUnavailable,
                  params_.kind + " keeps a number per action, and those of \"" + std::string(Codec<P>::kKind) +
                      "\" cannot be listed",
                  "kind");
    }
  }

  std::unique_ptr<MixtureRate> mixture_rate(double ln_size) const {
    if (params_.kind == "adahedge") return std::make_unique<AdaHedgeRate>(ln_size);
    if (params_.kind == "flipflop-hedge") return std::make_unique<FlipFlopRate>(ln_size, params_.flipflop);
    return std::make_unique<ScheduledRate>(params_.rate == "fixed"     ? schedules::fixed(params_.eta)
                                           : params_.rate == "anytime" ? schedules::anytime(ln_size)
                                                                       : schedules::hedge_small(ln_size));
  }

  std::shared_ptr<const GameOf<P>> game_;
  std::shared_ptr<const P> problem_;
  LearnerParams params_;
  std::shared_ptr<const AnyOracle<P>> oracle_;
  std::shared_ptr<const Perturbation<P>> matrix_;
  Noise noise_;
};

}  // namespace hannan
