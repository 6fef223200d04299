// Experts from and to JSON. An outcome is a list of losses; null stands for a missing one and is a NaN inside, as an
// empty cell of a table is. What a missing loss means is the parameter `missing`: refused, the worst loss of the round,
// or asleep.
#include "hannan/problems/experts/experts_codec.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"

namespace hannan::detail {
// The size is not limited here: the problem refuses too many with a message that states the memory.
std::shared_ptr<const Experts> Codec<Experts>::parse(Fields& params) {
  const auto size = static_cast<std::uint64_t>(params.integer("experts", {1, kAnyInteger.hi}));
  std::vector<std::vector<double>> matrix;
  if (params.has("matrix")) matrix = params.matrix("matrix", limits::kEntry);
  const LossRange range = parse_loss_range(params);
  const std::string missing = params.choice("missing", {"refuse", "worst", "sleep"}, "refuse");
  const auto rule = missing == "sleep"   ? Experts::Missing::kSleep
                    : missing == "worst" ? Experts::Missing::kWorst
                                         : Experts::Missing::kRefuse;
  return made_from(params, [&] { return std::make_shared<const Experts>(size, std::move(matrix), range, rule); });
}

Json Codec<Experts>::params(const Experts& p) {
  Json json = Json::object({{"experts", p.size()}});
  if (!p.matrix().empty()) json.set("matrix", Json::array(p.matrix()));
  if (p.loss_range() == LossRange::kUnknown) json.set("range", "unknown");
  if (p.missing() != Experts::Missing::kRefuse) json.set("missing", p.sleeps() ? "sleep" : "worst");
  return json;
}

Json Codec<Experts>::action_json(const Experts&, const Experts::Action& x) { return Json(x); }

Experts::Action Codec<Experts>::parse_action(const Experts& p, const Json& json, std::string_view path) {
  return static_cast<Experts::Action>(to_integer(json, path, {0, static_cast<std::int64_t>(p.size()) - 1}));
}

// Only sleeping experts leave gaps in an outcome; under the rule "worst" they are filled when it is read.
Json Codec<Experts>::outcome_json(const Experts& p, const Experts::Outcome& y) {
  if (!p.sleeps()) return Json(y);
  Json list = Json::array();
  for (const double loss : y) list.push_back(std::isnan(loss) ? Json() : Json(loss));
  return list;
}

namespace {

// The losses, with NaN where one is null.
Experts::Outcome losses_with_gaps(const Experts& p, const Json& json, std::string_view path) {
  const auto& list = to_list(json, path);
  Experts::Outcome y;
  y.reserve(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (!list[k].is_null()) {
      y.push_back(to_number(list[k], path_of(path, k), p.row_range()));
    } else if (p.missing() == Experts::Missing::kRefuse) {
      throw Error(Code::kWrongType, "found null, expected a loss; " + std::string(p.row_gap_hint()), path_of(path, k));
    } else {
      y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
  }
  return y;
}

}  // namespace

Experts::Outcome Codec<Experts>::parse_outcome(const Experts& p, const Json& json, std::string_view path) {
  // Lists without gaps are read in one pass, without a path for each number.
  const bool gaps = json.is_array() && std::ranges::any_of(json.as_array(), &Json::is_null);
  Experts::Outcome y = gaps ? losses_with_gaps(p, json, path) : to_numbers(json, path, p.row_range());
  if (y.size() != p.size()) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(y.size()) + " losses, expected one per expert, " + std::to_string(p.size()),
                std::string(path));
  }
  // Filled in before the learner sees it: from here on the outcome has no gap.
  if (gaps && p.missing() == Experts::Missing::kWorst) p.fill_worst(y);
  return y;
}

ProblemInstances Codec<Experts>::instances() {
  return {.tested = {R"({"experts":1})", R"({"experts":2})", R"({"experts":13})",
                     R"({"experts":4,"matrix":[[0,1],[1,0],[0.5,0.5],[-1,2]]})"},
          .signature = R"({"experts":12})",
          .flat = R"({"experts":100})"};
}

ProblemHelp Codec<Experts>::help() {
  using enum ParameterHelp::Need;
  return {
      .parameters = {{"experts", "how many there are; the columns of a table say it", "4", kNeeded},
                     {"missing", "what a missing loss is: refuse, worst (the largest loss) or sleep (cannot be chosen)",
                      "refuse"},
                     {"range", "unit: losses in [0,1]; unknown: any numbers", "unit"},
                     {"matrix", "a row of numbers for each expert: the perturbation dense"}},
      .file_options = {},
      .data = "a row for each round with the loss of every expert, in [0,1]; the header may name them",
      .outcome = "[0.1,0.5,0.9,0.3]",
      .example = "hannan run experts -d losses.csv"};
}

}  // namespace hannan::detail
