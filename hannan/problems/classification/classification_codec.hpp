// `classification` as JSON: a classifier as its rule, or its place in the list; {"point", "label"}.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hannan/game/rivals.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/imported.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/classification/classification.hpp"

namespace hannan::detail {

template <>
struct Codec<Classification> {
  static constexpr std::string_view kKind = "classification";
  static constexpr std::string_view kAbout = "known points get labels; thresholds, stumps, boxes, halfplanes, trees";
  static constexpr ActionLabels kActionLabels{.shape = ActionLabels::Shape::kNotDrawn,
                                              .title = {},
                                              .one = {},
                                              .unit = {},
                                              .page = "Predictions",
                                              .thing = "rule",
                                              .counts_mistakes = true};
  static constexpr Simulation kSimulation = Simulation::kLabels;
  static constexpr bool kFileHasDecisions = true;  // a column of what was decided, --param decided=COLUMN
  static constexpr std::string_view kRivals = "majority, last label, logistic regression, boosted stumps";

  static constexpr std::string_view kFileAbout =
      "CSV with a header or LIBSVM; --param label=COLUMN or --labels FILE, positive, drop, bins, skip, header, format";
  // Labelled rows of a file: the options named in kFileAbout are taken out of the params and the points put in;
  // a row is an outcome. Equal rows are one point.
  static Imported import(Json params, const std::string& file);

  static std::shared_ptr<const Classification> parse(Fields& params);
  static Json params(const Classification& p);
  static Json action_json(const Classification& p, const Classification::Action& x);
  static Classification::Action parse_action(const Classification& p, const Json& json, std::string_view path);
  static Json outcome_json(const Classification& p, const Classification::Outcome& y);
  static Classification::Outcome parse_outcome(const Classification& p, const Json& json, std::string_view path);
  static std::unique_ptr<RivalGroup> rivals(const std::shared_ptr<const Classification>& p);
  static std::size_t labelled_points(const Classification& p) {
    return p.class_name().empty() ? 0 : p.table().points();
  }
  static std::string action_words(const Json& action);
  static ProblemInstances instances();
  static ProblemHelp help();
};

// The points among the parameters: `points`, `categories` (null for numbers) and `names`; see point_table.hpp.
PointTable parse_points(Fields& params);
void write_points(const PointTable& table, Json& params);
// The list `votes` of the class of that name: stumps as below, each with a "weight".
std::vector<WeightedStumpRule> parse_votes(Fields& params, const PointTable& points);
void write_votes(const std::vector<WeightedStumpRule>& votes, const PointTable& points, Json& params);

// A rule of one class (hypotheses.hpp) on these points:
//   thresholds  {"cut": c}
//   stumps      {"feature": f, "cut": c, "above": 0 or 1}; of categories {"feature": f, "is": "c" or null, "says": ...}
//   rectangles  {"low": [x, y], "high": [x, y]}
//   halfplanes  {"normal": [a, b], "offset": c}
//   trees2      {"feature": f, "cut": c, "left": stump, "right": stump}
//   trees3      {"feature": f, "cut": c, "left": tree, "right": tree}
//   votes       {"votes": k}, the first k stumps of the list
// A place in the list is a number. A feature is written by its name where the points have names, and read by name or
// place.
Json rule_json(const ClassifierRule& rule, const PointTable& points);
ClassifierRule parse_rule(std::string_view class_name, const PointTable& points, const Json& json,
                          std::string_view path);

}  // namespace hannan::detail
