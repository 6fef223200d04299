#include "hannan/report/comparison_details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hannan/report/action_panels.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/page_text.hpp"
#include "hannan/report/segment_blocks.hpp"
#include "hannan/report/verdict_blocks.hpp"

namespace hannan::detail {
namespace {

using Columns = std::vector<std::vector<std::optional<double>>>;  // a list per coordinate of the action

// What a player chose at the points, coordinate by coordinate; nothing where actions are not lists of one length.
Columns columns_of(const ComparedPage& page, const ComparedPage::Player& player, const ActionWords& words) {
  const Json* actions = player.series.find("action");
  if (!words.drawn || !actions || !actions->is_array() || actions->size() != page.at.size()) return {};
  Columns columns;
  for (const Json& action : actions->as_array()) {
    const auto numbers = coordinates_of(action);
    if (columns.empty()) columns.resize(numbers.size());
    if (numbers.empty() || numbers.size() != columns.size()) return {};
    for (std::size_t i = 0; i < numbers.size(); ++i) columns[i].emplace_back(words.value(i, numbers[i]));
  }
  return columns;
}

PageChart panel(const ComparedPage& page, const ActionWords& words, std::size_t coordinate) {
  PageChart chart{
      .title = words.name(coordinate), .about = {}, .alt = {}, .y_name = words.unit, .at = {}, .series = {}};
  chart.line = PageChart::Line::kStep;
  chart.at = page.x();
  if (!page.times.empty()) {
    chart.x_axis = PageChart::Axis::kTime;
    chart.x_name = "date";
  } else {
    chart.x_name = page.words.round;
  }
  return chart;
}

// "since 13 May", "since auction 3,100".
std::string since(const ComparedPage& page, const std::vector<std::optional<double>>& values) {
  std::size_t place = values.size() - 1;
  while (place > 0 && values[place - 1] == values.back()) --place;
  return page.times.empty() ? "since " + page.words.round + " " + shown(page.at[place])
                            : "since " + page_day(page.times[place]);
}

std::string promise_words(const ComparedPage& page) {
  const auto& ours = page.ours();
  if (!ours.bound) return "For this setting nothing is proven of how far it may stay behind.";
  const double most = *ours.bound * page.loss_of_one;
  std::string text = fmt::format("Whatever the others do, {} {} expected to {} than the best fixed {}.",
                                 page.words.learned, page.words.many ? "are" : "is",
                                 page.reward ? "earn at most " + page_money(most, page.currency) + " less"
                                             : "cost at most " + page_money(most, page.currency) + " more",
                                 page.words.thing);
  const auto* best = page.best_fixed();
  const double behind = !best ? 0 : page.reward ? best->money - ours.money : ours.money - best->money;
  text += behind <= most ? " It kept that here."
                         : " This run is further behind, which may happen: the promise is for the average over the "
                           "learner's own chance.";
  if (most > std::abs(ours.gain) / 2) text += " That is a weak promise: it is more than half of the difference above.";
  return text;
}

void write_facts(Json& blocks, const ComparedPage& page) {
  const auto& ours = page.ours();
  const auto last = [&](const char* name) {
    const Json* list = ours.series.find(name);
    return list && list->is_array() && list->size() > 0 ? shown((*list)[list->size() - 1]) : std::string("unavailable");
  };
  blocks.push_back(facts_block(
      "", {{"problem", page.problem},
           {"learner", ours.name},
           {"seed", shown(page.seed)},
           {"optimiser calls (oracle calls)", shown(ours.calls)},
           {"noise now (noise rate)", last("rate")},
           {"mode now (regime)", last("regime")},
           {"shortfall (regret), in losses", shown(ours.regret)},
           {"the most it is expected to be (bound)", ours.bound ? shown(*ours.bound) : "unavailable"},
           {"next decision", shortened(shown(ours.final_action))},
           {"decision", ours.judged ? ours.judged->says : "no limit of a gain was known in advance: not judged"}}));
}

// Charts of all learners over the points; `about` is a plain sentence.
struct LearnerChart {
  const char* series;
  std::string title, about, y_name;
  PageChart::Line line = PageChart::Line::kStraight;
};

void write_learner_chart(Json& blocks, const ComparedPage& page, const LearnerChart& what) {
  constexpr std::size_t kSameColour = 6;  // inks so far apart have one colour and other dashes (page/figure.js)
  PageChart chart = panel(page, {}, 0);
  chart.title = what.title;
  chart.about = what.about;
  chart.y_name = what.y_name;
  chart.line = what.line;
  const auto add = [&](const ComparedPage::Player& p, const char* series, const std::string& name, std::size_t ink) {
    auto values = page.path(p, series);
    const auto known = std::find_if(values.rbegin(), values.rend(), [](const auto& v) { return v.has_value(); });
    if (known == values.rend()) return;
    chart.alt += (chart.alt.empty() ? "" : ", ") + name + " ends at " + shown(*known);
    chart.series.push_back({.name = name, .at = {}, .values = std::move(values), .ink = ink});
  };
  for (const auto& p : page.players) {
    if (p.role != "learner") continue;
    add(p, what.series, p.name, p.ink);
    if (std::string_view(what.series) == "regret") add(p, "bound", p.name + ", bound", p.ink + kSameColour);
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
                  "better than " + page.baseline + " by",
                  "spread",
                  "a round, first tenth",
                  "a round, last tenth",
                  "regret (losses)",
                  "bound",
                  "oracle calls",
                  "final action"};
  PageChart money = panel(page, {}, 0);
  money.title = page.reward ? "Money earned over time" : "Cost over time";
  money.about = "Summed up to each point.";
  money.alt = "At the end: ";
  money.y_name = page.unit();
  money.line = PageChart::Line::kStraight;
  for (const auto& p : page.players) {
    table.rows.push_back({p.name, page_money(p.money, ""),
                          page_money(p.money_spread.lo, "") + " to " + page_money(p.money_spread.hi, ""),
                          page_difference(p.gain, ""),
                          page_difference(p.spread.lo, "") + " to " + page_difference(p.spread.hi, ""), shown(p.first),
                          shown(p.last), shown(p.regret), shown(p.bound), p.role == "learner" ? shown(p.calls) : "-",
                          shortened(shown(p.final_action))});
    table.about += (table.about.empty() ? "" : "; ") + p.name + ": " + p.about;
    money.alt += (&p == &page.players.front() ? "" : ", ") + p.name + " " + page_money(p.money, "");
    money.series.push_back({.name = p.name, .at = {}, .values = page.path(p, "money"), .ink = p.ink});
  }
  table.about = "The same figures under the program's own names. " + table.about + ".";
  money.alt += ".";
  blocks.push_back(table_block(table));
  blocks.push_back(chart_block(money));
}

// A panel per coordinate with the players that change their action: the learners and the rivals.
void write_all_decisions(Json& blocks, const ComparedPage& page) {
  constexpr std::size_t kMostPlayers = 4;
  const ActionWords words = action_words(page.problem, page.params, page.log);
  std::vector<PageChart> charts;
  std::size_t drawn = 0, coordinates = 0;
  for (const auto& p : page.players) {
    if (drawn == kMostPlayers) break;
    Columns columns = columns_of(page, p, words);
    if (columns.empty() || (coordinates > 0 && columns.size() != coordinates)) continue;
    const bool still = std::all_of(columns.begin(), columns.end(), [](const auto& c) {
      return std::count(c.begin(), c.end(), c.front()) == std::ssize(c);
    });
    if (p.role == "rival" && still) continue;  // a constant rival needs no line
    ++drawn;
    coordinates = columns.size();
    for (std::size_t i = charts.size(); i < std::min(coordinates, ActionPanels::kMostPanels); ++i)
      charts.push_back(panel(page, words, i));
    for (std::size_t i = 0; i < charts.size(); ++i) {
      charts[i].alt += (charts[i].alt.empty() ? words.title + ", " + words.name(i) + ", at the end: " : ", ") + p.name +
                       " " + shown(columns[i].back());
      charts[i].series.push_back({.name = p.name, .at = {}, .values = std::move(columns[i]), .ink = p.ink});
    }
  }
  if (!charts.empty())
    blocks.push_back(charts_block(words.title, "What the learners and their rivals chose. " + words.about, charts));
}

void write_certificate(Json& blocks, const ComparedPage::Player& player) {
  const Json* certificate = player.report.find("certificate");
  const Json* bounds = certificate ? certificate->find("bounds") : nullptr;
  if (!bounds || !bounds->is_array()) return;
  PageTable table{.title = "Certificate of " + player.name,
                  .about =
                      "What is proven of the shortfall whatever the data are, in losses. As reported, not verified "
                      "here: hannan run --record and hannan report on the record do that.",
                  .header = {"bound", "side", "value", "holds"},
                  .rows = {}};
  for (const Json& bound : bounds->as_array()) {
    const auto text = [&](const char* field) {
      return bound.find(field) ? shown(*bound.find(field)) : std::string("-");
    };
    table.rows.push_back({text("name"), text("side"), text("value"), text("holds")});
  }
  blocks.push_back(table_block(table));
  if (const Json* params = player.report.find("params"); params && params->is_object())
    blocks.push_back(object_block("Parameters of " + player.name, *params));
}

double block_fact(const ComparedPage& page, const char* name) { return page.blocks.find_number(name).value_or(0); }

}  // namespace

void write_decisions(Json& blocks, const ComparedPage& page) {
  const ActionWords words = action_words(page.problem, page.params, page.log);
  const Columns columns = columns_of(page, page.ours(), words);
  if (columns.empty()) return;
  std::vector<PageChart> charts;
  for (std::size_t i = 0; i < std::min(columns.size(), ActionPanels::kMostPanels); ++i) {
    PageChart chart = panel(page, words, i);
    const double now = columns[i].back().value_or(0);
    chart.now = words.text(now);
    chart.about = since(page, columns[i]);
    chart.alt = words.title + ", " + words.name(i) + ": " + words.text(now) + " at the end, " + chart.about + ".";
    chart.series.push_back({.name = page.ours().words.name, .at = {}, .values = columns[i], .ink = 0});
    charts.push_back(std::move(chart));
  }
  const std::string unit = words.currency.empty() ? words.unit : words.currency;
  std::string about =
      words.title + ", in " + unit + ". The figure is the one to use next; the line is how it got there.";
  if (columns.size() > charts.size())
    about += fmt::format(" The first {} of {} are shown.", charts.size(), columns.size());
  const bool better = state_of(page) == PageState::kBetter;
  if (page.words.title == "Reserve prices")
    about += better ? " The same command with --floors FILE writes them as a file to deploy."
                    : " No file to deploy is offered here: the log does not show that they would win.";
  blocks.push_back(
      charts_block("The " + page.words.thing + (page.words.many ? " it chose" : " it made"), about, charts));
}

void write_player_segments(Json& blocks, const ComparedPage& page) {
  const ActionWords words = action_words(page.problem, page.params, page.log);
  for (const auto& p : page.players) {
    const auto total = p.report.find_number("total");
    if (!p.segments.is_object() || !total) continue;
    const double losses = page.reward ? static_cast<double>(page.rounds) - *total : *total;
    write_player_segments(blocks, {.name = p.name, .segments = p.segments, .series = p.series, .at = page.at},
                          {.report = p.report,
                           .words = words,
                           .title = "Every segment: " + p.name,
                           .unit = page.reward ? (page.currency.empty() ? "money" : page.currency) : "loss",
                           .scale = losses > 0 && p.money > 0 ? p.money / losses : 1});
  }
}

Json certainty_block(const ComparedPage& page) {
  const auto& ours = page.ours();
  std::vector<std::pair<std::string, std::string>> points;
  if (ours.judged) {
    points.emplace_back("The range.",
                        "Two ranges are computed: one that holds whatever the order of the " + page.words.round +
                            "s is and however often one looks, and one across eight stretches of the log. A change is "
                            "recommended only where both lie above zero; shown is what both allow.");
    points.emplace_back("Days like these.",
                        "Both speak of the days in the log. A change of the market that lasts as long "
                        "as an eighth of the log cannot be told from an effect.");
  } else {
    points.emplace_back("Not judged.",
                        "No limit of a single gain was known in advance, or there is nothing to compare "
                        "with. The ranges are a picture of the spread and decide nothing.");
  }
  if (const auto* best = page.best_fixed()) {
    const double behind = page.reward ? best->money - ours.money : ours.money - best->money;
    points.emplace_back(
        "What could have been.",
        fmt::format("The best fixed {}, known only afterwards, would have {} {}. {} {} {} {}.", page.words.thing,
                    page.reward ? "earned" : "cost", page_money(best->money, page.currency),
                    capital(page.words.learned), page.words.many ? "are" : "is",
                    page_money(std::abs(behind), page.currency),
                    behind >= 0 ? "behind that" : "ahead of that, because decisions may change over time"));
  }
  points.emplace_back("The promise.", promise_words(page));
  points.emplace_back("Not checked here.",
                      "hannan run --record writes a record of every decision; hannan report on the "
                      "record computes it again by separate code and says whether it agrees.");
  return fold_block("How sure is this?", "In a few sentences, without formulas",
                    Json::array({points_block("", points)}));
}

Json technical_block(const ComparedPage& page) {
  Json blocks = Json::array();
  write_facts(blocks, page);
  write_learner_chart(
      blocks, page,
      {.series = "regret",
       .title = "Regret of the learners against their bounds",
       .about = "How far each is behind the best fixed choice so far, and the most that is expected, in "
                "losses of [0,1]. Lower is better here.",
       .y_name = "loss"});
  write_learner_chart(
      blocks, page,
      {.series = "rate",
       .title = "Noise rate",
       .about = "How much chance a learner mixes into its decisions: noise multiplier of ada and flipflop, "
                "eta of the others.",
       .y_name = "rate",
       .line = PageChart::Line::kStep});
  write_learner_chart(blocks, page,
                      {.series = "calls",
                       .title = "Oracle calls",
                       .about = "How often the optimiser was asked, summed up to each point: the work of computing.",
                       .y_name = "calls"});
  write_money(blocks, page);
  write_all_decisions(blocks, page);
  for (const auto& player : page.players) write_certificate(blocks, player);
  blocks.push_back(object_block("Problem " + page.problem, page.params));
  blocks.push_back(facts_block(
      "How it was computed",
      {{"money of 1", shown(page.log.cap)},
       {"currency", page.currency.empty() ? "unavailable" : page.currency},
       {"spread", shown(block_fact(page, "level") * 100) + " %, " + shown(block_fact(page, "resamples")) +
                      " bootstrap samples of " + shown(block_fact(page, "count")) + " blocks of " +
                      shown(block_fact(page, "length")) + " rounds, decisions taken as given; it decides nothing"},
       {"paths", static_cast<double>(page.at.size()) < static_cast<double>(page.rounds)
                     ? "kept at " + counted(page.at.size(), "round") +
                           ", evenly spaced; they are sums, so only detail between two points is lost"
                     : "kept at every round"}}));
  if (!page.log.summary.is_null()) write_log_blocks(blocks, page.log.summary);
  return fold_block("Technical details",
                    "Method, parameters, guarantee over time, what was read, in the program's own names",
                    std::move(blocks));
}

}  // namespace hannan::detail
