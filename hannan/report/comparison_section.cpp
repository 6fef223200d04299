// Learners and rivals on the same outcomes, in money: hannan/compare/comparison_json.cpp says what a result holds.
#include <fmt/format.h>

#include <algorithm>

#include "hannan/bidlog/logged_money.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/report/action_panels.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/section.hpp"
#include "hannan/report/segment_blocks.hpp"

namespace hannan::detail {
namespace {

struct Player {
  std::size_t ink;  // its place among all
  std::string name, about, role;
  double money, low, high, over, over_low, over_high, first, last, regret;
  std::optional<double> bound;
  double calls;
  Json final_action, report, series;
  std::string says;  // what to do, where it was judged
  Json segments;     // of a learner with a decision for every segment
};

std::vector<std::optional<double>> values_of(const Json& list, const std::string& at) {
  std::vector<std::optional<double>> values;
  if (!list.is_array()) throw Error(Code::kMalformed, "found " + describe(list) + ", expected a list of numbers", at);
  for (const Json& value : list.as_array())
    values.push_back(value.is_number() ? std::optional(value.as_number()) : std::nullopt);
  return values;
}

class ComparisonPage {
 public:
  ComparisonPage(const Json& result, const std::string& name) : in_(result, ""), name_(name) {
    problem_ = in_.word("problem");
    params_ = in_.need("params");
    rounds_ = static_cast<std::uint64_t>(in_.integer("rounds", kNatural));
    reward_ = in_.word("unit") == "reward";
    currency_ = in_.word("currency");
    baseline_ = in_.word("baseline");
    log_.cap = in_.number("cap");
    log_.currency = currency_;
    if (const Json& data = in_.need("data"); is_log_summary(data)) {
      log_ = log_names(data);
      read_hidden(data);
    }
    Fields series = in_.fields("series");
    at_ = series.numbers("round");
    const auto& list = in_.list("players");
    for (std::size_t i = 0; i < list.size(); ++i) players_.push_back(player(list[i], i));
    clear();
    if (players_.empty() || at_.empty())
      throw Error(Code::kMalformed, "found no players or no rounds, expected a result of hannan compare", name);
  }

  Section section() {
    Json blocks = Json::array();
    if (!warning_.empty()) blocks.push_back(text_block(warning_));
    blocks.push_back(summary());
    blocks.push_back(bars());
    write_segments(blocks);
    write_paths(blocks);
    blocks.push_back(table());
    write_regret(blocks);
    write_actions(blocks);
    for (const auto& player : players_) write_certificate(blocks, player);
    blocks.push_back(object_block("Problem " + problem_, params_));
    blocks.push_back(
        facts_block("How it was computed",
                    {{"seed", shown(in_.need("seed"))},
                     {"money of 1", shown(in_.need("cap"))},
                     {"currency", currency_.empty() ? "unavailable" : currency_},
                     {"intervals", shown(blocks_fact("level") * 100) + " %, " + shown(blocks_fact("resamples")) +
                                       " bootstrap samples of " + shown(blocks_fact("count")) + " blocks of " +
                                       shown(blocks_fact("length")) + " rounds, decisions taken as given"},
                     {"paths", at_.size() < rounds_
                                   ? "kept at " + counted(at_.size(), "round") +
                                         ", evenly spaced; they are sums, so only detail between two points is lost"
                                   : "kept at every round"}}));
    if (!log_.summary.is_null()) write_log_blocks(blocks, log_.summary);
    return {.json = Json::object(
                {{"title", "Comparison on " + problem_}, {"source", name_}, {"blocks", std::move(blocks)}}),
            .failed = {}};
  }

