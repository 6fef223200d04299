// Actions over time: words and units of a problem's actions, panels per coordinate, and how often each action was
// chosen. Series are thinned as they grow, and only the most frequent actions are listed.
#include "hannan/report/action_panels.hpp"

#include <algorithm>

#include "hannan/core/error.hpp"
#include "hannan/report/page_text.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {
namespace {

bool append_numbers(const Json& value, std::vector<double>& to) {
  if (value.is_number()) {
    to.push_back(value.as_number());
    return true;
  }
  if (!value.is_array()) return false;
  return std::all_of(value.as_array().begin(), value.as_array().end(),
                     [&](const Json& item) { return append_numbers(item, to); });
}

}  // namespace

std::vector<double> coordinates_of(const Json& action) {
  std::vector<double> numbers;
  if (!append_numbers(action, numbers)) numbers.clear();
  return numbers;
}

std::string ActionWords::name(std::size_t coordinate) const {
  return coordinate < names.size() ? names[coordinate] : one + " " + std::to_string(coordinate + 1);
}

double ActionWords::value(std::size_t coordinate, double number) const {
  if (lists.empty()) return number * scale;
  const auto& list = lists[std::min(coordinate, lists.size() - 1)];
  return number >= 0 && number < static_cast<double>(list.size()) ? list[static_cast<std::size_t>(number)] * scale
                                                                  : number * scale;
}

std::string ActionWords::text(double value) const {
  if (value >= 0 && value < static_cast<double>(choices.size())) return choices[static_cast<std::size_t>(value)];
  return currency.empty() ? prefix + shown(rounded(value)) + suffix : page_price(value, currency);
}

std::string ActionWords::action_text(const std::string& json) const {
  if (choices.empty()) return json;
  const auto numbers = coordinates_of(parse_json(json));
  return numbers.size() == 1 ? text(numbers.front()) : json;
}

namespace {

// What numbers are that stand in lists.
void write_lists(ActionWords& words, const Amounts& amounts, const LogNames& log) {
  words.lists = amounts.lists;
  if (amounts.unit == Amounts::Unit::kShare) {
    words.unit = "% of the " + std::string(amounts.of);
    words.suffix = "\u00a0" + words.unit;
    words.scale = 100;
  } else if (amounts.unit == Amounts::Unit::kPieces) {
    words.unit = amounts.what;
  } else {
    words.scale = log.cap;
    words.unit = log.currency.empty() ? "money" : log.currency;
    words.currency = log.currency;
  }
}

std::vector<std::string> goods(std::vector<std::string> names) {
  constexpr std::string_view kPrefix = "price.";
  const bool all = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.size() > kPrefix.size() && name.starts_with(kPrefix);
  });
  for (std::string& name : names) {
    if (all) name.erase(0, kPrefix.size());
  }
  return names;
}

}  // namespace

ActionLabels labels_of(std::string_view problem) {
  for (const ProblemKind& kind : problem_kinds()) {
    if (kind.name == problem) return kind.action_labels;
  }
  return {};
}

std::shared_ptr<const Money> money_of(const std::string& problem, const Json& params) {
  for (const ProblemKind& kind : problem_kinds()) {
    if (kind.name != problem || !kind.money) continue;
    try {
      return make_problem(problem, params, "params")->game().money();
    } catch (const Error&) {
      return nullptr;  // a page is made of files from anywhere
    }
  }
  return nullptr;
}

ActionWords action_words(const std::string& problem, const Json& params, const LogNames& log) {
  ActionWords words;
  const ActionLabels labels = labels_of(problem);
  const auto money = money_of(problem, params);
  // An index without amounts is the number of a thing.
  if (labels.shape == ActionLabels::Shape::kIndex && !money) {
    words.unit = labels.one;
    words.one = words.unit;
    words.names = {words.unit};
    words.prefix = words.unit + " ";
    words.about = "The number of the " + words.unit + " that was played, from 0.";
    words.choices = log.slots;
    return words;
  }
  words.drawn = labels.shape != ActionLabels::Shape::kNotDrawn;
  if (!labels.title.empty()) {
    words.title = labels.title;
    words.one = labels.one;
    words.unit = labels.unit;
  } else if (words.drawn) {
    words.about = "One panel per number of the action, as the problem's page lists them.";
  }
  if (!money) {
    if (words.unit == "level") words.unit = "position in the list of prices, from 0";
    return words;
  }
  const Amounts& amounts = money->amounts;
  const bool levels = amounts.lists.empty() && amounts.levels > 0;
  const bool in_money = levels && amounts.shown == Amounts::Shown::kCurrency && log.in_money();
  if (levels && words.unit == "level") words.unit += " of " + number_text(amounts.levels);
  if (!amounts.lists.empty()) write_lists(words, amounts, log);
  if (in_money) {
    words.scale = log.cap / amounts.levels;
    words.unit = log.currency.empty() ? "money" : log.currency;
    words.currency = log.currency;
  }
  if (levels && !in_money) return words;
  if (amounts.names == Amounts::Names::kSlots && log.slots.size() == amounts.owners) words.names = log.slots;
  // A name for each good, as the log has it: "price.red" is the price of red.
  if (amounts.names == Amounts::Names::kGoods) words.names = goods(log.slots);
  return words;
}

