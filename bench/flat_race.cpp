// Does a round cost more after 10^6 rounds than after 10^3? Independent outcomes, the default learner; the
// figures are medians of blocks of rounds, so that a neighbour's burst falls on a few of them only.
#include <fmt/format.h>

#include "bench/instances.hpp"
#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::uint64_t kDeck = 4096;   // outcomes, dealt round and round
constexpr std::uint64_t kBlock = 1000;  // rounds
constexpr int kBlocks = 31;
constexpr double kMostSeconds = 25;  // for one kind

// Outcomes are made before the watch runs. Rows of numbers are read as rows, as a run from a table does; other outcomes
// are parsed in every round, which is the same cost early and late.
class Dealer {
 public:
  Dealer(const AnyProblem& problem, std::vector<Json> cards) : cards_(std::move(cards)) {
    for (const Json& card : cards_) rows_.push_back(row_of(problem, card));
  }
  void deal(PlainLearner& learner, std::uint64_t t) {
    learner.act();
    const std::size_t i = t % cards_.size();
    if (rows_[i].empty()) {
      learner.game().read_outcome(cards_[i], "outcome", outcome_);
    } else {
      learner.game().read_row(rows_[i], outcome_);
    }
    learner.observe(outcome_);
  }
  // Seconds of rounds t .. t + count - 1.
  double timed(PlainLearner& learner, std::uint64_t t, std::uint64_t count) {
    const Stopwatch watch;
    for (std::uint64_t end = t + count; t < end; ++t) deal(learner, t);
    return watch.seconds();
  }

 private:
  std::vector<Json> cards_;
  std::vector<std::vector<double>> rows_;
  AnyOutcome outcome_;
};

Row flat_row(const Setting& setting, std::string_view kind) {
  const auto problem = instance(kind, InstanceSize::kFlat);
  Dealer dealer(*problem, deck(*problem, {.count = kDeck, .seed = 11}));
  const auto fresh = [&] { return problem->learner("flipflop", Json::object({{"track", "end"}})); };
  const std::uint64_t block = setting.pick<std::uint64_t>(kBlock, 20),
                      late = setting.pick<std::uint64_t>(1'000'000, 200);
  const int blocks = setting.pick(kBlocks, 2);

  const WallClock watch;
  const auto learner = fresh();
  std::uint64_t t = 0;
  const std::uint64_t enough = static_cast<std::uint64_t>(blocks) * block;
  // Ages the learner up to t = 10^6, or as far as the time goes; the note says how far that was.
  while (t + enough < late && watch.seconds() < kMostSeconds) {
    dealer.timed(*learner, t, block);
    t += block;
  }
  // Early and late blocks in turns: whatever else the machine does falls on both.
  std::vector<double> early_blocks, late_blocks;
  for (int i = 0; i < blocks; ++i) {
    const auto young = fresh();
    dealer.timed(*young, 0, block / 2);
    early_blocks.push_back(dealer.timed(*young, block / 2, block));
    late_blocks.push_back(dealer.timed(*learner, t, block));
    t += block;
  }
  const double scale = 1e9 / static_cast<double>(block);
  return {.name = "flat/" + std::string(kind),
          .unit = "ns/round",
          .ours = scale * median(late_blocks),
          .rival = scale * median(early_blocks),
          .goal = Goal{.sense = Goal::Sense::kAtMost, .ratio = 1.1},
          .note = fmt::format("flipflop at t = {} over t = {}", t, block)};
}

}  // namespace

std::vector<Row> flat_race(const Setting& setting) {
  std::vector<Row> rows;
  for (const ProblemKind& kind : problem_kinds()) {
    if (!has_instance(kind.name, InstanceSize::kFlat)) continue;
    setting.say("flat: " + std::string(kind.name));
    rows.push_back(flat_row(setting, kind.name));
  }
  return rows;
}

}  // namespace hannan::detail::bench
