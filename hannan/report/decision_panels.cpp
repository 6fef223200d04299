// What to set from now on, and what was chosen over time: a panel per coordinate, or bars where a few choices
// alternate.
#include "hannan/report/comparison_details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hannan/bidlog/action_money.hpp"
#include "hannan/report/action_panels.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/page_text.hpp"
#include "hannan/report/verdict_blocks.hpp"

namespace hannan::detail {
namespace {

using Columns = std::vector<std::vector<std::optional<double>>>;  // a list per coordinate of the action

// What a player chose at the points, coordinate by coordinate; nothing where actions are not lists of one length.
Columns columns_of(const ComparedPage::Player& player, const ActionWords& words) {
  if (!words.drawn) return {};
  Columns columns;
  for (const Json& action : player.series.action) {
    const auto numbers = coordinates_of(action);
    if (columns.empty()) columns.resize(numbers.size());
    if (numbers.empty() || numbers.size() != columns.size()) return {};
    for (std::size_t i = 0; i < numbers.size(); ++i) columns[i].emplace_back(words.value(i, numbers[i]));
  }
  return columns;
}

PageChart panel(const ComparedPage& page, const ActionWords& words, std::size_t coordinate) {
  PageChart chart = chart_over_time(page);
  chart.title = words.name(coordinate);
  chart.y_name = words.unit;
  chart.line = PageChart::Line::kStep;
  return chart;
}

// "since 13 May", "since auction 3,100".
std::string since(const ComparedPage& page, const std::vector<std::optional<double>>& values) {
  std::size_t place = values.size() - 1;
  while (place > 0 && values[place - 1] == values.back()) --place;
  return page.times.empty() ? "since " + page.words.round + " " + shown(page.at[place])
                            : "since " + page_day(page.times[place]);
}

// Which of a few things was in use, over time; those that never were stand there too, as long as they are few.
Json chosen_of(const ComparedPage& page, const ActionWords& words, const std::vector<std::optional<double>>& values) {
  constexpr std::size_t kMostRows = 12;
  std::vector<ChosenRow> rows(words.choices.size());
  std::vector<double> used(rows.size(), 0);
  const double first = page.x().front(), span = page.x().back() - first;
  // What is chosen at a point is in use until the next one.
  for (std::size_t i = 0; i + 1 < values.size() && span > 0; ++i) {
    const auto which = static_cast<std::size_t>(values[i].value_or(0));
    if (which >= rows.size()) continue;
    const double from = (page.x()[i] - first) / span, to = (page.x()[i + 1] - first) / span;
    auto& stretches = rows[which].stretches;
    if (!stretches.empty() && stretches.back().second == from) {
      stretches.back().second = to;
    } else {
      stretches.emplace_back(from, to);
    }
    used[which] += (page.at[i + 1] - page.at[i]) / (page.at.back() - page.at.front());
  }
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const bool few = order.size() <= kMostRows;
  if (!few) {
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return used[a] != used[b] ? used[a] > used[b] : a < b; });
  }
  std::vector<ChosenRow> shown_rows;
  for (std::size_t i = 0; i < std::min(order.size(), kMostRows); ++i) {
    ChosenRow row = std::move(rows[order[i]]);
    row.name = words.choices[order[i]];
    row.share = fmt::format("{:.0f}\u00a0%", 100 * used[order[i]]);
    shown_rows.push_back(std::move(row));
  }
  const std::string next = words.text(values.back().value_or(0));
  std::string about =
      fmt::format("The first {} at the left, the last at the right, and the share of {}s. Next it would use {}.",
                  page.words.round, page.words.round, next);
  if (!few) about += fmt::format(" The {} most used of {} are shown.", kMostRows, order.size());
  return chosen_block("Which it chose", about, shown_rows);
}

// Whether every number of the action is a place in the lists, or a level. A page is made of files from anywhere.
bool in_lists(const Json& action, const ActionWords& words) {
  const auto numbers = coordinates_of(action);
  if (numbers.empty() || (action.is_array() && numbers.size() != action.size())) return false;
  if (words.lists.empty()) return true;
  if (words.lists.size() > 1 && words.lists.size() != numbers.size()) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& list = words.lists[words.lists.size() > 1 ? i : 0];
    if (!(numbers[i] >= 0 && numbers[i] < static_cast<double>(list.size()))) return false;
  }
  return true;
}

