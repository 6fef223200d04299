// The row of `off`.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/io/limits.hpp"
#include "hannan/learners/off.hpp"
#include "hannan/runtime/make_learner.hpp"

namespace hannan::detail {

struct OffRow final : LearnerOptions {
  static constexpr LearnerFacts kFacts{
      .name = "off",
      .about = "oracle-efficient flip-flop (Algorithm 3, repaired)",
      .params = "perturbation noise draw alpha gamma c M estimator feed mc switch_a switch_b",
      .proof = Proof::kOff,
      .switches = true,
      .needs_gamma = true,
      .by_context = true};
  using Draws = std::vector<std::vector<std::vector<double>>>;  // per round, n lists of N

  OffEstimator estimator = OffEstimator::kPaper;
  Feed feed = Feed::kPlayed;
  OffSwitching switching;
  std::uint64_t mc_draws = 16;
  Draws mc_given;

  void parse(Fields& fields, const LearnerParams&) {
    const std::string word =
        fields.choice("estimator", {"paper", "tight", "trajectory", "regret", "realised", "reused"}, "paper");
    estimator =
        static_cast<OffEstimator>(std::find(kEstimators.begin(), kEstimators.end(), word) - kEstimators.begin());
    feed = fields.choice("feed", {"played", "next"}, "played") == "next" ? Feed::kNext : Feed::kPlayed;
    switching = {.a = fields.number("switch_a", limits::kTuning, 1.0),
                 .b = fields.number("switch_b", limits::kTuning, 1.0)};
    const Json* mc = fields.maybe("mc");
    if (!mc) return;
    if (!mc->is_array()) {
      mc_draws = static_cast<std::uint64_t>(to_integer(*mc, fields.at("mc"), {1, 1'000'000}));
      return;
    }
    for (std::size_t t = 0; t < mc->size(); ++t)
      mc_given.push_back(to_matrix((*mc)[t], path_of(fields.at("mc"), t), limits::kEntry));
  }
  void print(Json& json) const override {
    json.set("estimator", estimator_name());
    json.set("feed", feed == Feed::kNext ? "next" : "played");
    json.set("switch_a", switching.a);
    json.set("switch_b", switching.b);
    json.set("mc", mc_given.empty() ? Json(mc_draws) : Json::array(mc_given));
  }
  void state(RunFacts& run) const override {
    run.estimator = estimator_name();
    run.off_as_proven = feed == Feed::kPlayed && switching.a == 1 && switching.b == 1;
  }

  template <class P>
  std::unique_ptr<Learner<P>> make(LearnerMaker<P>& parts) const {
    const bool needs_size = estimator == OffEstimator::kTight || estimator == OffEstimator::kTrajectory;
    const OffEstimate::Setting estimate{.kind = estimator,
                                        .ln_size = parts.problem()->ln_size(),
                                        .columns = static_cast<double>(parts.matrix()->columns()),
                                        .gamma = *parts.params().gamma,
                                        .c = parts.params().c,
                                        .noise_size = needs_size ? parts.noise_size() : 0.0};
    return std::make_unique<Off<P>>(typename Off<P>::Parts{parts.problem(), parts.oracle(), parts.perturber(),
                                                           parts.small_loss(), estimate, switching, feed,
                                                           monte_carlo(parts)});
  }

 private:
  // In the order of the enumeration, so a name's place is its value.
  static constexpr std::array<std::string_view, 6> kEstimators{"paper",  "tight",    "trajectory",
                                                               "regret", "realised", "reused"};
  std::string_view estimator_name() const { return kEstimators[static_cast<std::size_t>(estimator)]; }

  template <class P>
  MonteCarlo monte_carlo(LearnerMaker<P>& parts) const {
    if (!mc_given.empty()) {
      for (std::size_t t = 0; t < mc_given.size(); ++t)
        parts.check_given(path_of("params.mc", t), mc_given[t], parts.matrix()->columns());
      return given_draws();
    }
    // Draw i of round t is draw (t-1) n + i + 1 of the key's Monte-Carlo noise.
    return {[n = mc_draws](std::uint64_t) { return static_cast<std::size_t>(n); },
            [noise = parts.noise(), key = parts.params().key, signs = parts.signs(), n = mc_draws](
                std::uint64_t round, std::size_t i, std::span<double> alpha) {
              noise.draw(KeyedRandom(key, Purpose::kMonteCarlo, (round - 1) * n + i + 1), alpha, *signs);
            }};
  }
  MonteCarlo given_draws() const {
    const auto given = std::make_shared<const Draws>(mc_given);
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
};

}  // namespace hannan::detail
