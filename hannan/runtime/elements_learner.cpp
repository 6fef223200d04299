// Rounds of which the own elements are seen (elements_learner.hpp; docs/theory-partial.md, elements).
#include "hannan/runtime/elements_learner.hpp"

#include <string>
#include <utility>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// One column an element, and no pool: every choice is a search on new noise.
LearnerParams on_elements(const Game& game, LearnerParams params) {
  if (const auto elements = game.elements()) params.perturbation = elements->noise;
  params.pool = 0;
  return params;
}

[[noreturn]] void refuse_shown(std::size_t parts) {
  throw Error(Code::kBadOutcome,
              "elements takes what the own action showed: " + std::to_string(parts) +
                  (parts == 1 ? " number" : " numbers") + R"(, as {"seen": [...]})",
              "outcome");
}

constexpr const char* kMeasuredSays =
    "an estimate: the mean regret is at most the mean of this over the noise; needs an M that is exact or an upper "
    "limit";
constexpr const char* kElementsLimitSays =
    "with this certainty the realised regret is at most this, at every round; what was hardly ever tried cannot be "
    "excluded";
constexpr const char* kNothingCertain = "nothing is certain beyond what was lost";

}  // namespace

ElementsLearner::ElementsLearner(std::shared_ptr<const Game> game, LearnerParams params)
    : PartLearner(game, params.kind->name, {.adapts_multiplier = true}),
      maker_(game, on_elements(*game, std::move(params))),
      learner_(parts()) {
  params_ = learner_json(maker_.params());
  round_.elements = &elements_;
}

ResampledAda::Parts ElementsLearner::parts() {
  // Before M is measured, which may cost thousands of searches.
  const bool possible = game().elements().has_value();
  return {.game = maker_.game(),
          .oracle = maker_.oracle(),
          .matrix = maker_.matrix(),
          .key = maker_.params().key,
          .noise_size = possible ? maker_.upper_noise_size() : 0,
          .cap = maker_.params().elements->cap,
          .delta = maker_.params().delta};
}

const Round& ElementsLearner::act() {
  const ResampledAda::Choice& choice = learner_.act();
  round_.number = learner_.rounds() + 1;
  round_.action = &choice.action;
  round_.multiplier = choice.multiplier;
  elements_.cap = choice.most_draws;
  return round_;
}

void ElementsLearner::expect(const Seen& seen) {
  const std::size_t wanted = learner_.act().elements.size();
  if (!seen.parts || seen.parts->size() != wanted || seen.outcome || seen.lost) refuse_shown(wanted);
}

const Round& ElementsLearner::observe(const Seen& seen) {
  expect(seen);
  act();
  const ResampledAda::Step& step = learner_.observe(*seen.parts);
  round_.loss = step.loss;
  round_.total = learner_.account().total();
  round_.gap = step.gap;
  round_.stability = {1, {learner_.stability(), 0}};
  round_.oracle_calls = learner_.oracle_calls();
  elements_.seen = *seen.parts;
  elements_.copies = step.copies;
  elements_.capped = step.capped;
  elements_.draws = step.draws;
  elements_.measured = learner_.measured();
  return round_;
}

PartLearner::Seen ElementsLearner::read_seen(Fields& in) {
  const std::size_t wanted = learner_.act().elements.size();
  const Json* outcome = in.maybe("outcome");
  in.done();
  const Json* list = outcome && outcome->is_object() && outcome->size() == 1 ? outcome->find("seen") : nullptr;
  if (!list || !list->is_array() || list->size() != wanted) refuse_shown(wanted);
  seen_.clear();
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::string at = path_of("outcome.seen", i);
    seen_.push_back(to_number((*list)[i], at));
    if (!(seen_[i] >= 0 && seen_[i] <= 1))
      throw Error(Code::kLossRange, "found " + dump((*list)[i]) + ", expected a loss in [0,1]", at);
  }
  return {.raw = {}, .parts = seen_, .message = {}};
}

PartLearner::Seen ElementsLearner::shown(const AnyOutcome& y) {
  const auto& elements = learner_.act().elements;
  seen_.resize(elements.size());
  game().element_losses(y, elements, seen_);
  return {.raw = {}, .parts = seen_, .message = {}};
}

AnyLearner::RunView ElementsLearner::said_of_regret() {
  return {.run = learner_.measured() / game().normaliser(), .limit = learner_.limit() / game().normaliser()};
}

RunFacts ElementsLearner::facts() {
  RunFacts run;
  run.ln_size = game().ln_size();
  run.rounds = learner_.rounds();
  run.oracle_calls = learner_.oracle_calls();
  run.delta = maker_.params().delta;
  return run;
}

Json ElementsLearner::report() {
  const double total = learner_.account().total(), measured = learner_.measured(), limit = learner_.limit();
  const double normaliser = game().normaliser();
  Json warnings = Json::array();
  if (!(limit < total)) warnings.push_back(kNothingCertain);
  return Json::object(
      {{"problem", game().kind()},
       {"learner", kind()},
       {"params", params()},
       {"feedback", "elements"},
       {"rounds", learner_.rounds()},
       {"total", total},
       {"best", nullptr},
       {"regret", nullptr},
       {"stability", learner_.stability()},
       {"measured", measured},
       {"limit", limit},
       {"delta", maker_.params().delta},
       {"over_normaliser", Json::object({{"normaliser", normaliser},
                                         {"total", total / normaliser},
                                         {"measured", measured / normaliser},
                                         {"limit", limit / normaliser}})},
       {"draws", learner_.draws()},
       {"oracle_calls", learner_.oracle_calls()},
       {"warnings", std::move(warnings)},
       {"certificate", Json::object({{"bounds", Json::array({stated("measured", measured, kMeasuredSays),
                                                             stated("limit", limit, kElementsLimitSays)})},
                                     {"assumptions", Json::object({{"M", *maker_.params().noise_size}})}})}});
}

}  // namespace hannan::detail
