// How much of the best reserves' loss two exact searches leave unproven: by boxes, until it is done, and value by
// value with 3,000 nodes, beyond which its floor hardly rises. Nothing is known beforehand; seconds are in the notes.
#include <fmt/format.h>

#include "bench/row.hpp"
#include "bench/stopwatch.hpp"
#include "hannan/oracles/box_search.hpp"
#include "hannan/oracles/branch_bound.hpp"
#include "hannan/problems/vcg_reserves/reserve_boxes.hpp"
#include "hannan/streams/market.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::uint64_t kNodesByValue = 3000;

struct Size {
  int bidders, levels;
  std::uint64_t rounds;
};

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

}  // namespace

std::vector<Row> proof_race(const Setting& setting) {
  using Sizes = std::vector<Size>;
  const Sizes full{{4, 16, 200}, {4, 64, 2000}, {6, 32, 2000}, {6, 64, 200}, {8, 64, 200}, {8, 64, 2000}};
  std::vector<Row> rows;
  for (const char* stream : {"lognormal", "uniform", "correlated"}) {
    for (const Size& size : setting.pick(full, Sizes{{3, 64, 50}})) {
      setting.say(
          fmt::format("proof: {}, {} bidders, {} levels, {} rounds", stream, size.bidders, size.levels, size.rounds));
      rows.push_back(proof_row(stream, size));
    }
  }
  if (setting.size == Setting::Size::kFull) {
    setting.say("proof: lognormal, 8 bidders, 64 levels, 20000 rounds");
    rows.push_back(proof_row("lognormal", {8, 64, 20'000}));
  }
  return rows;
}

}  // namespace hannan::detail::bench
