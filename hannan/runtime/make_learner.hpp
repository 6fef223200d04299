// The parts that a learner is made of, from checked parameters: picks oracle, perturbation and noise, refuses what does
// not go together and says why. The row of a learner (runtime/learners/) puts them together.
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
#include "hannan/core/error.hpp"
#include "hannan/core/learner.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/noise/noise.hpp"
#include "hannan/runtime/choose_oracle.hpp"
#include "hannan/runtime/learner_params.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail {

template <class P>
class LearnerMaker;

// By the row of its kind. Defined where the table of learners is known: runtime/make_listed.hpp.in.
template <class P>
std::unique_ptr<Learner<P>> make_listed(LearnerMaker<P>& parts);

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
    settle_range();
    if (!params_.pool) params_.pool = suitable_pool();
    if (*params_.pool > 0) oracle_ = pooled(oracle_, *params_.pool);
    if (params_.takes("perturbation")) settle_perturbation();
  }

  std::unique_ptr<Learner<P>> make() { return make_listed(*this); }

  // One of many learners that take turns: noise of its own key or list, worked out in a buffer that they share.
  struct Turn {
    Key key;
    std::optional<GivenNoise> alpha;
    typename Perturber<P>::Shared buffer;
  };
  std::unique_ptr<Learner<P>> make(Turn turn) {
    params_.key = turn.key;
    params_.alpha = std::move(turn.alpha);
    buffer_ = std::move(turn.buffer);
    return make();
  }

  // The row of the learner that is made, if it is of this type.
  template <class Row>
  const Row* row() const {
    return params_.kind->name == Row::kFacts.name ? static_cast<const Row*>(params_.own.get()) : nullptr;
  }
  const std::shared_ptr<const P>& problem() const { return problem_; }
  const LearnerParams& params() const { return params_; }  // with the problem's defaults filled in
  const std::shared_ptr<const AnyOracle<P>>& oracle() const { return oracle_; }
  const std::shared_ptr<const Perturbation<P>>& matrix() const { return matrix_; }
  const Noise& noise() const { return noise_; }
  // M by Monte Carlo or by formula, with its interval; asked for once. An oracle from outside may miss the maximum, and
  // M would be too small for the bounds: there one of ours searches.
  const NoiseSize& measured_noise_size() {
    if (!measured_) measured_ = measure_noise();
    return *measured_;
  }

  const std::optional<NoiseSize>& known_noise_size() const { return measured_; }
  void take_noise_size(const NoiseSize& size) { measured_ = size; }

  // M as the learner plays by it.
  double noise_size() {
    if (!params_.noise_size) params_.noise_size = measured_noise_size().value;
    return *params_.noise_size;
  }

  // rho2 as the law of the noise and the columns give it (docs/theory-run.md, moves_upper).
  std::optional<double> noise_square() const {
    const NoiseFacts facts = noise_.facts();
    if (!facts.centred || facts.p == 0) return std::nullopt;
    return square_of_noise(column_ranges(), facts.p);
  }

  // For lp noise c becomes c N^(1-1/p).
  Schedule small_loss() const {
    const double scale = bounds::lp_scale(static_cast<double>(matrix_->columns()), std::max(1.0, noise_.facts().p));
    return schedules::small_loss({.gamma = *params_.gamma, .c = params_.c * scale});
  }

  // The noise of a round on the columns of matrix().
  Perturber<P> perturber() {
    check_pourable();
    Draw draw = params_.alpha ? given_draw(*params_.alpha) : law_draw(noise_, signs());
    if (buffer_.noise) return {buffer_, matrix_, std::move(draw)};
    return {oracle_, matrix_, std::move(draw)};
  }

  using Signs = std::shared_ptr<const std::vector<int>>;
  Draw law_draw(const Noise& noise, Signs signs) const {
    return {[noise, key = params_.key, signs = std::move(signs)](std::uint64_t round, std::span<double> alpha) {
              noise.draw(KeyedRandom(key, Purpose::kNoise, round), alpha, *signs);
            },
            params_.draw};
  }
  // Of the columns of matrix(), found once.
  const Signs& signs() {
    if (!signs_) signs_ = std::make_shared<const std::vector<int>>(column_signs(*matrix_));
    return signs_;
  }

  // Given noise of `width` numbers a round if there is some, otherwise what `law` makes.
  template <class Law>
  Draw given_or(std::size_t width, Law&& law) const {
    if (!params_.alpha) return law();
    check_given("params.alpha", params_.alpha->draws, width);
    return given_draw(*params_.alpha);
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

  // For learners with a noise or a matrix of their own.
  void use_noise(Noise noise) { noise_ = std::move(noise); }
  void use_matrix(std::shared_ptr<const Perturbation<P>> matrix) {
    matrix_ = std::move(matrix);
    signs_.reset();
  }

  // For learners that keep a number per action: ln K, where so many can be kept.
  double listed_ln_size() const {
    constexpr double kMostActions = 1e7;
    if (std::exp(problem_->ln_size()) > kMostActions * 1.01) {
      throw Error(Code::kUnavailable,
                  std::string(params_.kind->name) +
                      " keeps a number per action, and there are more than 10^7 here; "
                      "flipflop, ada or gftpl do not",
                  "kind");
    }
    return problem_->ln_size();
  }
  [[noreturn]] void refuse_unlisted() const {
    refuse(std::string(params_.kind->name) + " keeps a number per action, and those of", "cannot be listed");
  }
  // What the learner does not offer on this problem: "before "problem" after".
  [[noreturn]] void refuse(const std::string& before, const std::string& after) const {
    throw Error(Code::kUnavailable, before + " \"" + std::string(Codec<P>::kKind) + "\" " + after, "kind");
  }

 private:
  // A learner calls thousands of times: unless told otherwise, it does not wait for the last proof.
  static std::shared_ptr<const AnyOracle<P>> with_learner_work(const std::shared_ptr<const AnyOracle<P>>& oracle) {
    auto limited = oracle->limited(kLearnerWork);
    return limited ? limited : oracle;
  }
  NoiseSize measure_noise() const {
    if (problem_->ln_size() <= 0) return {};  // one action: nothing to distort, and a mean of draws might be negative
    const auto by = oracle_->claims().empty() ? oracle_ : own_oracle();
    return size_of_noise(std::make_shared<detail::GameOracle<P>>(game_, by),
                         std::make_shared<detail::GamePerturbation<P>>(matrix_), noise_);
  }
  // Largest less least entry of each column, where the actions can be listed at little cost; entries in [0,1] have a
  // range of at most 1. Empty: not known.
  std::vector<double> column_ranges() const {
    constexpr double kMostEntries = 1e7;
    const std::size_t n = matrix_->columns();
    if constexpr (Enumerable<P>) {
      if (std::exp(std::min(30.0, problem_->ln_size())) * static_cast<double>(n) <= kMostEntries) {
        std::vector<double> low(n, INFINITY), high(n, -INFINITY), row(n);
        for (std::uint64_t k = 0; k < problem_->size(); ++k) {
          matrix_->row(problem_->action(k), row);
          for (std::size_t j = 0; j < n; ++j) {
            low[j] = std::min(low[j], row[j]);
            high[j] = std::max(high[j], row[j]);
          }
        }
        for (std::size_t j = 0; j < n; ++j) high[j] -= low[j];
        return high;
      }
    }
    return std::vector<double>(matrix_->unit_entries() ? n : 0, 1.0);
  }
  std::shared_ptr<const AnyOracle<P>> own_oracle() const { return with_learner_work(P::oracles(problem_).front()); }

  // Where noise is drawn anew and grows with the loss, a small pool hardly ever proves who leads.
  std::uint64_t suitable_pool() const {
    const std::size_t pool = oracle_->suitable_pool();
    const bool hopeless = params_.kind->proof == Proof::kGftpl && params_.draw == Freshness::kFresh;
    return hopeless && pool <= kSmallPool ? 0 : pool;
  }

  // The problem's range of losses. An unknown one needs a learner and a rule whose decisions do not depend on it, and a
  // history that can be measured in another unit when a larger range comes.
  void settle_range() {
    const LossRange own = has_unknown_range(*problem_) ? LossRange::kUnknown : LossRange::kUnitInterval;
    const auto refused = [](const std::string& what, const char* at) { throw Error(Code::kUnavailable, what, at); };
    if (params_.range && *params_.range != own)
      refused("found another range than that of the problem; it is the problem that has this parameter",
              "params.range");
    params_.range = own;
    if (own == LossRange::kUnitInterval) return;
    if (!params_.kind->any_range)
      refused(std::string(params_.kind->name) +
                  " needs losses in [0,1], and those of the problem have range \"unknown\"; " +
                  "use flipflop, ada or leader, or the problem's parameter cap where it has one",
              "kind");
    if (params_.takes("gap") && params_.gap == GapRule::kLoss)
      refused("found \"loss\", expected \"mix\": the other rule needs losses in [0,1]", "params.gap");
    if (!params_.segments.by.empty())
      refused(
          "found columns, expected none: segments are mixed by losses in [0,1], and those of the problem have no "
          "range; of reserves --param levels=20 instead of prices, or --param cap with the highest bid, gives one",
          "params.by");
    if (params_.delayed) refused("found true, expected false: delayed outcomes need losses in [0,1]", "params.delayed");
    if (params_.pool.value_or(0) > 0) refused("found a pool, expected none: pools need losses in [0,1]", "params.pool");
    if (!oracle_->scales())
      refused("oracle \"" + oracle_->name() +
                  "\" keeps a history that cannot be scaled, which losses of unknown range need",
              "params.oracle");
    params_.pool = 0;
  }

  void settle_perturbation() {
    matrix_ = choose_named(P::perturbations(problem_), params_.perturbation, "params.perturbation");
    params_.perturbation = matrix_->name();
    if (params_.takes("noise")) noise_ = Noise::parse(params_.noise, "params.noise");
    if (params_.alpha) check_given("params.alpha", params_.alpha->draws, matrix_->columns());
    if (!params_.takes("noise")) return;
    if (!params_.alpha) check_law();
    if (!params_.gamma) params_.gamma = matrix_->gamma();
    if (!params_.gamma && params_.kind->needs_gamma) {
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
    if (params_.kind->needs_centred && !noise_.facts().centred) {
      throw Error(Code::kUnavailable,
                  "found noise \"" + noise_.name() +
                      "\", expected a centred one (laplace, "
                      "exponential-centred, lp:P): the proof of " +
                      std::string(params_.kind->name) + " needs mean zero",
                  "params.noise");
    }
    const std::string objection = one_sided_objection(noise_.facts(), *matrix_);
    if (!objection.empty()) throw Error(Code::kUnavailable, objection, "params.noise");
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

  std::shared_ptr<const GameOf<P>> game_;
  std::shared_ptr<const P> problem_;
  LearnerParams params_;
  std::shared_ptr<const AnyOracle<P>> oracle_;
  std::shared_ptr<const Perturbation<P>> matrix_;
  std::optional<NoiseSize> measured_;  // M, once it was asked for
  Noise noise_;
  Signs signs_;
  typename Perturber<P>::Shared buffer_;  // none: every learner has its own
};

}  // namespace hannan::detail
