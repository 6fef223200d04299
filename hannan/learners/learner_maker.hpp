// The parts that a learner is made of, from checked parameters: picks oracle, perturbation and noise, refuses what does
// not go together and says why. The row of a learner (learners/) puts them together.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hannan/certify/noise_size.hpp"
#include "hannan/game/learner.hpp"
#include "hannan/game/perturber.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/noise/noise.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail {

class LearnerMaker {
 public:
  LearnerMaker(std::shared_ptr<const Game> game, LearnerParams params);

  std::unique_ptr<Learner> make() { return params_.kind->make(*params_.own, *this); }

  // One of many learners that take turns: noise of its own key or list, worked out in a buffer that they share.
  struct Turn {
    Key key;
    std::optional<GivenNoise> alpha;
    Perturber::Shared buffer;
  };
  std::unique_ptr<Learner> make(Turn turn);

  const std::shared_ptr<const Game>& game() const { return game_; }
  const LearnerParams& params() const { return params_; }  // with the problem's defaults filled in
  const std::shared_ptr<const GameOracle>& oracle() const { return oracle_; }
  const std::shared_ptr<const GameMatrix>& matrix() const { return matrix_; }
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

  // The same, where M must not be too small.
  double upper_noise_size() {
    if (!params_.noise_size) params_.noise_size = measured_noise_size().high;
    return *params_.noise_size;
  }

  // rho2 as the law of the noise and the columns give it (docs/theory-run.md, moves_upper).
  std::optional<double> noise_square() const;

  // For lp noise c becomes c N^(1-1/p).
  Schedule small_loss() const;

  // The noise of a round on the columns of matrix().
  Perturber perturber();

  using Signs = std::shared_ptr<const std::vector<int>>;
  Draw law_draw(const Noise& noise, Signs signs) const;
  // Of the columns of matrix(), found once.
  const Signs& signs();

  // Given noise of `width` numbers a round if there is some, otherwise what `law` makes.
  template <class Law>
  Draw given_or(std::size_t width, Law&& law) const {
    if (!params_.alpha) return law();
    check_given("params.alpha", params_.alpha->draws, width);
    return given_draw(*params_.alpha);
  }
  static void check_given(const std::string& path, const std::vector<std::vector<double>>& draws, std::size_t wanted);

  // For learners with a noise or a matrix of their own.
  void use_noise(Noise noise) { noise_ = std::move(noise); }
  void use_matrix(std::shared_ptr<const GameMatrix> matrix) {
    matrix_ = std::move(matrix);
    signs_.reset();
  }

  // For learners that keep a number per action: ln K, where the actions are numbered and so many can be kept.
  double listed_ln_size() const;
  // What the learner does not offer on this problem: "before "problem" after".
  [[noreturn]] void refuse(const std::string& before, const std::string& after) const;

 private:
  // A learner calls thousands of times: unless told otherwise, it does not wait for the last proof.
  static std::shared_ptr<const GameOracle> with_learner_work(const std::shared_ptr<const GameOracle>& oracle);
  NoiseSize measure_noise() const;
  // Largest less least entry of each column, where the actions can be listed at little cost; entries in [0,1] have a
  // range of at most 1. Empty: not known.
  std::vector<double> column_ranges() const;
  std::shared_ptr<const GameOracle> own_oracle() const { return with_learner_work(game_->oracles().front()); }

  // Where noise is drawn anew and grows with the loss, a small pool hardly ever proves who leads.
  std::uint64_t suitable_pool() const;

  // The problem's range of losses. An unknown one needs a learner and a rule whose decisions do not depend on it, and a
  // history that can be measured in another unit when a larger range comes.
  void settle_range();

  void settle_perturbation();

  void check_law() const;

  static Draw given_draw(const GivenNoise& given);

  // An oracle without tables needs data sets, of non-negative weights if it takes no others.
  void check_pourable() const;

  std::shared_ptr<const Game> game_;
  LearnerParams params_;
  std::shared_ptr<const GameOracle> oracle_;
  std::shared_ptr<const GameMatrix> matrix_;
  std::optional<NoiseSize> measured_;  // M, once it was asked for
  Noise noise_;
  Signs signs_;
  Perturber::Shared buffer_;  // none: every learner has its own
};

}  // namespace hannan::detail