// The decision as a file, where it is recommended.
std::optional<PageFile> file_of(const ComparedPage& page, const ActionWords& words) {
  if (state_of(page) != PageState::kBetter || page.ours().segments) return std::nullopt;
  if (!in_lists(page.ours().final_action, words)) return std::nullopt;
  const auto said = money_of(page.problem, page.params);
  const ActionMoney money(said.get(), page.log.in_money() ? std::optional(page.log.cap) : std::nullopt);
  if (money.what().empty()) return std::nullopt;
  LogFacts log;
  log.cap = page.log.cap;
  log.currency = page.log.currency;
  log.slots = page.log.slots;
  ExportedDecision decision;
  decision.which = "next";
  decision.verdict = page.ours().judged->advice;
  decision.segments.push_back({.values = {}, .action = page.ours().final_action});
  return PageFile{.name = page.words.thing + ".csv",
                  .button = "Download these " + page.words.thing + " (CSV)",
                  .text = decision_csv(decision, money, log)};
}

}  // namespace

PageChart chart_over_time(const ComparedPage& page) {
  PageChart chart{.title = {}, .about = {}, .alt = {}, .y_name = {}, .at = {}, .series = {}};
  chart.at = page.x();
  if (!page.times.empty()) {
    chart.x_axis = PageChart::Axis::kTime;
    chart.x_name = "date";
  } else {
    chart.x_name = page.words.round;
  }
  return chart;
}

// A panel per coordinate with the players that change their action: the learners and the rivals.
void write_all_decisions(Json& blocks, const ComparedPage& page) {
  constexpr std::size_t kMostPlayers = 4;
  const ActionWords words = action_words(page.problem, page.params, page.log);
  std::vector<PageChart> charts;
  std::size_t drawn = 0, coordinates = 0;
  for (const auto& p : page.players) {
    if (drawn == kMostPlayers) break;
    Columns columns = columns_of(p, words);
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

void write_decisions(Json& blocks, const ComparedPage& page) {
  const ActionWords words = action_words(page.problem, page.params, page.log);
  const Columns columns = columns_of(page.ours(), words);
  if (columns.empty()) return;
  if (columns.size() == 1 && !words.choices.empty()) {
    blocks.push_back(chosen_of(page, words, columns.front()));
    return;
  }
  std::vector<PageChart> charts;
  for (std::size_t i = 0; i < std::min(columns.size(), ActionPanels::kMostPanels); ++i) {
    PageChart chart = panel(page, words, i);
    const double now = columns[i].back().value_or(0);
    const bool named = columns.size() == 1 && !page.ours().final_name.empty();  // the name of its only number
    chart.now = named ? page.ours().final_name : words.text(now);
    chart.about = since(page, columns[i]);
    chart.alt = words.title + ", " + words.name(i) + ": " + chart.now + " at the end, " + chart.about + ".";
    chart.series.push_back({.name = page.ours().words.name, .at = {}, .values = columns[i], .ink = 0});
    charts.push_back(std::move(chart));
  }
  const std::string unit = words.currency.empty() ? words.unit : words.currency;
  const std::string what = page.words.thing == "ceilings" ? "Ceiling per supplier" : words.title;
  std::string about = what + ", in " + unit + ". The figure is the one to use next; the line is how it got there.";
  if (columns.size() > charts.size())
    about += fmt::format(" The first {} of {} are shown.", charts.size(), columns.size());
  const std::optional<PageFile> file = file_of(page, words);
  const bool better = state_of(page) == PageState::kBetter;
  if (page.words.many && !better)
    about += " No file to deploy is offered here: the log does not show that they would win.";
  if (file && page.words.title == "Reserve prices")
    about += " The same command with --floors FILE writes them as a file of Prebid.";
  blocks.push_back(
      charts_block("The " + page.words.thing + (page.words.many ? " it chose" : " it made"), about, charts));
  if (file) blocks.push_back(download_block(*file));
}

}  // namespace hannan::detail
