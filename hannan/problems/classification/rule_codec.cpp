// Classifiers as JSON; the forms are listed in classification_codec.hpp.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/problems/classification/classification_codec.hpp"

namespace hannan::detail {
namespace {

// Columns go by name where all have different names, else by place.
Json cut_json(const CutRule& cut, const PointTable& points) {
  Json json = Json::object({{"feature", points.names.empty() ? Json(cut.feature) : Json(points.names[cut.feature])}});
  if (!points.categorical(cut.feature)) return json.set("cut", cut.cut);
  return json.set("is", cut.category ? Json(points.categories[cut.feature][*cut.category]) : Json());
}

Json stump_json(const StumpRule& stump, const PointTable& points) {
  return cut_json(stump.cut, points).set(points.categorical(stump.cut.feature) ? "says" : "above", stump.says);
}

// By name where the columns have names, else by place; a place is accepted in both cases.
std::uint32_t parse_feature(Fields& fields, const PointTable& points) {
  const Json& which = fields.need("feature");
  if (!which.is_string() || points.names.empty()) {
    const auto last = static_cast<std::int64_t>(points.features()) - 1;
    return static_cast<std::uint32_t>(to_integer(which, fields.at("feature"), {0, last}));
  }
  const auto found = std::find(points.names.begin(), points.names.end(), which.as_string());
  if (found == points.names.end()) {
    throw Error(Code::kBadAction, "found \"" + which.as_string() + "\", expected the name of a column or its place",
                fields.at("feature"));
  }
  return static_cast<std::uint32_t>(found - points.names.begin());
}

// Of a number the cut itself; of a category its name, null for the cut that holds nowhere.
CutRule parse_cut(Fields& fields, const PointTable& points) {
  CutRule cut{.feature = parse_feature(fields, points), .cut = 0, .category = {}};
  if (!points.categorical(cut.feature)) {
    cut.cut = fields.number("cut", kExtended);
    return cut;
  }
  const Json& is = fields.need("is");
  if (is.is_null()) return cut;
  const auto& names = points.categories[cut.feature];
  const auto found = std::find(names.begin(), names.end(), to_word(is, fields.at("is")));
  if (found == names.end()) {
    throw Error(Code::kBadAction, "found \"" + is.as_string() + "\", expected a category of this column, or null",
                fields.at("is"));
  }
  cut.category = static_cast<std::uint32_t>(found - names.begin());
  return cut;
}

// "above" is the label from the cut on, "says" that of the one category: the name tells which kind of column it is.
StumpRule parse_stump(Fields& fields, const PointTable& points) {
  StumpRule stump{.cut = parse_cut(fields, points), .says = 1};
  const char* name = points.categorical(stump.cut.feature) ? "says" : "above";
  stump.says = static_cast<int>(fields.integer(name, {0, 1}));
  fields.done();
  return stump;
}

// Two numbers; the error says what they stand for.
std::array<double, 2> parse_pair(Fields& fields, std::string_view name, Interval range, const char* expected) {
  const auto numbers = fields.numbers(name, range);
  if (numbers.size() != 2) {
    throw Error(Code::kBadAction, "found " + std::to_string(numbers.size()) + " numbers, expected " + expected,
                fields.at(name));
  }
  return {numbers[0], numbers[1]};
}

Json pair_json(const std::array<double, 2>& pair) { return Json::array({Json(pair[0]), Json(pair[1])}); }

Json tree_json(const TreeRule& tree, const PointTable& points) {
  return cut_json(tree.root, points)
      .set("left", stump_json(tree.left, points))
      .set("right", stump_json(tree.right, points));
}

// A root and what stands below it on either side.
template <class Tree, class Side>
Tree parse_sides(Fields& fields, const PointTable& points, Side parse_side) {
  Tree tree;
  tree.root = parse_cut(fields, points);
  Fields left = fields.fields("left"), right = fields.fields("right");
  tree.left = parse_side(left, points);
  tree.right = parse_side(right, points);
  fields.done();
  return tree;
}

// A tree of depth 2 has stumps below its root, a tree of depth 3 trees of depth 2.
TreeRule parse_tree(Fields& fields, const PointTable& points) {
  return parse_sides<TreeRule>(fields, points, parse_stump);
}

DeepTreeRule parse_deep_tree(Fields& fields, const PointTable& points) {
  return parse_sides<DeepTreeRule>(fields, points, parse_tree);
}

// One form for each alternative of ClassifierRule. parse_rule() reads the forms that belong to the class of the
// problem.
struct RuleWriter {
  const PointTable& points;
  Json operator()(const ListedRule& rule) const { return Json(rule.place); }
  Json operator()(const ThresholdRule& rule) const { return Json::object({{"cut", rule.cut}}); }
  Json operator()(const StumpRule& rule) const { return stump_json(rule, points); }
  Json operator()(const BoxRule& rule) const {
    return Json::object({{"low", pair_json(rule.low)}, {"high", pair_json(rule.high)}});
  }
  Json operator()(const HalfplaneRule& rule) const {
    return Json::object({{"normal", pair_json(rule.normal)}, {"offset", rule.offset}});
  }
  Json operator()(const TreeRule& rule) const { return tree_json(rule, points); }
  Json operator()(const VoteRule& rule) const { return Json::object({{"votes", rule.stumps}}); }
  Json operator()(const DeepTreeRule& rule) const {
    return cut_json(rule.root, points)
        .set("left", tree_json(rule.left, points))
        .set("right", tree_json(rule.right, points));
  }
};

}  // namespace

// Weights may be of any sign. The fields of a stump and its weight stand in one object.
std::vector<WeightedStumpRule> parse_votes(Fields& params, const PointTable& points) {
  expect_sound(points);  // columns and categories are looked up by name
  std::vector<WeightedStumpRule> votes;
  const auto& list = params.list("votes");
  for (std::size_t k = 0; k < list.size(); ++k) {
    Fields fields(list[k], path_of(params.at("votes"), k));
    const double weight = fields.number("weight", kAnyFinite);
    votes.push_back({.stump = parse_stump(fields, points), .weight = weight});
  }
  return votes;
}

void write_votes(const std::vector<WeightedStumpRule>& votes, const PointTable& points, Json& params) {
  Json list = Json::array();
  for (const auto& [stump, weight] : votes) list.push_back(stump_json(stump, points).set("weight", weight));
  params.set("votes", std::move(list));
}

Json rule_json(const ClassifierRule& rule, const PointTable& points) { return std::visit(RuleWriter{points}, rule); }

// The class decides which form is expected; a form of another class is an error of its missing fields. Whether the rule
// agrees with one of the class on the points is found out by Hypotheses::find().
ClassifierRule parse_rule(std::string_view class_name, const PointTable& points, const Json& json,
                          std::string_view path) {
  if (class_name.empty())
    throw Error(Code::kWrongType, "found " + describe(json) + ", expected the index of a row", std::string(path));
  Fields fields(json, std::string(path));
  if (class_name == kStumps) return parse_stump(fields, points);
  if (class_name == kTrees) return parse_tree(fields, points);
  if (class_name == kDeepTrees) return parse_deep_tree(fields, points);
  ClassifierRule rule;
  if (class_name == kVotes) {
    rule = VoteRule{static_cast<std::uint64_t>(fields.integer("votes", kNatural))};
  } else if (class_name == kThresholds) {
    rule = ThresholdRule{fields.number("cut", kExtended)};
  } else if (class_name == kRectangles) {
    BoxRule box;
    box.low = parse_pair(fields, "low", kExtended, "x and y");
    box.high = parse_pair(fields, "high", kExtended, "x and y");
    rule = box;
  } else {
    HalfplaneRule halfplane;
    halfplane.normal = parse_pair(fields, "normal", kAnyFinite, "two");
    halfplane.offset = fields.number("offset", kExtended);
    rule = halfplane;
  }
  fields.done();
  return rule;
}

}  // namespace hannan::detail
