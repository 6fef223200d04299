// The algorithm of the paper to the letter: every call hands the oracle the whole history, outcome by outcome.
// Same learner, same noise, same search underneath; only the summary is made anew in every call. The decisions
// must be the same.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/learner.hpp"
#include "hannan/noise/laplace.hpp"
#include "hannan/problems/classification/classification.hpp"
#include "hannan/schedules/schedules.hpp"

namespace hannan::detail::bench {
namespace {

using P = Classification;
using OraclePtr = std::shared_ptr<const AnyOracle<P>>;

// An oracle whose history is the list of weighted outcomes, as the paper has it.
class Literal {
 public:
  static constexpr bool kSigned = true;
  struct History {
    std::vector<Weighted<P::Outcome>> outcomes;
    void clear() { outcomes.clear(); }
    void archive(Archive&) {}
  };
  explicit Literal(OraclePtr search) : search_(std::move(search)), data_(search_->empty()), noise_(search_->empty()) {}

  History empty(const P&) const { return {}; }
  void add(const P&, History& h, const P::Outcome& y, double weight) const { h.outcomes.push_back({weight, y}); }
  Answer<P::Action> best(const P&, Evidence<History> e, std::size_t keep) const {
    fill(*data_, e.data);
    fill(*noise_, e.noise);
    return search_->best({*data_, *noise_, e.scale}, keep);
  }

 private:
  static void fill(AnyHistory<P>& into, const History& from) {
    into.clear();
    for (const auto& [weight, y] : from.outcomes) into.add(y, weight);
  }

  OraclePtr search_;
  std::shared_ptr<AnyHistory<P>> data_, noise_;
};

// 64 points, 65 thresholds, the true one at 40, and a fifth of the labels turned round.
struct Game {
  std::shared_ptr<const P> problem;
  std::vector<P::Outcome> outcomes;

  explicit Game(std::uint64_t rounds) {
    Points points;
    for (int i = 0; i < 64; ++i) points.push_back({static_cast<double>(i)});
    problem = std::make_shared<const P>(P::Parts{.name = std::string(kThresholds), .table = std::move(points)});
    for (std::uint64_t t = 1; t <= rounds; ++t) {
      const KeyedRandom random(Key{.seed = 17}, Purpose::kStream, t);
      const auto point = static_cast<std::uint32_t>(random.below(0, 64));
      const bool truth = point >= 40, lie = random.uniform(1) < 0.2;
      outcomes.push_back({point, truth != lie ? 1U : 0U});
    }
  }

  // Seconds of so many rounds; the actions go to `actions`.
  struct Plan {
    OraclePtr oracle;
    std::uint64_t rounds;
    Freshness freshness;
  };
  double play(const Plan& plan, std::vector<P::Action>& actions) const {
    const auto matrix = P::perturbations(problem).front();
    const Draw draw{[](std::uint64_t round, std::span<double> alpha) {
                      Laplace{}.draw(KeyedRandom(Key{.seed = 18}, Purpose::kNoise, round), alpha, {});
                    },
                    plan.freshness};
    hannan::Learner<P> learner({problem, plan.oracle, matrix, draw},
                               gftpl(schedules::small_loss({.gamma = *matrix->gamma(), .c = 1})), Track::kEnd);
    actions.clear();
    const Stopwatch watch;
    for (std::uint64_t t = 0; t < plan.rounds; ++t) {
      actions.push_back(learner.act());
      learner.observe(outcomes[t]);
    }
    return watch.seconds();
  }
};

// One kind of noise: ours, and the letter fitted by time = b T + c T^2 through two lengths and held against a
// third; all of it would take minutes.
void add_rows(const Setting& setting, const Game& game, Freshness freshness, std::vector<Row>& rows) {
  const std::uint64_t rounds = game.outcomes.size();
  const OraclePtr search = P::oracles(game.problem).front();
  const OraclePtr letter = make_oracle("literal", game.problem, Literal(search));
  const std::string noise = freshness == Freshness::kFresh ? "fresh" : "once";

  setting.say("literal: ours, noise " + noise);
  std::vector<P::Action> ours, theirs;
  const double lazy = game.play({pooled(search, 256), rounds, freshness}, ours);
  const double plain = game.play({search, rounds, freshness}, ours);
  const std::uint64_t length[3] = {rounds / 20, rounds / 10, rounds / 5};
  double seconds[3];
  std::size_t different = 0;
  for (int i = 0; i < 3; ++i) {
    setting.say(fmt::format("literal: to the letter, T = {}", length[i]));
    seconds[i] = game.play({letter, length[i], freshness}, theirs);
    for (std::size_t t = 0; t < theirs.size(); ++t) different += theirs[t] != ours[t];
  }
  const auto x0 = static_cast<double>(length[0]), x1 = static_cast<double>(length[1]),
             x2 = static_cast<double>(length[2]);
  const auto n = static_cast<double>(rounds);
  // Two equations, seconds = b x + c x^2 at the two larger lengths, solved for b and c; the smallest length is the
  // check.
  const double square = (seconds[2] / x2 - seconds[1] / x1) / (x2 - x1), linear = seconds[1] / x1 - square * x1;
  const double whole = (linear + square * n) * n, off = (linear + square * x0) * x0 / seconds[0] - 1;
  const std::string fit =
      fmt::format("noise {}, T = {}; to the letter {:.3g} s by a quadratic fit at {} and {}, {:+.0f}% off at {}; {}",
                  noise, rounds, whole, length[1], length[2], 100 * off, length[0],
                  different == 0 ? "same decisions" : fmt::format("{} DECISIONS DIFFER", different));
  const Goal goal{.ratio = 1000};
  rows.push_back({.name = "literal/thresholds/" + noise,
                  .unit = "rounds/s",
                  .ours = n / plain,
                  .rival = n / whole,
                  .goal = goal,
                  .note = fit});
  rows.push_back({.name = "literal/thresholds-pool/" + noise,
                  .unit = "rounds/s",
                  .ours = n / lazy,
                  .rival = n / whole,
                  .goal = {},
                  .note = "the same, ours with a pool of 256, which holds all 65 actions"});
}

}  // namespace

std::vector<Row> literal_race(const Setting& setting) {
  const Game game(setting.pick<std::uint64_t>(100'000, 400));
  std::vector<Row> rows;
  add_rows(setting, game, Freshness::kFresh, rows);
  add_rows(setting, game, Freshness::kOnce, rows);
  return rows;
}

}  // namespace hannan::detail::bench