 private:
  static Player player(const Json& json, std::size_t place) {
    Fields in(json, path_of("players", place));
    const auto pair = [&](const char* field) {
      auto numbers = in.numbers(field);
      if (numbers.size() != 2)
        throw Error(Code::kMalformed, "found " + std::to_string(numbers.size()) + " numbers, expected two",
                    in.at(field));
      return numbers;
    };
    const auto interval = pair("money_interval"), over = pair("over_baseline_interval");
    const Json& bound = in.need("bound");
    Player p{.ink = place,
             .name = in.word("name"),
             .about = in.word("about"),
             .role = in.word("role"),
             .money = in.number("money"),
             .low = interval[0],
             .high = interval[1],
             .over = in.number("over_baseline"),
             .over_low = over[0],
             .over_high = over[1],
             .first = in.number("first_tenth_a_round"),
             .last = in.number("last_tenth_a_round"),
             .regret = in.number("regret"),
             .bound = bound.is_number() ? std::optional(bound.as_number()) : std::nullopt,
             .calls = in.number("calls"),
             .final_action = in.need("final_action"),
             .report = {},
             .series = in.need("series"),
             .says = {},
             .segments = {}};
    if (const Json* report = json.find("report")) p.report = *report;
    if (const Json* segments = json.find("segments")) p.segments = *segments;
    const Json* judged = json.find("judgement");
    if (judged && !judged->is_null()) p.says = Fields(*judged, in.at("judgement")).word("says");
    return p;
  }

  // Sets differences that are only rounding to zero: of sums as large as the money, or as the losses of all rounds.
  void clear() {
    double money = 0;
    for (const auto& p : players_) money = std::max(money, std::abs(p.money));
    for (auto& p : players_) {
      for (double* value : {&p.money, &p.low, &p.high, &p.over, &p.over_low, &p.over_high})
        *value = cleared(*value, money);
      p.regret = cleared(p.regret, static_cast<double>(rounds_));
    }
  }

  // More than 1 % of the log's money hidden by the way it is read comes before all results (docs/logs.md).
  void read_hidden(const Json& data) {
    const Json* hidden = data.find("hidden");
    const Json* share = hidden && hidden->is_object() ? hidden->find("share") : nullptr;
    if (!share || !share->is_number() || !(share->as_number() > LoggedMoney::kWarnShare)) return;
    warning_ = "Warning: " + fmt::format("{:.1f} %", 100 * share->as_number()) +
               " of the log's money is hidden by the way it is read: dropped, pooled or clipped.";
  }

  double blocks_fact(const char* name) {
    const Json* found = in_.need("blocks").find(name);
    return found && found->is_number() ? found->as_number() : 0;
  }
  std::string unit() const { return currency_.empty() ? (reward_ ? "money" : "loss") : currency_; }

  Json summary() const {
    const Player& ours = players_.front();
    std::string text;
    if (!ours.says.empty()) text = ours.says + ". ";
    text += ours.name + (reward_ ? " earned " : " lost ") + shown(ours.money) + " " + unit() + " in " +
            counted(rounds_, "round") + ": " + shown(std::abs(ours.over)) + (ours.over >= 0 ? " more" : " less") +
            " than " + baseline_ + ".";
    if (ours.says.empty()) text += " No limit of a gain was known in advance: this data is not judged.";
    return text_block(text);
  }

  Json table() const {
    PageTable table{.title = reward_ ? "What each earned" : "What each lost", .about = {}, .header = {}, .rows = {}};
    table.header = {"",
                    unit(),
                    "bootstrap interval",
                    "more than " + baseline_,
                    "bootstrap interval",
                    "a round, first tenth",
                    "a round, last tenth",
                    "regret (losses)",
                    "bound",
                    "oracle calls",
                    "final action"};
    for (const auto& p : players_) {
      table.rows.push_back({p.name, shown(p.money), shown(p.low) + " to " + shown(p.high), shown(p.over),
                            shown(p.over_low) + " to " + shown(p.over_high), shown(p.first), shown(p.last),
                            shown(p.regret), shown(p.bound), p.role == "learner" ? shown(p.calls) : "-",
                            shown(p.final_action)});
    }
    for (const auto& p : players_) table.about += (table.about.empty() ? "" : "; ") + p.name + ": " + p.about;
    table.about += ".";
    return table_block(table);
  }

