// Classification problems and outcomes from and to JSON; classifiers are written by rule_codec.cpp.
#include "hannan/problems/classification/classification_codec.hpp"

#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan::detail {

// "categories" has an entry for each column, null for a column of numbers. Widths and codes are checked as a whole by
// expect_sound(), once the table is complete.
PointTable parse_points(Fields& params) {
  PointTable table(params.matrix("points"));
  if (params.has("categories")) {
    const auto& list = params.list("categories");
    const std::string path = params.at("categories");
    for (std::size_t f = 0; f < list.size(); ++f) {
      table.categories.emplace_back();
      if (list[f].is_null()) continue;
      table.categories.back() = to_words(list[f], path_of(path, f));
      if (table.categories.back().empty()) {
        throw Error(Code::kOutOfRange, "found no category, expected at least one, or null for numbers",
                    path_of(path, f));
      }
    }
  }
  if (params.has("names")) table.names = params.words("names");
  return table;
}

// Leaves out what is empty, as parse_points() reads its absence.
void write_points(const PointTable& table, Json& params) {
  params.set("points", Json::array(table.rows));
  if (!table.categories.empty()) {
    Json list = Json::array();
    for (const auto& words : table.categories) list.push_back(words.empty() ? Json() : Json::array(words));
    params.set("categories", std::move(list));
  }
  if (!table.names.empty()) params.set("names", Json::array(table.names));
}

// Either a table of predictions, a row for each classifier, or the name of a class and the points it is about.
std::shared_ptr<const Classification> Codec<Classification>::parse(Fields& params) {
  Classification::Parts parts;
  if (params.has("predictions")) {
    parts.table.rows = params.matrix("predictions");
  } else {
    parts.name =
        params.choice("hypotheses", {kThresholds, kStumps, kRectangles, kHalfplanes, kTrees, kDeepTrees, kVotes});
    parts.table = parse_points(params);
    if (parts.name == kVotes) parts.votes = parse_votes(params, parts.table);
  }
  return made_from(params, [&] { return std::make_shared<const Classification>(std::move(parts)); });
}

Json Codec<Classification>::params(const Classification& p) {
  if (p.class_name().empty()) return Json::object({{"predictions", Json::array(p.table().rows)}});
  Json params = Json::object();
  write_points(p.table(), params);
  if (p.class_name() == kVotes) write_votes(p.votes(), p.table(), params);
  return params.set("hypotheses", p.class_name());
}

Json Codec<Classification>::action_json(const Classification& p, const Classification::Action& x) {
  return rule_json(p.hypotheses().describe(x), p.table());
}

// A number is a place in the list, where there is a list. A rule is accepted if it says the same as some classifier of
// the class on all points: many rules mean one classifier.
Classification::Action Codec<Classification>::parse_action(const Classification& p, const Json& json,
                                                           std::string_view path) {
  if (json.is_number() && p.hypotheses().walk()) {
    return static_cast<Classification::Action>(to_integer(json, path, {0, static_cast<std::int64_t>(p.size()) - 1}));
  }
  const auto code = p.hypotheses().find(parse_rule(p.class_name(), p.table(), json, path));
  if (!code) {
    throw Error(Code::kBadAction, "found a classifier that agrees with none of this class on the points",
                std::string(path));
  }
  return *code;
}

Json Codec<Classification>::outcome_json(const Classification&, const Classification::Outcome& y) {
  return Json::object({{"point", y.point}, {"label", y.label}});
}

// Points go by their number, labels are 0 and 1.
Classification::Outcome Codec<Classification>::parse_outcome(const Classification& p, const Json& json,
                                                             std::string_view path) {
  Fields fields(json, std::string(path));
  Classification::Outcome y;
  y.point = static_cast<std::uint32_t>(fields.integer("point", {0, static_cast<std::int64_t>(p.points()) - 1}));
  y.label = static_cast<std::uint32_t>(fields.integer("label", {0, 1}));
  fields.done();
  return y;
}

ProblemInstances Codec<Classification>::instances() {
  return {
      .tested =
          {R"({"predictions":[[1]]})", R"({"predictions":[[1,0,1],[0,0,1],[1,0,1],[1,1,0]]})",
           R"({"points":[[3],[1],[2],[1],[0.5]],"hypotheses":"thresholds"})",
           R"({"points":[[0,2],[1,1],[2,0],[2,2],[0,2]],"hypotheses":"stumps"})",
           R"({"points":[[0,2],[1,1],[2,0],[1,2],[0,2]],"hypotheses":"stumps","categories":[["a","b","c"],null],"names":["kind","size"]})",
           R"({"points":[[0,0],[1,2],[2,1],[3,3]],"hypotheses":"rectangles"})",
           R"({"points":[[0,0],[1,0],[2,0],[0,1],[1,1],[1,1]],"hypotheses":"halfplanes"})",
           R"({"points":[[0,0],[1,2],[2,1],[3,2],[3,0]],"hypotheses":"trees2"})",
           R"({"points":[[0,0],[1,2],[2,1],[1,0]],"hypotheses":"trees2","categories":[["a","b","c"],null]})",
           R"({"points":[[0,0],[1,2],[1,0],[0,1]],"hypotheses":"trees3"})",
           R"({"points":[[0,1],[1,0],[2,1],[1,2]],"hypotheses":"votes","votes":[{"feature":0,"cut":1,"above":1,"weight":1},{"feature":1,"cut":1,"above":0,"weight":0.7},{"feature":0,"cut":2,"above":0,"weight":0.5}]})"},
      .signature = R"({"points":[[0,2],[1,1],[2,0],[2,2],[0,2],[3,1],[1,3]],"hypotheses":"stumps"})",
      .flat =
          R"({"points":[[0],[1],[2],[3],[4],[5],[6],[7],[8],[9],[10],[11],[12],[13],[14],[15]],"hypotheses":"stumps"})"};
}

ProblemHelp Codec<Classification>::help() {
  using enum ParameterHelp::Need;
  return {
      .parameters = {{"hypotheses", "the class: thresholds, stumps, rectangles, halfplanes, trees2, trees3 or votes",
                      "stumps", kNeeded, "predictions"},
                     {"points", "a row of numbers for each case; --from reads them from a file", "[[1],[2],[3]]",
                      kNeeded, "predictions --from"},
                     {"predictions", "what each classifier says of each point, 0 or 1, in place of a class"},
                     {"votes", "of the class votes: stumps, each with a weight; --from learns them"},
                     {"categories", "for each column null or the names of its categories"},
                     {"names", "the names of the columns"}},
      .file_options = {{"label", "the column of the labels, of which there are two", "COLUMN", kNeeded, "labels"},
                       {"labels", "a second CSV file with the labels, row by row (the flag --labels)"},
                       {"positive", "the label that counts as 1; left out: the larger"},
                       {"drop", "columns to leave out (the flag --drop)"},
                       {"decided", "a column of what was decided, no feature (compare --as-logged)"},
                       {"bins", "at most so many different values in a column; trees2: 32, trees3: 8", "none"},
                       {"learn", "votes: so many first rows, or this share of them, to learn from", "0.2"},
                       {"stumps", "votes: at most so many stumps", "50"},
                       {"skip", "rows to pass over at the beginning", "0"},
                       {"header", "first: the first row names the columns; none", "first"},
                       {"format", "csv or libsvm; left out: as the name of the file ends"}},
      .data = "JSON lines with the number of a point, from 0, and its label",
      .outcome = R"({"point":0,"label":1})",
      .example = "hannan run classification --from cases.csv --param label=answer --param hypotheses=stumps"};
}

}  // namespace hannan::detail
