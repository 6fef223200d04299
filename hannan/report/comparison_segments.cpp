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
Json depths_over_time(const ComparedPage& page, const ComparedPage::Player& player,
                      const std::vector<std::string>& names) {
  constexpr std::size_t kStretches = 100;
  const auto& sums = player.series.depths;
  DepthPaths paths{.title = "Which level decides: " + player.name, .names = names, .means = {}};
  const std::size_t step = std::max<std::size_t>(1, sums.size() / kStretches);
  for (std::size_t d = 0; d < names.size(); ++d) {
    std::vector<ThinnedPoint> means;
    double sum = 0, round = 0;
    for (std::size_t i = std::min(step, sums.size()) - 1; i < sums.size(); i += step) {
      if (sums[i].size() <= d) continue;
      const double now = sums[i][d], rounds = page.at[i] - round;
      if (rounds <= 0) continue;
      means.push_back({static_cast<std::uint64_t>(page.at[i]), (now - sum) / rounds});
      sum = now;
      round = page.at[i];
    }
    paths.means.push_back(std::move(means));
  }
  return depths_chart(paths);
}

// What segments were worth to a player, and at which level it decided over time.
void write_worth(Json& blocks, const ComparedPage& page, const ComparedPage::Player& player) {
  const auto& judged = player.judged;
  const std::vector<double>& weights = player.segments->depths;
  const std::vector<std::string> names = names_of_depths(player.segments->by, weights.size());
  blocks.push_back(verdict_block(
      judged && judged->advice == "deploy" ? Verdict::kGood : Verdict::kOpen,
      player.name + ": " + player.segments->says,
      {"In the last tenth of the rounds the weight lies at " + depths_text(names, weights) + ".",
       judged ? capital(judged->says) + "." : "It is not judged: the interval is a picture of the spread."}));
  if (!player.series.depths.empty()) blocks.push_back(depths_over_time(page, player, names));
}

}  // namespace

void write_player_segments(Json& blocks, const ComparedPage& page) {
  const ActionWords words = action_words(page.problem, page.params, page.log);
  for (const auto& p : page.players) {
    const auto total = p.report.find_number("total");
    if (!p.segments || !total) continue;
    write_worth(blocks, page, p);
    const double losses = page.reward ? static_cast<double>(page.rounds) - *total : *total;
    write_segment_blocks(blocks, {.report = p.report,
                                  .words = words,
                                  .title = "Every segment: " + p.name,
                                  .unit = page.reward ? (page.currency.empty() ? "money" : page.currency) : "loss",
                                  .scale = losses > 0 && p.money > 0 ? p.money / losses : 1});
  }
}

}  // namespace hannan::detail
