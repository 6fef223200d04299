// Does a round cost more with 10^5 segments than with 10^2? Lazy reserves of two bidders, one column, the default
// learner; every segment is open before the measurement. The figures are medians of blocks of rounds.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/runtime/context_learner.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::uint64_t kBlock = 1000;  // rounds
constexpr int kBlocks = 31;

// Round t: its segment and two bids are functions of t.
struct Market {
  std::uint64_t segments;
  KeyedRandom random{Key{.seed = 31}, Purpose::kStream, 1};

  void play(ContextLearner& learner, std::uint64_t t, std::uint64_t segment, AnyOutcome& outcome) const {
    const std::vector<std::string> context{std::to_string(segment)};
    const double bids[] = {random.uniform(3 * t), random.uniform(3 * t + 1)};
    learner.game().read_row(bids, outcome);
    learner.observe(context, outcome);
  }
  std::uint64_t segment_of(std::uint64_t t) const { return random.below(3 * t + 2, segments); }
};

// Segments of the measured rounds are drawn at random, so that a round's learner is seldom in a cache.
double seconds_a_round(const Setting& setting, std::uint64_t segments) {
  const auto problem =
      make_problem("vcg-reserves", Json::object({{"bidders", 2}, {"levels", 20}, {"rule", "lazy"}}), "params");
  const auto learner = problem->learner<ContextLearner>(
      "flipflop", Json::object({{"by", Json::array({"site"})}, {"most", 200'000}, {"track", "end"}}));
  ContextLearner& tree = *learner;
  const Market market{.segments = segments};
  AnyOutcome outcome;
  std::uint64_t t = 0;
  // Twice through all of them, so that each has played.
  for (; t < 2 * segments; ++t) market.play(tree, t, t % segments, outcome);
  std::vector<double> blocks;
  for (int b = 0; b < setting.pick(kBlocks, 2); ++b) {
    const std::uint64_t block = setting.pick<std::uint64_t>(kBlock, 20);
    const Stopwatch watch;
    for (const std::uint64_t end = t + block; t < end; ++t) market.play(tree, t, market.segment_of(t), outcome);
    blocks.push_back(watch.seconds() / static_cast<double>(block));
  }
  return median(std::move(blocks));
}

}  // namespace

std::vector<Row> segments_race(const Setting& setting) {
  const std::uint64_t many = setting.pick<std::uint64_t>(100'000, 200), few = setting.pick<std::uint64_t>(100, 20);
  setting.say(fmt::format("segments: {} and {}", many, few));
  return {{.name = "segments/vcg-reserves",
           .unit = "ns/round",
           .ours = 1e9 * seconds_a_round(setting, many),
           .rival = 1e9 * seconds_a_round(setting, few),
           .goal = Goal{.sense = Goal::Sense::kAtMost, .ratio = 2},
           .note = fmt::format("flipflop with {} segments over {}; what is left is memory that no cache holds", many,
                               few)}};
}

}  // namespace hannan::detail::bench
