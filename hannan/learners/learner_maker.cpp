// From the parameters of a learner to checked parts: oracle, pool, matrix, noise, gamma, M. A row of the table
// (learners/<name>.cpp) asks for the parts that it needs, and the first part that the problem or its oracle cannot give
// ends in kUnavailable with the place of the parameter. What is settled here is written back into the parameters, so
// that a record states the oracle, pool, perturbation and gamma that were used and not the defaults that led to them.
//
// The order of the constructor matters: the range may forbid a pool, the pool wraps the oracle, and the check of the
// noise asks the oracle that will be used. Cost: M is measured at most once and only where a learner asks for it.
#include "hannan/learners/learner_maker.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/certify/bounds.hpp"
#include "hannan/check/matrix_noise.hpp"
#include "hannan/core/choose_named.hpp"
#include "hannan/core/error.hpp"
#include "hannan/learners/choose_oracle.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail {

LearnerMaker::LearnerMaker(std::shared_ptr<const Game> game, LearnerParams params)
    : game_(std::move(game)),
      params_(std::move(params)),
      oracle_(choose_oracle(game_, params_.oracle, "params.oracle")) {
  // A name with a colon has a work limit of the user's own, or is a program; both stay as they were given.
  if (params_.oracle.find(':') == std::string::npos) oracle_ = with_learner_work(oracle_);
  params_.oracle = oracle_->name();
  settle_range();
  if (!params_.pool) params_.pool = suitable_pool();
  if (*params_.pool > 0) oracle_ = pooled(oracle_, *params_.pool);
  if (params_.takes("perturbation")) settle_perturbation();
}

// The side of each column for one-sided noise, computed once for all segments of a tree.
const LearnerMaker::Signs& LearnerMaker::signs() {
  if (!signs_) signs_ = std::make_shared<const std::vector<int>>(column_signs(*matrix_));
  return signs_;
}

// One maker serves all segments of a tree: the segment's own key and noise go in, everything settled stays.
std::unique_ptr<Learner> LearnerMaker::make(Turn turn) {
  params_.key = turn.key;
  params_.alpha = std::move(turn.alpha);
  buffer_ = std::move(turn.buffer);
  return make();
}

std::optional<double> LearnerMaker::noise_square() const {
  // p = 0 marks uniform noise, whose log-density is not Lipschitz.
  const NoiseFacts facts = noise_.facts();
  if (!facts.centred || facts.p == 0) return std::nullopt;
  return square_of_noise(column_ranges(), facts.p);
}

// For l_p noise c is scaled by a power of the number of columns (bounds::lp_scale).
Schedule LearnerMaker::small_loss() const {
  const double scale = bounds::lp_scale(static_cast<double>(matrix_->columns()), std::max(1.0, noise_.facts().p));
  return schedules::small_loss({.gamma = *params_.gamma, .c = params_.c * scale});
}

Perturber LearnerMaker::perturber() {
  // Before the draw is made, so that a refusal does not depend on the numbers drawn.
  check_pourable();
  Draw draw = params_.alpha ? given_draw(*params_.alpha) : law_draw(noise_, signs());
  if (buffer_.noise) return {buffer_, matrix_, std::move(draw)};
  return {oracle_, matrix_, std::move(draw)};
}

Draw LearnerMaker::law_draw(const Noise& noise, Signs signs) const {
  return {[noise, key = params_.key, signs = std::move(signs)](std::uint64_t round, std::span<double> alpha) {
            noise.draw(KeyedRandom(key, Purpose::kNoise, round), alpha, *signs);
          },
          params_.draw};
}

void LearnerMaker::check_given(const std::string& path, const std::vector<std::vector<double>>& draws,
                               std::size_t wanted) {
  for (std::size_t t = 0; t < draws.size(); ++t) {
    if (draws[t].size() == wanted) continue;
    throw Error(Code::kOutOfRange,
                "found a draw of " + std::to_string(draws[t].size()) + " numbers, expected " + std::to_string(wanted) +
                    ", one per column",
                draws.size() > 1 ? path_of(path, t) : path);
  }
}

