#include "hannan/problems/experts/experts_codec.hpp"

#include <string>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"

namespace hannan::detail {
std::shared_ptr<const Experts> Codec<Experts>::parse(Fields& params) {
  const auto size = static_cast<std::uint64_t>(params.integer("experts", {1, kAnyInteger.hi}));
  std::vector<std::vector<double>> matrix;
  if (params.has("matrix")) matrix = params.matrix("matrix", limits::kEntry);
  const LossRange range = parse_loss_range(params);
  return made_from(params, [&] { return std::make_shared<const Experts>(size, std::move(matrix), range); });
}

Json Codec<Experts>::params(const Experts& p) {
  Json json = Json::object({{"experts", p.size()}});
  if (!p.matrix().empty()) json.set("matrix", Json::array(p.matrix()));
  if (p.loss_range() == LossRange::kUnknown) json.set("range", "unknown");
  return json;
}

Json Codec<Experts>::action_json(const Experts&, const Experts::Action& x) { return Json(x); }

Experts::Action Codec<Experts>::parse_action(const Experts& p, const Json& json, std::string_view path) {
  return static_cast<Experts::Action>(to_integer(json, path, {0, static_cast<std::int64_t>(p.size()) - 1}));
}

Json Codec<Experts>::outcome_json(const Experts&, const Experts::Outcome& y) { return Json(y); }

Experts::Outcome Codec<Experts>::parse_outcome(const Experts& p, const Json& json, std::string_view path) {
  Experts::Outcome y = to_numbers(json, path, p.row_range());
  if (y.size() != p.size()) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(y.size()) + " losses, expected one per expert, " + std::to_string(p.size()),
                std::string(path));
  }
  return y;
}

ProblemInstances Codec<Experts>::instances() {
  return {.tested = {R"({"experts":1})", R"({"experts":2})", R"({"experts":13})",
                     R"({"experts":4,"matrix":[[0,1],[1,0],[0.5,0.5],[-1,2]]})"},
          .signature = R"({"experts":12})",
          .flat = R"({"experts":100})"};
}

}  // namespace hannan::detail