  Json bars() const {
    PageBars bars{.title = "More than " + baseline_ + ", with bootstrap intervals",
                  .about = "In " + unit() + ", over all rounds.",
                  .alt = {},
                  .bars = {}};
    for (const auto& p : players_) {
      if (p.name == baseline_) continue;
      bars.bars.push_back({p.name, p.over, p.over_low, p.over_high});
      bars.alt += (bars.alt.empty() ? "" : "; ") + p.name + " " + shown(p.over) + " (" + shown(p.over_low) + " to " +
                  shown(p.over_high) + ")";
    }
    bars.alt += ".";
    return bars_block(bars);
  }

  void write_segments(Json& blocks) const {
    const ActionWords words = action_words(problem_, params_, log_);
    for (const auto& p : players_) {
      const auto total = p.report.find_number("total");
      if (!p.segments.is_object() || !total) continue;
      const double losses = reward_ ? static_cast<double>(rounds_) - *total : *total;
      write_player_segments(blocks, {.name = p.name, .segments = p.segments, .series = p.series, .at = at_},
                            {.report = p.report,
                             .words = words,
                             .title = "Every segment: " + p.name,
                             .unit = reward_ ? unit() : "loss",
                             .scale = losses > 0 && p.money > 0 ? p.money / losses : 1});
    }
  }

  std::vector<std::optional<double>> path(const Player& player, const char* name) const {
    const Json* found = player.series.find(name);
    auto values = found ? values_of(*found, name_) : std::vector<std::optional<double>>{};
    if (found && values.size() != at_.size()) {
      throw Error(
          Code::kMalformed,
          "found " + std::to_string(values.size()) + " points of " + name + ", expected " + std::to_string(at_.size()),
          name_);
    }
    return values;
  }

  void write_paths(Json& blocks) const {
    const auto base =
        std::find_if(players_.begin(), players_.end(), [&](const auto& p) { return p.name == baseline_; });
    PageChart money{.title = reward_ ? "Money earned over time" : "Loss over time",
                    .about = "Summed up to each round.",
                    .alt = "At the end: ",
                    .y_name = unit(),
                    .at = at_,
                    .series = {}};
    PageChart more{.title = "More than " + baseline_ + " over time",
                   .about = "The same sums less those of " + baseline_ + ".",
                   .alt = "At the end: ",
                   .y_name = unit(),
                   .at = at_,
                   .series = {}};
    for (const auto& p : players_) {
      auto values = path(p, "money");
      money.alt += (&p == &players_.front() ? "" : ", ") + p.name + " " + shown(p.money);
      money.series.push_back({.name = p.name, .at = {}, .values = values, .ink = p.ink});
      if (base == players_.end() || &p == &*base) continue;
      const auto less = path(*base, "money");
      for (std::size_t i = 0; i < std::min(values.size(), less.size()); ++i)
        values[i] = values[i] && less[i] ? std::optional(*values[i] - *less[i]) : std::nullopt;
      more.alt += (more.series.empty() ? "" : ", ") + p.name + " " + shown(p.over);
      more.series.push_back({.name = p.name, .at = {}, .values = std::move(values), .ink = p.ink});
    }
    money.alt += ".";
    more.alt += ".";
    blocks.push_back(chart_block(more));
    blocks.push_back(chart_block(money));
  }

  static constexpr std::size_t kSameColour = 5;  // inks so far apart have one colour and other dashes (page/figure.js)

