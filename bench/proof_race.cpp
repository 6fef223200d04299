// How much of the best reserves' loss two exact searches leave unproven: by boxes, until it is done, and value by
// value with 3,000 nodes, beyond which its floor hardly rises. Nothing is known beforehand; seconds are in the notes.
// Then the nodes of the search by boxes as a function of the scale of noise, its processor time on two threads, and
// what all searches of an online run left unproven.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/oracles/box_search.hpp"
#include "hannan/oracles/branch_bound.hpp"
#include "hannan/play/play.hpp"
#include "hannan/problems/vcg_reserves/reserve_boxes.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/streams/market_source.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::uint64_t kNodesByValue = 3000;

struct Size {
  int bidders, levels;
  std::uint64_t rounds;
};

// Bids of a simulated market, the same for both searches.
ReserveModel evidence(std::string_view stream, const Size& size) {
  const Market market({.name = std::string(stream), .key = {.seed = 1}});
  ReserveModel model({.bidders = size.bidders, .auction = {.levels = size.levels, .units = 1}, .normaliser = 1});
  std::vector<double> bids(static_cast<std::size_t>(size.bidders));
  for (std::uint64_t t = 1; t <= size.rounds; ++t) {
    for (std::size_t i = 0; i < bids.size(); ++i) bids[i] = market.value(t, i);
    model.add(bids, 1.0);
  }
  return model;
}

// Percent of the value found that the floor is below it.
double open_percent(const SearchResult& found) {
  const double value = found.pool[0].value, gap = value - found.floor;
  return gap <= tie_window(value) ? 0.0 : 100 * gap / value;
}

// Ours must leave nothing unproven: the goal is a ratio of 0.
Row proof_row(std::string_view stream, const Size& size) {
  ReserveModel model = evidence(stream, size);
  ReserveBoxes boxes(model);
  const Stopwatch watch;
  const SearchResult by_boxes = box_search(boxes, {.keep = 1, .limits = {}, .hints = {}});
  const double seconds = watch.seconds();
  const Stopwatch again;
  const SearchResult by_values = branch_bound(model, {.keep = 1, .limits = {.nodes = kNodesByValue}, .hints = {}});
  return {.name = fmt::format("proof/{}/{}/{}/{}", stream, size.bidders, size.levels, size.rounds),
          .unit = "% unproven",
          .ours = open_percent(by_boxes),
          .rival = open_percent(by_values),
          .goal = Goal{.sense = Goal::Sense::kAtMost, .ratio = 0},
          .note = fmt::format("boxes {:.6f} in {:.2f} s, {} nodes; value by value {:.6f} in {:.2f} s, {} nodes",
                              by_boxes.pool[0].value, seconds, by_boxes.nodes, by_values.pool[0].value, again.seconds(),
                              by_values.nodes)};
}

// The noise of the perturbation `bits`: a Laplace number for every bit of every reserve.
void add_bits(ReserveModel& model, double scale) {
  const std::size_t levels = model.domain(0);
  std::size_t bits = 0;
  while ((std::size_t{1} << bits) < levels) ++bits;
  const KeyedRandom random(Key{.seed = 1}, Purpose::kNoise, 1);
  std::vector<double> table(levels);
  for (std::size_t i = 0; i < model.coordinates(); ++i) {
    std::fill(table.begin(), table.end(), 0.0);
    for (std::size_t b = 0; b < bits; ++b) {
      const double u = random.uniform(i * bits + b);
      const double drawn = u < 0.5 ? std::log(2 * u) : -std::log(2 * (1 - u));
      for (std::size_t d = 0; d < levels; ++d) table[d] += (d >> b & 1U) != 0 ? drawn : 0.0;
    }
    model.add_table(i, table, scale);
  }
}

// How much harder a search becomes as noise grows, from none to ten times the losses of a round.
std::vector<Row> noise_rows(const Setting& setting, const Size& size) {
  std::vector<Row> rows;
  std::optional<double> plain;
  for (const double scale : {0.0, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0}) {
    setting.say(fmt::format("proof: noise of scale {}", scale));
    ReserveModel model = evidence("lognormal", size);
    if (scale > 0) add_bits(model, scale);
    ReserveBoxes boxes(model);
    const Stopwatch watch;
    const SearchResult found = box_search(boxes, {.keep = 1, .limits = {}, .hints = {}});
    const auto nodes = static_cast<double>(found.nodes);
    if (!plain) plain = nodes;
    rows.push_back({.name = fmt::format("proof/noise/{}/{}/{}/{}", scale, size.bidders, size.levels, size.rounds),
                    .unit = "nodes",
                    .ours = nodes,
                    .rival = plain,
                    .goal = {},
                    .note = fmt::format("bits, over no noise; {:.4f} % unproven, {:.2f} s", open_percent(found),
                                        watch.seconds())});
  }
  return rows;
}

