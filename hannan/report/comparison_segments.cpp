// The segments of a learner in a result of `hannan compare --by`.
#include <algorithm>

#include "hannan/report/blocks.hpp"
#include "hannan/report/comparison_details.hpp"
#include "hannan/report/page_text.hpp"
#include "hannan/report/segment_blocks.hpp"

namespace hannan::detail {
namespace {

std::vector<std::string> names_of_depths(const Json& by, std::size_t depths) {
  const bool several = by.is_array() && by.size() > 0 && by[0].is_array();  // a depth has a column in each order
  std::vector<std::string> names = several ? std::vector<std::string>{"all"} : depth_names(by);
  while (names.size() < depths) names.push_back("depth " + std::to_string(names.size()));
  names.resize(depths);
  return names;
}

// The weights are sums up to each round: their differences over about a hundredth of the points, as means.
Json depths_over_time(const SegmentsOfPlayer& player, const std::vector<std::string>& names) {
  constexpr std::size_t kStretches = 100;
  const Json& sums = *player.series.find("depths");
  DepthPaths paths{.title = "Which level decides: " + player.name, .names = names, .means = {}};
  const std::size_t step = std::max<std::size_t>(1, sums.size() / kStretches);
  for (std::size_t d = 0; d < names.size(); ++d) {
    std::vector<ThinnedPoint> means;
    double sum = 0, round = 0;
    for (std::size_t i = std::min(step, sums.size()) - 1; i < sums.size(); i += step) {
      if (!sums[i].is_array() || sums[i].size() <= d || !sums[i][d].is_number()) continue;
      const double now = sums[i][d].as_number(), rounds = player.at[i] - round;
      if (rounds <= 0) continue;
      means.push_back({static_cast<std::uint64_t>(player.at[i]), (now - sum) / rounds});
      sum = now;
      round = player.at[i];
    }
    paths.means.push_back(std::move(means));
  }
  return depths_chart(paths);
}

}  // namespace

void write_player_segments(Json& blocks, const SegmentsOfPlayer& player, const SegmentsOf& of) {
  const Json* says = player.segments.find("says");
  const Json* by = player.segments.find("by");
  const Json* depths = player.segments.find("depths");
  if (!says || !says->is_string() || !by || !depths || !depths->is_array()) return;
  const auto* judged = player.judged;
  const bool sure = judged && judged->advice == "deploy";
  std::vector<double> weights;
  for (const Json& weight : depths->as_array()) weights.push_back(weight.is_number() ? weight.as_number() : 0);
  const std::vector<std::string> names = names_of_depths(*by, weights.size());
  blocks.push_back(verdict_block(
      sure ? Verdict::kGood : Verdict::kOpen, player.name + ": " + says->as_string(),
      {"In the last tenth of the rounds the weight lies at " + depths_text(names, weights) + ".",
       judged ? capital(judged->says) + "." : "It is not judged: the interval is a picture of the spread."}));
  const Json* sums = player.series.find("depths");
  if (sums && sums->is_array() && sums->size() == player.at.size() && !player.at.empty())
    blocks.push_back(depths_over_time(player, names));
  write_segment_blocks(blocks, of);
}

void write_player_segments(Json& blocks, const ComparedPage& page) {
  const ActionWords words = action_words(page.problem, page.params, page.log);
  for (const auto& p : page.players) {
    const auto total = p.report.find_number("total");
    if (!p.segments.is_object() || !total) continue;
    const double losses = page.reward ? static_cast<double>(page.rounds) - *total : *total;
    write_player_segments(blocks,
                          {.name = p.name,
                           .segments = p.segments,
                           .series = p.series,
                           .at = page.at,
                           .judged = p.judged ? &*p.judged : nullptr},
                          {.report = p.report,
                           .words = words,
                           .title = "Every segment: " + p.name,
                           .unit = page.reward ? (page.currency.empty() ? "money" : page.currency) : "loss",
                           .scale = losses > 0 && p.money > 0 ? p.money / losses : 1});
  }
}

}  // namespace hannan::detail
