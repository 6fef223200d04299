// The learners of all open segments: made by one maker with keys of their own, so that segments draw independent noise,
// and sharing what can be shared (oracle, matrix, buffers of noise). Thousands of them may live at once.
#include "hannan/runtime/segment_learners.hpp"

#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/json_archive.hpp"

namespace hannan::detail {
namespace {

// Counts the numbers of a state, and writes nothing.
class NumberCounter final : public Archive {
 public:
  std::uint64_t found = 0;

  bool reading() const override { return false; }
  using Archive::field;
  void field(const char*, std::string& value) override { found += 1 + value.size() / sizeof(double); }
  void open(const char*) override {}
  void close() override {}
  std::uint64_t open_list(const char*, std::uint64_t size) override { return size; }
  void item() override {}
  void close_list() override {}
  [[noreturn]] void refuse(const char* name, const std::string& what) const override {
    throw Error(Code::kInternal, what, name);
  }

 protected:
  bool has(const char*) const override { return true; }
  void number(const char*, double&, SavedRange) override { ++found; }
  void whole(const char*, std::uint64_t&, std::uint64_t) override { ++found; }
  void numbers(const char*, std::vector<double>& values, SavedSize, SavedRange) override { found += values.size(); }
};

}  // namespace

SegmentLearners::SegmentLearners(std::shared_ptr<const Game> game, const LearnerParams& params)
    : game_(std::move(game)), maker_(game_, params), key_(params.key), alpha_(params.segments.alpha) {
  if (!alpha_ || !maker_.matrix()) return;
  for (const auto& [segment, noise] : *alpha_)
    maker_.check_given(path_of("params.alpha", segment), noise.draws, maker_.matrix()->columns());
}

// Noise is worked out in one buffer a place: of a path all learners decide before the first of them settles.
void SegmentLearners::open(const Opening& opening) {
  LearnerMaker::Turn turn;
  turn.key = {.seed = key_.seed, .run = key_.run + opening.run};
  if (alpha_) {
    const auto given = alpha_->find(opening.name);
    turn.alpha = given == alpha_->end() ? GivenNoise{} : given->second;
  }
  if (maker_.matrix()) {
    if (buffers_.size() <= opening.place) buffers_.resize(opening.place + 1);
    auto& buffer = buffers_[opening.place];
    if (!buffer) buffer = std::make_shared<RoundNoise>(maker_.oracle(), maker_.matrix());
    turn.buffer = {buffer, std::uint64_t{opening.id} + 1};
  }
  if (learners_.size() <= opening.id) learners_.resize(opening.id + 1);
  learners_[opening.id] = maker_.make(std::move(turn));
}

// The learner, and what was allocated right after it: its history, most often.
void SegmentLearners::fetch(Id id) const {
  constexpr std::size_t kLine = 64;  // bytes of a cache line
  const auto* bytes = reinterpret_cast<const char*>(learners_[id].get());
  for (std::size_t at = 0; at < 2 * sizeof(Learner); at += kLine) __builtin_prefetch(bytes + at);
}

// As PlainLearner::decide: a decision half made is forgotten by writing the state and reading it back.
const Decision& SegmentLearners::act(Id id) {
  Learner& learner = *learners_[id];
  try {
    const Decision& decision = learner.act();
    learner.shrink();
    return decision;
  } catch (const Error&) {
    JsonWriter before;
    learner.archive(before);
    const Json state = before.take();
    JsonReader back(state, "state");
    learner.archive(back);
    throw;
  }
}

const Step& SegmentLearners::observe(Id id, const AnyOutcome& y) {
  Learner& learner = *learners_[id];
  const Step& step = learner.observe(y);
  learner.shrink();
  return step;
}

const GameAnswer& SegmentLearners::peek(Id id) const {
  const GameAnswer& best = learners_[id]->seen().peek();
  learners_[id]->shrink();
  return best;
}

LeastLoss SegmentLearners::least(Id id) const {
  if (learners_[id]->rounds() == 0) return {.value = 0, .floor = 0, .known = true};
  const auto& best = peek(id);
  return {.value = best.value, .floor = best.floor, .known = true};
}

// A search of its own over a new history: closed segments have no learner.
SegmentLearners::Watched SegmentLearners::watched(std::span<const AnyOutcome> outcomes) const {
  const auto history = maker_.oracle()->empty();
  for (const AnyOutcome& y : outcomes) history->add(y, 1.0);
  const auto best = maker_.oracle()->best({*history, *history, 0.0}, 0);
  return {.least = {.value = best.value, .floor = best.floor, .known = true},
          .leader = game_->action_json(best.action)};
}

SegmentLearners::Counts SegmentLearners::counts(Id id) const {
  const Learner& learner = *learners_[id];
  return {.rounds = learner.rounds(),
          .oracle_calls = learner.oracle_calls(),
          .search_nodes = learner.search_nodes(),
          .gap = learner.oracle_gap()};
}

// A number of a new state becomes a sum and what rounding cut off it (core/long_sums.hpp); as much as one of them again
// is for outcomes that wait and for searches. What is not in a state (the learner's own members, its last decision,
// blocks of the allocator) is about 2 KB.
double SegmentLearners::bytes(Id id) {
  constexpr double kBesidesState = 2048, kNumber = 3 * sizeof(double);
  NumberCounter counter;
  learners_[id]->archive(counter);
  return kBesidesState + kNumber * static_cast<double>(counter.found);
}

// The parameters as given for the whole: key and noise of single segments are left out.
Json SegmentLearners::params() const {
  LearnerParams whole = maker_.params();
  whole.key = key_;
  whole.alpha.reset();
  return learner_json(whole);
}

SegmentLearners::Constants SegmentLearners::constants() {
  if (!maker_.matrix()) return {};
  return {.columns = maker_.matrix()->columns(),
          .gamma = maker_.params().gamma,
          .claimed = maker_.matrix()->gamma(),
          .noise_size = noise_size()};
}

std::optional<double> SegmentLearners::noise_size() {
  const LearnerParams& p = maker_.params();
  if (!p.takes("M")) return std::nullopt;
  return alpha_ && p.noise_size ? *p.noise_size : maker_.measured_noise_size().high;
}

}  // namespace hannan::detail
