// `routing` as JSON: a walk is the list of its edges; an outcome a cost per edge.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "hannan/io/codec.hpp"
#include "hannan/io/imported.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/routing/routing.hpp"

namespace hannan::detail {

template <>
struct Codec<Routing> {
  static constexpr std::string_view kKind = "routing";
  static constexpr std::string_view kAbout = "a path from s to t in a directed graph whose edge costs come afterwards";
  static constexpr ActionLabels kActionLabels{
      .shape = ActionLabels::Shape::kNotDrawn, .title = {}, .one = {}, .unit = {}};

  static constexpr std::string_view kFileAbout =
      "the graph: an edge list, GraphML or GML; with --param source= and target=";
  // `edges` from a graph file (io/graph_file.hpp) in its order; `source` and `target` may be ids or labels.
  // A vertex is called by its label where no other id or label is the same, else by its id. Besides the
  // problem's own parameters: `directed` and `header`, flags for what an edge list does not say.
  static Imported import(Json params, const std::string& file);

  static std::shared_ptr<const Routing> parse(Fields& params);
  static Json params(const Routing& p);
  static Json action_json(const Routing& p, const Routing::Action& x);
  static Routing::Action parse_action(const Routing& p, const Json& json, std::string_view path);
  static Json outcome_json(const Routing& p, const Routing::Outcome& y);
  static Routing::Outcome parse_outcome(const Routing& p, const Json& json, std::string_view path);
  static bool is_amounts(const Json&) { return true; }  // all numbers of an outcome are costs
  static ProblemInstances instances();
  static ProblemHelp help();
};

}  // namespace hannan::detail
