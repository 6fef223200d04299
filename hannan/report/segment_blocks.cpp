// Segments of a run with contexts: a table in the order of the paths, the share of weight that each has of its
// decision, and the weight of the depths over time.
#include "hannan/report/segment_blocks.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "hannan/report/blocks.hpp"

namespace hannan::detail {
namespace {

using Values = std::vector<std::string>;

// The path of a segment; empty for the root.
Values values_in(const Json& node) {
  Values values;
  const Json* segment = node.find("segment");
  for (std::size_t i = 0; segment && segment->is_array() && i < segment->size(); ++i)
    values.push_back((*segment)[i].is_string() ? (*segment)[i].as_string() : dump((*segment)[i]));
  return values;
}

// In the unit of the problem's words where the action is numbers, else as JSON.
std::string decision_text(const Json& action, const ActionWords& words) {
  const std::vector<double> numbers = words.drawn ? coordinates_of(action) : std::vector<double>{};
  if (numbers.empty()) return shortened(dump(action));
  std::string text;
  for (const double number : numbers) text += (text.empty() ? "" : ", ") + shown(rounded(number * words.scale));
  return shortened(text);
}

// The rows of the table, in order of the paths, so that what follows a row with a greater depth is below it.
class SegmentRows {
 public:
  explicit SegmentRows(const SegmentsOf& of) : of_(of) {
    reward_ = of.unit != "loss";
    const Json* params = of.report.find("params");
    open_ = params ? params->find_number("open").value_or(1) : 1;
    const Json* orders = of.report.find("orders");
    several_ = orders && orders->is_array();
    for (std::size_t j = 0; several_ && j < orders->size(); ++j)
      orders_.push_back((*orders)[j].find_number("weight").value_or(0));
    if (const Json* map = of.report.find("map"); map && map->is_array()) {
      for (const Json& visited : map->as_array()) visited_.insert(values_in(visited));
    }
  }

  Json rows(const Json& nodes) {
    Json list = Json::array();
    std::vector<Values> paths;
    for (const Json& node : nodes.as_array()) paths.push_back(values_in(node));
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const bool inner = i + 1 < paths.size() && paths[i + 1].size() > paths[i].size();
      list.push_back(row(nodes[i], paths[i], inner));
    }
    return list;
  }
  std::size_t visited() const { return visited_.size(); }

 private:
  // [depth, name, rounds, decision, figure, figure a round, share of the decision, visited]
  Json row(const Json& node, const Values& path, bool inner) {
    const std::size_t depth = several_ && path.size() > 1 ? path.size() - 1 : std::min<std::size_t>(path.size(), 16);
    const double rounds = node.find_number("rounds").value_or(0);
    const double played = std::max(0.0, rounds - (depth == 0 ? 0 : open_));
    const double own = node.find_number("own").value_or(0);
    const double figure = of_.scale * (reward_ ? played - own : own);
    const Json* action = node.find("action");
    return Json::array({Json(depth), Json(name(path)), Json(rounds),
                        Json(action ? decision_text(*action, of_.words) : "-"),
                        Json(played > 0 ? shown(figure, 2) : "-"), Json(played > 0 ? shown(figure / played, 4) : "-"),
                        Json(rounded(share(node, path, depth, inner))), Json(visited_.contains(path) ? 1 : 0)});
  }
  static std::string shown_value(const std::string& value) { return value.empty() ? "(none)" : value; }
  std::string name(const Values& path) const {
    if (path.empty()) return "all";
    // The first segments of several orders have the number of their order in front.
    return (several_ && path.size() == 2 ? path[0] + ": " : "") + shown_value(path.back());
  }
  // Of the weight that reaches the segment what its own learner has; the rest goes below. Shares along a path add up
  // to 1 where its finest segment is open.
  double share(const Json& node, const Values& path, std::size_t depth, bool inner) {
    reached_.resize(std::max(reached_.size(), depth + 2), 0);
    if (depth == 0) reached_[0] = 1;
    if (depth == 1 && several_ && !path.empty()) {
      std::size_t order = 0;  // from 1, as the path begins; a record that does not hold may have anything there
      while (order < orders_.size() && std::to_string(order + 1) != path[0]) ++order;
      reached_[1] = order < orders_.size() ? orders_[order] : 0;
    }
    const double own = inner ? std::clamp(node.find_number("weight").value_or(1), 0.0, 1.0) : 1;
    reached_[depth + 1] = reached_[depth] * (1 - own);
    return reached_[depth] * own;
  }

  const SegmentsOf& of_;
  bool reward_ = false, several_ = false;
  double open_ = 1;
  std::vector<double> orders_, reached_;
  std::set<Values> visited_;
};

}  // namespace

// One order of columns has a level for each; with several, whose levels differ, only "below".
std::vector<std::string> depth_names(const Json& by) {
  if (!by.is_array() || by.size() == 0) return {};
  if (by[0].is_array()) return {"all", "below"};
  std::vector<std::string> names{"all"};
  for (const Json& column : by.as_array()) names.push_back(column.is_string() ? column.as_string() : dump(column));
  return names;
}