// What two threads cost: boxes that were visited before their turn in vain. The answer must be that of one.
Row threads_row(const Size& size) {
  ReserveModel model = evidence("lognormal", size);
  struct Searched {
    SearchResult found;
    double processor, wall;
  };
  const auto search = [&](unsigned threads) {
    ReserveBoxes boxes(model);
    const Stopwatch watch;
    const WallClock clock;
    BoxLimits limits;
    limits.threads = threads;
    SearchResult found = box_search(boxes, {.keep = 1, .limits = {}, .hints = {}}, limits);
    return Searched{std::move(found), watch.seconds(), clock.seconds()};
  };
  const Searched one = search(1), two = search(2);
  const bool same = one.found.nodes == two.found.nodes && one.found.floor == two.found.floor &&
                    one.found.pool[0].positions == two.found.pool[0].positions;
  return {
      .name = fmt::format("proof/threads/{}/{}/{}", size.bidders, size.levels, size.rounds),
      .unit = "CPU s",
      .ours = two.processor,
      .rival = one.processor,
      .goal = {},
      .note = fmt::format("a search on two threads over one; {:.2f} over {:.2f} s by the clock; {} nodes, {} answer",
                          two.wall, one.wall, two.found.nodes, same ? "the same" : "ANOTHER")};
}

// A whole online run: what its searches left unproven in all, in percent of its loss.
Row run_row(const Size& size) {
  const auto problem = make_problem(
      "vcg-reserves",
      Json::object({{"bidders", size.bidders}, {"levels", size.levels}, {"units", 1}, {"rule", "eager"}}), "bench");
  const auto learner = problem->learner("flipflop", Json::object({{"track", "end"}, {"oracle", "branch_bound:20000"}}));
  const auto source =
      market_source(problem->game(), {.market = {.name = "lognormal", .key = {.seed = 1}}, .rounds = size.rounds});
  const Stopwatch watch;
  play(*learner, *source, {}, std::numeric_limits<std::uint64_t>::max());
  const double seconds = watch.seconds();
  const RunFacts facts = learner->facts();
  return {.name = fmt::format("proof/run/{}/{}/{}", size.bidders, size.levels, size.rounds),
          .unit = "% unproven",
          .ours = 100 * facts.gap / facts.total,
          .rival = {},
          .goal = {},
          .note = fmt::format("flipflop, summed over all calls, of a loss of {:.3f}; {} nodes in {} calls, {:.0f} s",
                              facts.total, facts.search_nodes, facts.oracle_calls, seconds)};
}

// --all-sizes runs through all of them.
// bidders, levels, rounds: K = levels^bidders, up to 64^8 = 2^48 actions.
std::vector<Size> sizes_of(const Setting& setting) {
  if (setting.size != Setting::Size::kLong) {
    const std::vector<Size> full{{4, 16, 200}, {4, 64, 2000}, {6, 32, 2000}, {6, 64, 200}, {8, 64, 200}, {8, 64, 2000}};
    return setting.pick(full, std::vector<Size>{{3, 64, 50}});
  }
  std::vector<Size> all;
  for (const std::uint64_t rounds : {200, 2000, 20'000}) {
    for (const int bidders : {4, 6, 8}) {
      for (const int levels : {16, 32, 64}) all.push_back({bidders, levels, rounds});
    }
  }
  return all;
}

}  // namespace

std::vector<Row> proof_race(const Setting& setting) {
  std::vector<Row> rows;
  for (const char* stream : {"lognormal", "uniform", "correlated"}) {
    for (const Size& size : sizes_of(setting)) {
      setting.say(
          fmt::format("proof: {}, {} bidders, {} levels, {} rounds", stream, size.bidders, size.levels, size.rounds));
      rows.push_back(proof_row(stream, size));
    }
  }
  for (Row& row : noise_rows(setting, setting.pick(Size{8, 64, 2000}, Size{3, 16, 20}))) rows.push_back(std::move(row));
  setting.say("proof: a search on two threads");
  rows.push_back(threads_row(setting.pick(Size{8, 64, 2000}, Size{3, 16, 20})));
  // The run of 2,000 rounds takes minutes.
  const Size run =
      setting.size == Setting::Size::kLong ? Size{8, 64, 2000} : setting.pick(Size{6, 64, 300}, Size{3, 16, 20});
  setting.say(fmt::format("proof: a run of {} rounds", run.rounds));
  rows.push_back(run_row(run));
  return rows;
}

}  // namespace hannan::detail::bench
