// Learners of a given problem for the segments of a tree: parts and buffers are shared, a segment has its history and
// the numbers of its learner alone.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/json_archive.hpp"
#include "hannan/runtime/make_learner.hpp"
#include "hannan/runtime/segment_learners.hpp"

namespace hannan::detail {

template <class P>
class SegmentLearnersOf final : public SegmentLearners {
 public:
  SegmentLearnersOf(std::shared_ptr<const GameOf<P>> game, const LearnerParams& params)
      : problem_(game->problem()), maker_(std::move(game), params), key_(params.key), alpha_(params.segments.alpha) {
    if (!alpha_ || !maker_.matrix()) return;
    for (const auto& [segment, noise] : *alpha_)
      maker_.check_given(path_of("params.alpha", segment), noise.draws, maker_.matrix()->columns());
  }

  // Noise is worked out in one buffer a place: of a path all learners decide before the first of them settles.
  void open(const Opening& opening) override {
    typename LearnerMaker<P>::Turn turn;
    turn.key = {.seed = key_.seed, .run = key_.run + opening.run};
    if (alpha_) {
      const auto given = alpha_->find(opening.name);
      turn.alpha = given == alpha_->end() ? GivenNoise{} : given->second;
    }
    if (maker_.matrix()) {
      if (buffers_.size() <= opening.place) buffers_.resize(opening.place + 1);
      auto& buffer = buffers_[opening.place];
      if (!buffer) buffer = std::make_shared<RoundNoise<P>>(maker_.oracle(), maker_.matrix());
      turn.buffer = {buffer, std::uint64_t{opening.id} + 1};
    }
    if (learners_.size() <= opening.id) learners_.resize(opening.id + 1);
    learners_[opening.id] = maker_.make(std::move(turn));
  }
  void clear() override { learners_.clear(); }
  void watch(Id id, const AnyOutcome& y) override { learners_[id]->watch(y.get<typename P::Outcome>()); }

  // The learner, and what was allocated right after it: its history, most often.
  void fetch(Id id) const override {
    constexpr std::size_t kLine = 64;  // bytes of a cache line
    const auto* bytes = reinterpret_cast<const char*>(learners_[id].get());
    for (std::size_t at = 0; at < 2 * sizeof(Learner<P>); at += kLine) __builtin_prefetch(bytes + at);
  }
  ActView act(Id id) override {
    const auto& decision = decide(id);
    return {.round = learners_[id]->rounds() + 1,
            .eta = decision.eta,
            .multiplier = decision.multiplier,
            .regime = decision.regime,
            .weights = {}};
  }
  Json action(Id id) override { return Codec<P>::action_json(*problem_, decide(id).action); }
  Settled observe(Id id, const AnyOutcome& y) override {
    const auto& step = learners_[id]->observe(y.get<typename P::Outcome>());
    return {.loss = step.loss,
            .stability = step.stability,
            .has_after = step.after.has_value(),
            .estimates = step.estimates};
  }
  Json after(Id id) override { return Codec<P>::action_json(*problem_, *learners_[id]->last_step().after); }

  LeastLoss least(Id id) override {
    if (learners_[id]->rounds() == 0) return {.value = 0, .floor = 0, .known = true};
    const auto& best = learners_[id]->seen().peek();
    return {.value = best.value, .floor = best.floor, .known = true};
  }
  Json leader(Id id) override { return Codec<P>::action_json(*problem_, learners_[id]->seen().peek().action); }

  Watched watched(std::span<const AnyOutcome> outcomes) const override {
    const auto history = maker_.oracle()->empty();
    for (const AnyOutcome& y : outcomes) history->add(y.get<typename P::Outcome>(), 1.0);
    const auto best = maker_.oracle()->best({*history, *history, 0.0}, 0);
    return {.least = {.value = best.value, .floor = best.floor, .known = true},
            .leader = Codec<P>::action_json(*problem_, best.action)};
  }

  Counts counts(Id id) const override {
    const Learner<P>& learner = *learners_[id];
    return {.rounds = learner.rounds(),
            .oracle_calls = learner.oracle_calls(),
            .search_nodes = learner.search_nodes(),
            .gap = learner.oracle_gap()};
  }
  void archive(Id id, Archive& a) override { learners_[id]->archive(a); }

  Json params() const override {
    LearnerParams whole = maker_.params();
    whole.key = key_;
    whole.alpha.reset();
    return learner_json(whole);
  }
  std::string_view claims() const override { return maker_.oracle()->claims(); }
  Constants constants() override {
    if (!maker_.matrix()) return {};
    return {.columns = maker_.matrix()->columns(),
            .gamma = maker_.params().gamma,
            .claimed = maker_.matrix()->gamma(),
            .noise_size = noise_size()};
  }

 private:
  const Decision<typename P::Action>& decide(Id id) {
    Learner<P>& learner = *learners_[id];
    try {
      return learner.act();
    } catch (const Error&) {
      JsonWriter before;
      learner.archive(before);
      const Json state = before.take();
      JsonReader back(state, "state");
      learner.archive(back);
      throw;
    }
  }
  std::optional<double> noise_size() {
    const LearnerParams& p = maker_.params();
    if (!p.takes("M")) return std::nullopt;
    return alpha_ && p.noise_size ? *p.noise_size : maker_.measured_noise_size().high;
  }

  std::shared_ptr<const P> problem_;
  LearnerMaker<P> maker_;
  Key key_;  // of the root
  std::optional<std::map<std::string, GivenNoise>> alpha_;
  std::vector<std::shared_ptr<RoundNoise<P>>> buffers_;  // by place
  std::vector<std::unique_ptr<Learner<P>>> learners_;    // by segment; null where it is closed
};

}  // namespace hannan::detail