void ActionPanels::add(std::uint64_t round, const Json& action) {
  ++rounds_;
  std::string text = dump(action);
  if (rounds_ > 1 && text != last_) ++changes_;
  change_path_.add(round, static_cast<double>(changes_));
  if (const auto found = counts_.find(text); found != counts_.end()) {
    ++found->second;
  } else if (counts_.size() < kMostCounted) {
    counts_.emplace(text, 1);
  } else {
    ++uncounted_;
  }
  last_.swap(text);
  if (!drawable_) return;
  const auto numbers = coordinates_of(action);
  if (rounds_ == 1) {
    coordinates_ = numbers.size();
    panels_.resize(std::min(coordinates_, kMostPanels));
  }
  drawable_ = !numbers.empty() && numbers.size() == coordinates_;
  for (std::size_t i = 0; drawable_ && i < panels_.size(); ++i) panels_[i].add(round, numbers[i]);
}

Json ActionPanels::counts_table(const ActionWords& words) const {
  constexpr std::size_t kShown = 10;
  std::vector<std::pair<std::uint64_t, std::string>> most;
  for (const auto& [text, count] : counts_) most.emplace_back(count, text);
  const std::size_t kept = std::min(kShown, most.size());
  std::partial_sort(
      most.begin(), most.begin() + static_cast<std::ptrdiff_t>(kept), most.end(),
      [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  PageTable table{.title = "Most frequent actions", .about = {}, .header = {"action", "rounds", "share"}, .rows = {}};
  table.about =
      counted(counts_.size(), "action") +
      (uncounted_ > 0 ? " were counted; those first seen later, in " + counted(uncounted_, "round") + ", were not"
                      : " in all") +
      "; the choice changed in " + counted(changes_, "round") +
      (words.scale != 1 ? ". Numbers are levels, as recorded." : ".");
  for (std::size_t i = 0; i < kept; ++i) {
    const double share = 100 * static_cast<double>(most[i].first) / static_cast<double>(rounds_);
    table.rows.push_back({shortened(words.action_text(most[i].second)), shown(static_cast<double>(most[i].first)),
                          shown(rounded(share)) + " %"});
  }
  return table_block(table);
}

void ActionPanels::write_counts(Json& blocks, const ActionWords& words) const {
  if (rounds_ > 0) blocks.push_back(counts_table(words));
}

void ActionPanels::write_panels(Json& blocks, const ActionWords& words) const {
  if (rounds_ > 0 && drawable_ && words.drawn && !panels_.empty()) {
    std::vector<PageChart> charts;
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      auto points = panels_[i].extremes();
      for (auto& point : points) point.value = words.value(i, point.value);
      const auto [low, high] = std::minmax_element(points.begin(), points.end(),
                                                   [](const auto& a, const auto& b) { return a.value < b.value; });
      PageChart chart{.title = words.name(i),
                      .about = {},
                      .now = words.text(points.back().value),
                      .alt = {},
                      .y_name = words.unit,
                      .line = PageChart::Line::kStep,
                      .at = {},
                      .series = {}};
      chart.alt = words.title + ", " + words.name(i) + ": between " + shown(low->value) + " and " + shown(high->value) +
                  ", " + shown(points.back().value) + " at the end (" + words.unit + ").";
      chart.series.push_back(series_of(words.name(i), points));
      charts.push_back(std::move(chart));
    }
    std::string about = words.about;
    if (coordinates_ > panels_.size()) {
      about += (about.empty() ? "" : " ") + std::string("The first ") + std::to_string(panels_.size()) + " of " +
               std::to_string(coordinates_) + " are shown.";
    }
    blocks.push_back(charts_block(words.title, about, charts));
  }
}

}  // namespace hannan::detail