  void write_regret(Json& blocks) const {
    PageChart regret{.title = "Regret of the learners against their bounds",
                     .about = "In losses of [0,1].",
                     .alt = {},
                     .y_name = "loss",
                     .at = at_,
                     .series = {}};
    PageChart rate{.title = "Noise rate",
                   .about = "Noise multiplier of ada and flipflop, eta of the others.",
                   .alt = {},
                   .y_name = "rate",
                   .line = PageChart::Line::kStep,
                   .at = at_,
                   .series = {}};
    PageChart calls{.title = "Oracle calls",
                    .about = "Summed up to each round.",
                    .alt = {},
                    .y_name = "calls",
                    .at = at_,
                    .series = {}};
    for (const auto& p : players_) {
      if (p.role != "learner") continue;
      const auto add = [&](PageChart& chart, const char* series, const std::string& name, std::size_t ink) {
        auto values = path(p, series);
        const auto known = std::find_if(values.rbegin(), values.rend(), [](const auto& v) { return v.has_value(); });
        if (known == values.rend()) return;
        chart.alt += (chart.alt.empty() ? "" : ", ") + name + " ends at " + shown(*known);
        chart.series.push_back({.name = name, .at = {}, .values = std::move(values), .ink = ink});
      };
      add(regret, "regret", p.name, p.ink);
      add(regret, "bound", p.name + ", bound", p.ink + kSameColour);
      add(rate, "rate", p.name, p.ink);
      add(calls, "calls", p.name, p.ink);
    }
    for (auto* chart : {&regret, &rate, &calls}) {
      if (chart->series.empty()) continue;
      chart->alt += ".";
      blocks.push_back(chart_block(*chart));
    }
  }

  // A panel per coordinate with the players that change their action: the learners and the rivals.
  void write_actions(Json& blocks) const {
    constexpr std::size_t kMostPlayers = 4, kMostPanels = ActionPanels::kMostPanels;
    const ActionWords words = action_words(problem_, params_, log_);
    std::vector<PageChart> charts;
    std::size_t drawn = 0, coordinates = 0;
    for (const auto& p : players_) {
      const Json* actions = p.series.find("action");
      if (!actions || !actions->is_array() || actions->size() != at_.size() || drawn == kMostPlayers || !words.drawn)
        continue;
      std::vector<std::vector<std::optional<double>>> columns;
      bool same = true;
      for (const Json& action : actions->as_array()) {
        const auto numbers = coordinates_of(action);
        if (columns.empty()) columns.resize(numbers.size());
        same = same && !numbers.empty() && numbers.size() == columns.size();
        for (std::size_t i = 0; same && i < numbers.size(); ++i) columns[i].emplace_back(numbers[i] * words.scale);
      }
      if (!same || (coordinates > 0 && columns.size() != coordinates)) continue;
      const bool still = std::all_of(columns.begin(), columns.end(), [](const auto& c) {
        return std::count(c.begin(), c.end(), c.front()) == std::ssize(c);
      });
      if (p.role == "rival" && still) continue;  // a constant rival needs no line
      ++drawn;
      coordinates = columns.size();
      charts.resize(std::min(coordinates, kMostPanels));
      for (std::size_t i = 0; i < charts.size(); ++i) {
        charts[i].title = words.name(i);
        charts[i].y_name = words.unit;
        charts[i].line = PageChart::Line::kStep;
        charts[i].at = at_;
        charts[i].alt += (charts[i].alt.empty() ? words.title + ", " + words.name(i) + ", at the end: " : ", ") +
                         p.name + " " + shown(columns[i].back());
        charts[i].series.push_back({.name = p.name, .at = {}, .values = std::move(columns[i]), .ink = p.ink});
      }
    }
    if (!charts.empty()) blocks.push_back(charts_block(words.title, words.about, charts));
  }

  static void write_certificate(Json& blocks, const Player& player) {
    const Json* certificate = player.report.find("certificate");
    const Json* bounds = certificate ? certificate->find("bounds") : nullptr;
    if (!bounds || !bounds->is_array()) return;
    PageTable table{
        .title = "Certificate of " + player.name,
        .about = "As reported, not verified here: hannan run --record and hannan report on the record do that.",
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

  Fields in_;
  std::string name_, problem_, currency_, baseline_, warning_;
  Json params_;
  std::uint64_t rounds_ = 0;
  bool reward_ = false;
  LogNames log_;
  std::vector<double> at_;
  std::vector<Player> players_;
};

}  // namespace

Section comparison_section(const Json& result, const std::string& name) {
  return ComparisonPage(result, name).section();
}

}  // namespace hannan::detail
