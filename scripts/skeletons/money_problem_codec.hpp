// `@name@` as JSON: an action is a place in the list of stocks, an outcome the demand. What it says of money (game/money.hpp) and of
// logs (game/log_use.hpp) makes it known to `hannan convert` and `compare`, to pages, the service and Python.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "hannan/core/keyed_random.hpp"
#include "hannan/game/log_use.hpp"
#include "hannan/game/money.hpp"
#include "hannan/io/codec.hpp"
#include "hannan/io/problem_help.hpp"
#include "hannan/problems/@file@/@file@.hpp"

namespace hannan::detail {

template <>
struct Codec<@Type@> {
  static constexpr std::string_view kKind = "@name@";
  static constexpr std::string_view kAbout = "a stock before the demand is known; too much and too little cost";
  static constexpr ActionLabels kActionLabels{.shape = ActionLabels::Shape::kIndex, .title = "Stock", .one = "item", .unit = "pieces",
                                              .page = "Stock", .thing = "stock levels"};

  static std::shared_ptr<const @Type@> parse(Fields& params) {
    @Type@::Parts parts{.stocks = params.numbers("stocks", {0, 1e9})};
    parts.over = params.number("over", {1e-9, 1e9});
    parts.under = params.number("under", {1e-9, 1e9});
    parts.most = params.number("most", {1e-9, 1e9});
    return made_from(params, [&] { return std::make_shared<const @Type@>(std::move(parts)); });
  }
  static Json params(const @Type@& p) {
    const auto& parts = p.parts();
    return Json::object({{"stocks", Json(parts.stocks)}, {"over", parts.over}, {"under", parts.under}, {"most", parts.most}});
  }

  static Json action_json(const @Type@&, const @Type@::Action& x) { return Json(x); }
  static @Type@::Action parse_action(const @Type@& p, const Json& json, std::string_view path) {
    return static_cast<@Type@::Action>(to_integer(json, path, {0, static_cast<std::int64_t>(p.size()) - 1}));
  }
  static Json outcome_json(const @Type@&, const @Type@::Outcome& y) { return Json(y); }
  static @Type@::Outcome parse_outcome(const @Type@& p, const Json& json, std::string_view path) {
    return to_number(json, path, p.row_range());
  }

  // Stocks are pieces, costs are money: `normaliser` times a loss.
  static Money money(const std::shared_ptr<const @Type@>& p) {
    Money facts;
    facts.amounts = {.what = "stock", .owner = "item", .owners = 1, .unit = Amounts::Unit::kPieces, .lists = {p->parts().stocks}};
    return facts;
  }
  // A log has a row for each round, with the demand in this column unless --bid names another.
  static LogUse log_use() { return {.shape = LogShape::kAmount, .column = "demand"}; }

  // Small parameters to test with, and one set for the signature of `hannan bench`, which never changes once it is there.
  static ProblemInstances instances() {
    return {.tested = {R"({"stocks":[2],"over":1,"under":1,"most":4})", R"({"stocks":[0,1,2,5],"over":1,"under":3,"most":6})"},
            .signature = {},
            .flat = {}};
  }
  // What `hannan help @name@` says: every parameter in one line with a value to begin with, what a round is, a command.
  static ProblemHelp help() {
    using enum ParameterHelp::Need;
    return {.parameters = {{"stocks", "the stocks to choose from, rising", "[0,5,10]", kNeeded},
                           {"over", "what a piece too much costs", "1", kNeeded},
                           {"under", "what a piece too little costs", "3", kNeeded},
                           {"most", "the largest demand there can be", "20", kNeeded}},
            .file_options = {},
            .data = "a row for each round with the demand",
            .outcome = "7",
            .example = "hannan run @name@ --param stocks=[0,5,10] --param over=1 --param under=3 --param most=20 -d demand.csv"};
  }
  // A random outcome for the tests.
  static @Type@::Outcome sample_outcome(const @Type@& p, const KeyedRandom& random) {
    return p.parts().most * static_cast<double>(random.below(0, 5)) / 4;
  }
};

}  // namespace hannan::detail