std::string depths_text(const std::vector<std::string>& names, const std::vector<double>& weights) {
  std::string text;
  for (std::size_t d = 0; d < std::min(names.size(), weights.size()); ++d)
    text += (d == 0 ? "" : ", ") + names[d] + " " + shown(100 * weights[d], 0) + " %";
  return text;
}

// Shares add up to 100 % at every point.
Json depths_chart(const DepthPaths& paths) {
  PageChart chart{.title = paths.title,
                  .about =
                      "The share of the decision that is taken at each level of the segments, as means over stretches "
                      "of rounds.",
                  .alt = {},
                  .y_name = "%",
                  .at = {},
                  .series = {}};
  std::vector<double> first, last;
  for (std::size_t d = 0; d < paths.names.size(); ++d) {
    std::vector<ThinnedPoint> percent = paths.means[d];
    for (auto& point : percent) point.value *= 100;
    first.push_back(percent.empty() ? 0 : percent.front().value / 100);
    last.push_back(percent.empty() ? 0 : percent.back().value / 100);
    chart.series.push_back(series_of(paths.names[d], percent));
  }
  chart.alt = "At first " + depths_text(paths.names, first) + "; at the end " + depths_text(paths.names, last) + ".";
  return chart_block(chart);
}

void DepthWeights::begin(const Json& header) {
  const Json* learner = header.find("learner");
  const Json* params = learner ? learner->find("params") : nullptr;
  const Json* by = params ? params->find("by") : nullptr;
  if (by) names_ = depth_names(*by);
  several_ = by && by->is_array() && by->size() > 0 && (*by)[0].is_array();
  weights_.assign(names_.size(), Thinned(kStretches));
}

void DepthWeights::round(const Json& line) {
  ++rounds_;
  const Json* weights = line.find("weights");
  if (names_.empty() || !weights || !weights->is_array() || weights->size() == 0 || !(*weights)[0].is_number()) return;
  const auto weight = [&](std::size_t d) {
    return d < weights->size() && (*weights)[d].is_number() ? (*weights)[d].as_number() : 0;
  };
  for (std::size_t d = 0; d < weights_.size(); ++d)
    weights_[d].add(rounds_, several_ && d == 1 ? 1 - weight(0) : weight(d));
}

void DepthWeights::write(Json& blocks) const {
  if (weights_.empty() || weights_[0].empty()) return;
  DepthPaths paths{.title = "Which level decides", .names = names_, .means = {}};
  for (const Thinned& depth : weights_) paths.means.push_back(depth.means());
  blocks.push_back(depths_chart(paths));
}

// From losses to what was earned: the report has both totals, and their quotient is the unit.
double reward_scale(const Json& report) {
  const Json* raw = report.find("raw");
  const auto total = report.find_number("total"), rounds = report.find_number("rounds");
  const auto earned = raw ? raw->find_number("total") : std::nullopt;
  if (!total || !rounds || !earned) return 1;
  const Json* unit = raw->find("unit");
  const double of = unit && *unit == Json("reward") ? *rounds - *total : *total;
  return of > 0 && *earned > 0 ? *earned / of : 1;
}

// In the order of the report, which lists parents before their children.
void write_segment_blocks(Json& blocks, const SegmentsOf& of) {
  const Json* nodes = of.report.find("nodes");
  if (!nodes || !nodes->is_array() || nodes->size() == 0) return;
  SegmentRows rows(of);
  Json list = rows.rows(*nodes);
  const std::string figure = of.unit == "loss" ? "Loss" : "Earned, " + of.unit;
  const std::string unit = of.words.drawn ? ", " + of.words.unit : "";
  Json table = Json::object(
      {{"block", "tree"},
       {"title", of.title},
       {"about", counted(nodes->size(), "segment") + ", most rounds first. Bold: the " +
                     std::to_string(rows.visited()) + " whose decision would be exported. What was " +
                     (of.unit == "loss" ? "lost" : "earned") +
                     " is counted from when a segment began to decide for itself. \"Decides here\" is the share of the "
                     "decision that is taken at this segment now; along one path the shares add up to 100 %."}});
  table.set("header", Json::array({Json("Segment"), Json("Rounds"), Json("Decision" + unit), Json(figure),
                                   Json("a round"), Json("Decides here")}));
  blocks.push_back(table.set("rows", std::move(list)));
}

void blocks_of_segments(Json& blocks, const SegmentsOfRun& run) {
  const ActionWords words = action_words(run.problem, run.params, run.log);
  const Json* raw = run.report.find("raw");
  const Json* unit = raw ? raw->find("unit") : nullptr;
  const bool reward = unit && *unit == Json("reward");
  const std::string money = run.log.currency.empty() ? "in the unit of the data" : run.log.currency;
  write_segment_blocks(blocks, {.report = run.report,
                                .words = words,
                                .unit = reward ? money : "loss",
                                .scale = reward ? reward_scale(run.report) * run.log.cap : 1});
}

}  // namespace hannan::detail