// For learners that keep a number for each action.
double LearnerMaker::listed_ln_size() const {
  if (!game_->numbers_actions())
    refuse(std::string(params_.kind->name) + " keeps a number per action, and those of", "cannot be listed");
  // 80 MB of totals. The factor 1.01 forgives what exp(ln K) may be off by.
  constexpr double kMostActions = 1e7;
  if (std::exp(game_->ln_size()) > kMostActions * 1.01) {
    throw Error(Code::kUnavailable,
                std::string(params_.kind->name) +
                    " keeps a number per action, and there are more than 10^7 here; "
                    "flipflop, ada or gftpl do not",
                "kind");
  }
  return game_->ln_size();
}

void LearnerMaker::refuse(const std::string& before, const std::string& after) const {
  throw Error(Code::kUnavailable, before + " \"" + std::string(game_->kind()) + "\" " + after, "kind");
}

std::shared_ptr<const GameOracle> LearnerMaker::with_learner_work(const std::shared_ptr<const GameOracle>& oracle) {
  auto limited = oracle->limited(kLearnerWork);
  return limited ? limited : oracle;
}

// By an oracle of the program's own: one from outside might not be exact, and M must be.
NoiseSize LearnerMaker::measure_noise() const {
  if (game_->ln_size() <= 0) return {};  // one action: nothing to distort, and a mean of draws might be negative
  const auto by = oracle_->claims().empty() ? oracle_ : own_oracle();
  return size_of_noise(by, matrix_, noise_);
}

// The range of each column over all actions, or none where it is not known.
std::vector<double> LearnerMaker::column_ranges() const {
  // Entries that are looked at; beyond them only the range 1 of entries in [0,1] is known. exp is cut at e^30, far
  // above the limit, so that large problems do not overflow.
  constexpr double kMostEntries = 1e7;
  const std::size_t n = matrix_->columns();
  if (game_->numbers_actions() && std::exp(std::min(30.0, game_->ln_size())) * static_cast<double>(n) <= kMostEntries) {
    std::vector<double> low(n, INFINITY), high(n, -INFINITY), row(n);
    AnyAction x;
    for (std::uint64_t k = 0; k < game_->size(); ++k) {
      game_->set_action(k, x);
      matrix_->row(x, row);
      for (std::size_t j = 0; j < n; ++j) {
        low[j] = std::min(low[j], row[j]);
        high[j] = std::max(high[j], row[j]);
      }
    }
    for (std::size_t j = 0; j < n; ++j) high[j] -= low[j];
    return high;
  }
  return std::vector<double>(matrix_->unit_entries() ? n : 0, 1.0);
}

std::uint64_t LearnerMaker::suitable_pool() const {
  const std::size_t pool = oracle_->suitable_pool();
  // Fresh noise that grows with the loss moves the argmin in almost every round, so a small pool would be searched for
  // and then dropped. Large pools are those of oracles whose searches are expensive enough to try.
  const bool short_lived = params_.kind->proof == Proof::kGftpl && params_.draw == Freshness::kFresh;
  return short_lived && pool <= kSmallPool ? 0 : pool;
}

// What needs losses in [0,1] is refused for problems whose losses have no range; each refusal names the parameter.
void LearnerMaker::settle_range() {
  const LossRange own = game_->loss_range();
  const auto refused = [](const std::string& what, const char* at) { throw Error(Code::kUnavailable, what, at); };
  if (params_.range && *params_.range != own)
    refused("found another range than that of the problem; it is the problem that has this parameter", "params.range");
  // The problem alone decides. A parameter `range` is accepted where it says the same: states and records write it.
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
    refused(
        "oracle \"" + oracle_->name() + "\" keeps a history that cannot be scaled, which losses of unknown range need",
        "params.oracle");
  params_.pool = 0;
}

void LearnerMaker::settle_perturbation() {
  matrix_ = choose_named(game_->perturbations(), params_.perturbation, "params.perturbation");
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

// Whether the learner's theorem covers this law of noise.
void LearnerMaker::check_law() const {
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

Draw LearnerMaker::given_draw(const GivenNoise& given) {
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

// An oracle that takes no tables gets its noise as weighted outcomes: every column, of either sign, must be such a data
// set.
void LearnerMaker::check_pourable() const {
  if (oracle_->takes_tables()) return;
  const Weights weights = oracle_->takes_negative_weights() ? Weights::kAnySign : Weights::kNonNegative;
  for (std::size_t j = 0; j < matrix_->columns(); ++j) {
    // Noise has both signs, so both must exist as data.
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

}  // namespace hannan::detail
