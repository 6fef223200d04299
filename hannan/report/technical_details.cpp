// The closed part of a comparison's page: all players with loss, regret and bounds, and the facts of the run, by the
// program's own names.
#include "hannan/report/comparison_details.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hannan/play/quoted_bound.hpp"
#include "hannan/report/action_panels.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/page_text.hpp"
#include "hannan/report/verdict_blocks.hpp"

namespace hannan::detail {
namespace {

// Against the best fixed choice as far as it is proven: "2.4", or "from -1.5 to 2.4".
std::string regret_words(const ComparedPage& page, const ComparedPage::Player& player) {
  if (!page.best_range) return shown(player.regret);
  const double most = player.regret + (page.best_range->hi - page.best_range->lo) / page.loss_of_one;
  return "from " + shown(player.regret) + " to " + shown(most);
}

// What a player's bound is called, after what it covers.
std::string bound_name(const ComparedPage::Player& player) {
  if (player.bound_of == "path") return "limit, for certain";
  if (player.bound_of == "mean") return "expected shortfall at most (of the mean)";
  return "limit (" + certainty_text(player.report) + ", each round in the mean over its own draw)";
}

void write_facts(Json& blocks, const ComparedPage& page) {
  const auto& ours = page.ours();
  const auto last = [](const auto& list) {
    return list.empty() ? std::string("unavailable") : shown(Json(list.back()));
  };
  blocks.push_back(facts_block(
      "", {{"problem", page.problem},
           {"learner", ours.name},
           {"seed", shown(page.seed)},
           {"optimiser calls (oracle calls)", shown(ours.calls)},
           {"noise now (noise rate)", last(ours.series.rate)},
           {"mode now (regime)", last(ours.series.regime)},
           {"shortfall (regret), in losses", regret_words(page, ours)},
           {bound_name(ours), ours.bound ? shown(*ours.bound) : "unavailable"},
           {"next decision", shortened(shown(ours.final_action))},
           {"decision", ours.judged ? ours.judged->says : "not judged: nothing that is done today was named"}}));
}

// Charts of all learners over the points; `about` is a plain sentence.
struct LearnerChart {
  ResultSeries::Numbers ResultSeries::* series;
  std::string title, about, y_name;
  PageChart::Line line = PageChart::Line::kStraight;
};

// One line a learner that has the series; others are left out, and so is a chart without lines.
void write_learner_chart(Json& blocks, const ComparedPage& page, const LearnerChart& what) {
  constexpr std::size_t kSameColour = 6;  // inks so far apart have one colour and other dashes (page/kit/plot.js)
  PageChart chart = chart_over_time(page);
  chart.title = what.title;
  chart.about = what.about;
  chart.y_name = what.y_name;
  chart.line = what.line;
  const auto add = [&](ResultSeries::Numbers values, const std::string& name, std::size_t ink) {
    const auto known = std::find_if(values.rbegin(), values.rend(), [](const auto& v) { return v.has_value(); });
    if (known == values.rend()) return;
    chart.alt += (chart.alt.empty() ? "" : ", ") + name + " ends at " + shown(*known);
    chart.series.push_back({.name = name, .at = {}, .values = std::move(values), .ink = ink});
  };
  for (const auto& p : page.players) {
    if (p.role != "learner") continue;
    add(p.series.*what.series, p.name, p.ink);
    if (what.series == &ResultSeries::regret)
      add(p.series.bound, p.name + (p.bound_of == "mean" ? ", expected at most" : ", limit"), p.ink + kSameColour);
  }
  if (chart.series.empty()) return;
  chart.alt += ".";
  blocks.push_back(chart_block(chart));
}

void write_money(Json& blocks, const ComparedPage& page) {
  PageTable table{.title = page.reward ? "What each earned" : "What each lost", .about = {}, .header = {}, .rows = {}};
  table.header = {"",
                  page.unit(),
                  "spread",
                  "compared with " + page.baseline,
                  "spread",
                  "a round, first tenth",
                  "a round, last tenth",
                  "regret (losses)",
                  "limit (95 %)",
                  "oracle calls",
                  "final action"};
  PageChart money = chart_over_time(page);
  money.title = page.reward ? "Money earned over time" : "Cost over time";
  money.about = "Summed up to each point.";
  money.alt = "At the end: ";
  money.y_name = page.unit();
  std::vector<double> together;
  for (const auto& p : page.players) together.insert(together.end(), {p.money, p.gain});
  for (const auto& p : page.players) {
    table.rows.push_back(
        {p.name, page.bare_sum(p.money, together),
         page.bare_sum(p.money_spread.lo) + " to " + page.bare_sum(p.money_spread.hi), page.bare_difference(p.gain),
         page.bare_difference(p.spread.lo) + " to " + page.bare_difference(p.spread.hi), shown(p.first), shown(p.last),
         regret_words(page, p), p.bound_of == "mean" ? "-" : shown(p.bound), p.role == "learner" ? shown(p.calls) : "-",
         shortened(shown(p.final_action))});
    table.about += (table.about.empty() ? "" : "; ") + p.name + ": " + p.about;
    money.alt += (&p == &page.players.front() ? "" : ", ") + p.name + " " + page.bare_sum(p.money, together);
    money.series.push_back({.name = p.name, .at = {}, .values = p.series.money, .ink = p.ink});
  }
  table.about = "The same figures under the program's own names. " + table.about + ".";
  money.alt += ".";
  blocks.push_back(table_block(table));
  blocks.push_back(chart_block(money));
}

// As the learner's report states it; the last column is empty for statements about a mean, which one run cannot be
// within.
void write_certificate(Json& blocks, const ComparedPage::Player& player) {
  const Json* certificate = player.report.find("certificate");
  const Json* bounds = certificate ? certificate->find("bounds") : nullptr;
  if (!bounds || !bounds->is_array()) return;
  PageTable table{.title = "Certificate of " + player.name,
                  .about =
                      "What is proven of the shortfall whatever the data are, in losses. Closed forms and estimates "
                      "are about its mean over the learner's own chance; only a limit speaks of this run. As reported, "
                      "not verified here: hannan run --record and hannan report on the record do that.",
                  .header = {"name", "side", "value", "what it is about", "this run is within it"},
                  .rows = {}};
  for (const Json& bound : bounds->as_array()) {
    const auto text = [&](const char* field) {
      return bound.find(field) ? shown(*bound.find(field)) : std::string("-");
    };
    const Json* holds = bound.find("holds");
    const bool about_mean = !holds || holds->is_null();
    table.rows.push_back({text("name"), text("side"), text("value"),
                          bound.find("says") ? text("says")
                          : about_mean       ? "expected regret"
                                             : "regret of this run",
                          about_mean             ? "-"
                          : *holds == Json(true) ? "yes"
                                                 : "NO"});
  }
  blocks.push_back(table_block(table));
  if (const Json* params = player.report.find("params"); params && params->is_object())
    blocks.push_back(object_block("Parameters of " + player.name, *params));
}

}  // namespace

// Closed when the page opens. The program's own names stand here, so that a reader can find them in the documentation.
Json technical_block(const ComparedPage& page) {
  Json blocks = Json::array();
  write_facts(blocks, page);
  write_learner_chart(
      blocks, page,
      {.series = &ResultSeries::regret,
       .title = "Regret of the learners against their bounds",
       .about = std::string("How far each is behind the best fixed choice ") +
                (page.best_range ? "that was found " : "") +
                "so far, and its limit, in losses as the learner counts them. Where a learner has none, the most that "
                "is expected is drawn, under that name. Lower is better here.",
       .y_name = "loss"});
  write_learner_chart(
      blocks, page,
      {.series = &ResultSeries::rate,
       .title = "Noise rate",
       .about = "How much chance a learner mixes into its decisions: noise multiplier of ada and flipflop, "
                "eta of the others.",
       .y_name = "rate",
       .line = PageChart::Line::kStep});
  write_learner_chart(blocks, page,
                      {.series = &ResultSeries::calls,
                       .title = "Oracle calls",
                       .about = "How often the optimiser was asked, summed up to each point: the work of computing.",
                       .y_name = "calls"});
  write_money(blocks, page);
  write_all_decisions(blocks, page);
  for (const auto& player : page.players) write_certificate(blocks, player);
  blocks.push_back(object_block("Problem " + page.problem, page.params));
  blocks.push_back(
      facts_block("How it was computed",
                  {{"money of 1", shown(page.log.cap)},
                   {"currency", page.currency.empty() ? "unavailable" : page.currency},
                   {"spread", shown(page.blocks.level * 100) + " %, " + shown(page.blocks.resamples) +
                                  " bootstrap samples of " + shown(page.blocks.count) + " blocks of " +
                                  shown(page.blocks.length) + " rounds, decisions taken as given; it decides nothing"},
                   {"paths", static_cast<double>(page.at.size()) < static_cast<double>(page.rounds)
                                 ? "kept at " + counted(page.at.size(), "round") +
                                       ", evenly spaced; they are sums, so only detail between two points is lost"
                                 : "kept at every round"}}));
  std::vector<std::pair<std::string, std::string>> data;
  const Json warnings = all_warnings(page);
  for (const Json& item : warnings.as_array())
    data.emplace_back(item.at("what").as_string(), item.at("text").as_string());
  blocks.push_back(points_block("What to know about the data", data));
  if (!page.log.summary.is_null()) write_log_blocks(blocks, page.log.summary);
  return fold_block("Technical details",
                    "Method, parameters, guarantee over time, what was read, in the program's own names",
                    std::move(blocks));
}

}  // namespace hannan::detail
