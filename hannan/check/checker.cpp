// Computes what `hannan check` concludes from (check.hpp): gamma for three signs of s, delta, data sets, M. Full tables
// up to 5000 actions, samples of pairs beyond; a gamma over samples is a lower bound and marked so.
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hannan/certify/cutting_planes.hpp"
#include "hannan/certify/implementability.hpp"
#include "hannan/check/check.hpp"
#include "hannan/check/column_search.hpp"
#include "hannan/check/conditions.hpp"
#include "hannan/check/matrix_noise.hpp"
#include "hannan/core/choose_named.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/interruption.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/noise/exponential.hpp"

namespace hannan::detail {
namespace {

constexpr double kMostListedRows = 5000;  // actions in a table
// Pairs that the full programme is for, unless it is asked for: some seconds.
constexpr double kMostFullPairs = 200'000;
constexpr double kMostFullRows = 1000;
// Losses computed to hold data sets against their columns.
constexpr std::size_t kMostHeld = 20'000'000;

// Everything is computed by the constructor and run(), once; the request must outlive it.
class Checker {
 public:
  Checker(std::shared_ptr<const Game> problem, const CheckRequest& request)
      : problem_(std::move(problem)),
        count_(problem_->action_count()),
        request_(request),
        matrix_(choose_named(problem_->perturbations(), request_.perturbation, "perturbation")) {
    if (count_ && *count_ <= kMostListedRows)
      actions_ = problem_->first_actions(static_cast<std::uint64_t>(kMostListedRows));
    listed_ = !actions_.empty();
    ys_ = read_outcomes(*problem_, request_.outcomes);
    choose_method();
    if (!full_) choose_pairs();
    if (!listed_) sample_actions();
    fill_tables();
  }

  Json run() {
    CheckFindings found{.kind = problem_->kind(),
                        .perturbation = matrix_->name(),
                        .actions = count_,
                        .outcomes = ys_.size(),
                        .every_outcome = request_.every_outcome,
                        .reward = problem_->form() == Form::kReward,
                        .claimed = request_.claimed ? request_.claimed : matrix_->gamma(),
                        .claimed_by_matrix = matrix_->gamma().has_value(),
                        .claimed_sign = matrix_->hedge_sign()};
    const HedgeSign signs[] = {HedgeSign::kMixed, HedgeSign::kNonNegative, HedgeSign::kNonPositive};
    for (std::size_t i = 0; i < 3; ++i)
      found.gamma[i] = full_ ? by_full_programme(signs[i]) : by_cutting_planes(signs[i]);
    found.delta = admissibility(tables_.gamma_rows);
    found.delta_rows = actions_.size();
    found.delta_of_all = listed_;
    found.sets = {sets(1, Weights::kAnySign), sets(1, Weights::kNonNegative), sets(-1, Weights::kNonNegative)};
    found.one_sided_objection = one_sided_objection(Noise(Exponential{}).facts(), *matrix_);
    found.centred_objection = one_sided_objection(Noise(CentredExponential{}).facts(), *matrix_);
    measure_noise(found);
    return check_json(found);
  }

 private:
  void watch(std::string_view what, std::size_t done, std::size_t of) const {
    interruption_point();
    if (request_.watch) request_.watch(what, done, of);
  }

  // The full programme looks at all pairs of actions at once and is exact; cutting planes ask an oracle for the most
  // violated rival and serve any number of actions.
  void choose_method() {
    const double pairs = static_cast<double>(actions_.size()) * static_cast<double>(ys_.size());
    const bool small = listed_ && static_cast<double>(actions_.size()) <= kMostFullRows && pairs <= kMostFullPairs;
    full_ = request_.method == CheckRequest::Method::kFull || (request_.method == CheckRequest::Method::kAuto && small);
    if (full_ && !listed_) {
      throw Error(Code::kUnavailable,
                  "the full programme lists all actions, and there are more than 5000; "
                  "cutting planes do not",
                  "method");
    }
    if (full_ && !request_.oracle) return;
    for (const auto& oracle : request_.oracle ? std::vector{request_.oracle} : problem_->oracles()) {
      // The first of the problem's oracles that takes both signs of this matrix; a named one or none.
      if (CuttingPlanes<Game>::serves(*oracle, *matrix_)) {
        oracle_ = oracle;
        return;
      }
    }
    throw Error(Code::kUnavailable,
                "cutting planes pour noise of both signs, and no oracle of \"" + std::string(problem_->kind()) +
                    "\" at hand takes those of \"" + matrix_->name() + "\"",
                "oracle");
  }

  // All pairs where they are few or asked for, else a sample.
  void choose_pairs() {
    const double pairs = static_cast<double>(actions_.size()) * static_cast<double>(ys_.size());
    every_pair_ = listed_ && (request_.pairs == 0 || pairs <= static_cast<double>(request_.pairs));
    if (every_pair_) {
      for (const auto& x : actions_) {
        for (std::size_t y = 0; y < ys_.size(); ++y) pairs_.push_back({x, y});
      }
      return;
    }
    if (request_.pairs == 0)
      throw Error(Code::kUnavailable, "all pairs were asked for, and the actions cannot be listed", "pairs");
    for (std::uint64_t i = 0; i < request_.pairs; ++i) {
      // Half of the actions are the best under noise alone, half the best where the outcome counts against itself.
      watch("sampling pairs", i, request_.pairs);
      const KeyedRandom coins(Key{.seed = request_.seed}, Purpose::kStream, i + 1);
      const std::size_t y = coins.below(KeyedRandom::kMaxColumn, ys_.size());
      pairs_.push_back({drawn_action(i, i % 2 ? -1.0 : 0.0, ys_[y]), y});
    }
    // Equal pairs would be solved twice. The order is that of actions, which sample_actions() relies on.
    const auto key = [](const CutPair<Game>& pair) { return std::tie(pair.action, pair.outcome); };
    std::sort(pairs_.begin(), pairs_.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    pairs_.erase(
        std::unique(pairs_.begin(), pairs_.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
        pairs_.end());
  }

  // The best action on weight * y under Laplace noise, which is small where y has a say.
  // The weight -1 makes actions that lose much on y: at such pairs gamma is large. 1/64 is chosen: the outcome decides,
  // and the noise breaks ties. Key i + 1 and the columns from 0 on are the draw's; the outcome was drawn at the last
  // column, which the noise never reaches.
  AnyAction drawn_action(std::uint64_t i, double weight, const AnyOutcome& y) const {
    std::vector<double> alpha(matrix_->columns());
    Noise{}.draw(KeyedRandom(Key{.seed = request_.seed}, Purpose::kStream, i + 1), alpha);
    const auto data = oracle_->empty();
    if (weight != 0) data->add(y, weight);
    Perturber perturber(oracle_, matrix_, {});
    return oracle_->best({*data, perturber.with(alpha).history(), weight != 0 ? 1.0 / 64 : 1.0}, 0).action;
  }

  // The actions of the sampled pairs stand for all where data sets and delta are looked at.
  void sample_actions() {
    for (const auto& pair : pairs_) {
      if (actions_.empty() || actions_.back() != pair.action) actions_.push_back(pair.action);
    }
  }

  // Losses only where a programme needs them: they are the larger part of the memory.
  void fill_tables() {
    const bool losses_needed = listed_ && (full_ || ys_.size() <= kMostSearched);
    for (const auto& x : actions_) {
      interruption_point();
      std::vector<double> row(matrix_->columns()), losses(losses_needed ? ys_.size() : 0);
      matrix_->row(x, row);
      for (std::size_t y = 0; y < losses.size(); ++y) losses[y] = problem_->loss(x, ys_[y]);
      tables_.gamma_rows.push_back(std::move(row));
      tables_.losses.push_back(std::move(losses));
    }
  }

  static std::string_view what(HedgeSign sign) {
    return sign == HedgeSign::kMixed ? "gamma" : sign == HedgeSign::kNonNegative ? "gamma, s >= 0" : "gamma, s <= 0";
  }

  // Of losses of unknown range gamma is the norm over the range of each outcome.
  bool relative() const { return problem_->loss_range() == LossRange::kUnknown; }

  // Dividing the losses of an outcome by its range divides its gamma by it; an outcome that tells no actions apart
  // needs no hedge.
  ConditionTables relative_tables() const {
    ConditionTables tables = tables_;
    for (std::size_t y = 0; relative() && y < ys_.size(); ++y) {
      const double range = problem_->spread(ys_[y]).range();
      for (auto& row : tables.losses) row[y] = range > 0 ? row[y] / range : 0.0;
    }
    return tables;
  }

  // Exact: low = high. The witness is the pair at which the norm of s is largest.
  GammaFound by_full_programme(HedgeSign sign) const {
    const GammaResult result = exact_gamma(relative_tables(), {.sign = sign},
                                           [&](std::size_t done, std::size_t of) { watch(what(sign), done, of); });
    GammaFound found{.low = result.gamma, .high = result.gamma, .pairs = actions_.size() * ys_.size()};
    if (!result.witness) return found;
    std::vector<CutRival<Game>> rivals;
    for (const Rival& rival : result.witness->rivals) rivals.push_back({actions_[rival.action], rival.weight});
    found.witness =
        witness_json({actions_[result.witness->action], result.witness->outcome, result.witness->s, std::move(rivals)});
    return found;
  }

  // One outcome after the other, each over its own range.
  GammaFound by_relative_planes(HedgeSign sign) const {
    CuttingPlanes<Game> planes({.problem = problem_, .oracle = oracle_, .matrix = matrix_, .sign = sign});
    GammaFound found{.low = 0,
                     .high = 0,
                     .all_actions = every_pair_,
                     .method = "cutting planes",
                     .pairs = pairs_.size(),
                     .witness = Json()};
    for (std::size_t y = 0; y < ys_.size(); ++y) {
      watch(what(sign), y, ys_.size());
      std::vector<CutPair<Game>> own;
      std::copy_if(pairs_.begin(), pairs_.end(), std::back_inserter(own),
                   [&](const auto& p) { return p.outcome == y; });
      const double range = problem_->spread(ys_[y]).range();
      if (own.empty() || !(range > 0)) continue;
      const auto result = planes.gamma(own, ys_);
      found.calls += result.calls;
      found.cuts += result.cuts;
      if (result.low / range > found.low) {
        found.low = result.low / range;
        found.witness = result.witness ? witness_json(*result.witness) : Json();
      }
      found.high = std::max(found.high, result.high / range);
    }
    return found;
  }

  // low < high where the oracle stopped at its work limit; a gamma over sampled pairs is a lower bound in either case.
  GammaFound by_cutting_planes(HedgeSign sign) const {
    if (relative()) return by_relative_planes(sign);
    CuttingPlanes<Game> planes({.problem = problem_, .oracle = oracle_, .matrix = matrix_, .sign = sign});
    const auto result =
        planes.gamma(pairs_, ys_, [&](std::size_t done, std::size_t of) { watch(what(sign), done, of); });
    return {.low = result.low,
            .high = result.high,
            .all_actions = every_pair_,
            .method = "cutting planes",
            .pairs = pairs_.size(),
            .calls = result.calls,
            .cuts = result.cuts,
            .witness = result.witness ? witness_json(*result.witness) : Json()};
  }

  // The pair at which gamma is attained, with the rivals that prove it: enough to check it by hand.
  Json witness_json(const CutWitness<Game>& witness) const {
    const AnyOutcome& y = ys_[witness.outcome];
    // Without an s the weights are those of a mixture of rivals; their scale says nothing.
    double sum = witness.s.empty() ? 0.0 : 1.0;
    if (witness.s.empty()) {
      for (const auto& rival : witness.rivals) sum += rival.weight;
    }
    const auto row_json = [&](const AnyAction& x) {
      std::vector<double> row(matrix_->columns());
      matrix_->row(x, row);
      return Json(row);
    };
    Json rivals = Json::array();
    for (const auto& [action, weight] : witness.rivals) {
      rivals.push_back(Json::object({{"action", problem_->action_json(action)},
                                     {"weight", weight / sum},
                                     {"loss", problem_->loss(action, y)},
                                     {"row", row_json(action)}}));
    }
    return Json::object({{"action", problem_->action_json(witness.action)},
                         {"outcome", problem_->outcome_json(y)},
                         {"loss", problem_->loss(witness.action, y)},
                         {"row", row_json(witness.action)},
                         {"s", witness.s.empty() ? Json() : Json(witness.s)},
                         {"rivals", std::move(rivals)}});
  }

  // What the matrix knows by construction; where it knows none, a programme over the outcomes at hand.
  SetsFound sets(int sign, Weights weights) const {
    SetsFound found{.sign = sign, .weights = weights, .checked_on = actions_.size(), .data = Json::array()};
    std::vector<std::optional<Dataset<AnyOutcome>>> all;
    for (std::size_t j = 0; j < matrix_->columns(); ++j)
      all.push_back(matrix_->data({.column = j, .sign = sign, .weights = weights}));
    const auto none = [](const auto& set) { return !set.has_value(); };
    if (std::any_of(all.begin(), all.end(), none)) {
      found.searched = !tables_.losses.empty() && !tables_.losses.front().empty() && ys_.size() <= kMostSearched;
      if (found.searched) search_sets(found, all);
    }
    const auto missing = std::find_if(all.begin(), all.end(), none);
    if (missing != all.end()) found.missing = static_cast<std::size_t>(missing - all.begin());
    hold_against_columns(all, found);
    for (const auto& set : all) {
      if (!set) {
        found.data.push_back(Json());
        continue;
      }
      Json points = Json::array();
      for (const auto& [weight, y] : *set) {
        points.push_back(Json::object({{"weight", weight}, {"outcome", problem_->outcome_json(y)}}));
      }
      found.data.push_back(std::move(points));
    }
    return found;
  }

  // One linear programme a column: weights whose sum of losses (or rewards) is the column but for a constant.
  void search_sets(SetsFound& found, std::vector<std::optional<Dataset<AnyOutcome>>>& all) const {
    watch("data sets", 0, 1);
    ConditionTables data = tables_;
    if (problem_->form() == Form::kReward) {
      for (auto& row : data.losses) {
        for (double& entry : row) entry = 1 - entry;
      }
    }
    const Implementation made = implement(data, {.sign = found.sign, .weights = found.weights});
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (all[j] || made.weights[j].empty()) continue;
      found.by = "linear programme";
      all[j].emplace();
      for (std::size_t y = 0; y < ys_.size(); ++y) {
        if (made.weights[j][y] != 0) all[j]->push_back({made.weights[j][y], ys_[y]});
      }
    }
  }

  // The range over actions of (what the set makes) - sign * column: 0 up to rounding for a true set.
  void hold_against_columns(const std::vector<std::optional<Dataset<AnyOutcome>>>& all, SetsFound& found) const {
    std::size_t points = 0;
    for (const auto& set : all) points += set ? set->size() : 0;
    // Every stride-th action, so that at most about kMostHeld losses are computed.
    const std::size_t stride = 1 + points * actions_.size() / kMostHeld;
    found.checked_on = (actions_.size() + stride - 1) / stride;
    for (std::size_t j = 0; j < all.size(); ++j) {
      watch("data sets", j, all.size());
      if (!all[j]) continue;
      double low = kNoBound, high = -kNoBound;
      for (std::size_t k = 0; k < actions_.size(); k += stride) {
        double made = -found.sign * tables_.gamma_rows[k][j];
        for (const auto& [weight, y] : *all[j]) {
          const double loss = problem_->loss(actions_[k], y);
          made += weight * (problem_->form() == Form::kReward ? 1 - loss : loss);
        }
        low = std::min(low, made);
        high = std::max(high, made);
      }
      found.gap = std::max(found.gap, high - low);
    }
  }

  // M by an oracle with the work limit of learners, so that the figure is the one that a learner would play by.
  void measure_noise(CheckFindings& found) const {
    const Noise noise = Noise::parse(request_.noise, "noise");
    found.run = {.proof = Proof::kNone,
                 .ln_size = problem_->ln_size(),
                 .columns = static_cast<double>(matrix_->columns()),
                 .unit_entries = matrix_->unit_entries(),
                 .c = request_.c,
                 .noise = noise.facts()};
    if (request_.rounds || request_.best) {
      // L* is at most T, and every upper bound grows with it.
      found.run.best = request_.best.value_or(static_cast<double>(request_.rounds.value_or(0)));
      found.run.rounds = request_.rounds.value_or(static_cast<std::uint64_t>(found.run.best) + 1);
      found.run.total = found.run.floor = found.run.best;
    }
    if (noise.facts().one_sided && matrix_->hedge_sign() == HedgeSign::kMixed) return;
    watch("M", 0, 1);
    // An oracle from outside may miss the maximum, and M would be too small.
    auto oracle = oracle_ && oracle_->claims().empty() ? oracle_ : problem_->oracles().front();
    if (auto limited = oracle->limited(kLearnerWork)) oracle = std::move(limited);  // as a learner would
    found.size = size_of_noise(oracle, matrix_, noise);
    found.run.noise_size = found.size->high;
  }

  std::shared_ptr<const Game> problem_;
  std::optional<double> count_;
  std::vector<AnyAction> actions_;  // all, or those of the sampled pairs
  const CheckRequest& request_;
  bool listed_ = false;
  std::shared_ptr<const GameMatrix> matrix_;
  std::shared_ptr<const GameOracle> oracle_;  // where it was chosen
  std::vector<AnyOutcome> ys_;
  bool full_ = true;
  bool every_pair_ = true;
  std::vector<CutPair<Game>> pairs_;
  ConditionTables tables_;  // losses only where they are needed
};

}  // namespace

Json check(std::shared_ptr<const Game> problem, const CheckRequest& request) {
  return Checker(std::move(problem), request).run();
}

}  // namespace hannan::detail
