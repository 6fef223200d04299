#include "hannan/problems/experts/experts.hpp"

#include <algorithm>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/io/limits.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/explicit_columns.hpp"

namespace hannan {

Experts::Experts(std::uint64_t size, std::vector<std::vector<double>> matrix)
    : size_(size), matrix_(std::move(matrix)) {}

std::shared_ptr<const Experts> Experts::parse(Fields& params) {
  const auto size = static_cast<std::uint64_t>(params.integer("experts", {1, kAnyInteger.hi}));
  if (size > kMaxSize) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(size) + " experts, expected at most " + std::to_string(kMaxSize) +
                    ": a learner keeps about " + std::to_string(kBytesEach) + " bytes an expert, " +
                    std::to_string(kMaxSize * kBytesEach / 1'000'000) +
                    " MB at that size; use fewer, or a problem whose actions are not listed",
                params.at("experts"));
  }
  std::vector<std::vector<double>> matrix;
  if (params.has("matrix")) {
    matrix = params.matrix("matrix", limits::kEntry);
    if (matrix.size() != size) {
      throw Error(Code::kOutOfRange,
                  "found " + std::to_string(matrix.size()) + " rows, expected one per expert, " + std::to_string(size),
                  params.at("matrix"));
    }
    for (std::size_t k = 1; k < matrix.size(); ++k) {
      if (matrix[k].size() != matrix[0].size()) {
        throw Error(Code::kOutOfRange,
                    "found a row of " + std::to_string(matrix[k].size()) + " entries, expected " +
                        std::to_string(matrix[0].size()) + " as in the first row",
                    path_of(params.at("matrix"), k));
      }
    }
  }
  return std::make_shared<Experts>(size, std::move(matrix));
}

Json Experts::params() const {
  Json json = Json::object({{"experts", size_}});
  if (!matrix_.empty()) json.set("matrix", Json::array(matrix_));
  return json;
}

Experts::Action Experts::parse_action(const Json& json, std::string_view path) const {
  return static_cast<Action>(to_integer(json, path, {0, static_cast<std::int64_t>(size_) - 1}));
}

Experts::Outcome Experts::parse_outcome(const Json& json, std::string_view path) const {
  Outcome y = to_numbers(json, path, kUnit);
  if (y.size() != size_) {
    throw Error(Code::kBadOutcome,
                "found " + std::to_string(y.size()) + " losses, expected one per expert, " + std::to_string(size_),
                std::string(path));
  }
  return y;
}

namespace {

// Column j is an outcome once shifted and scaled to [0,1]; minus the column likewise.
std::optional<Dataset<Experts::Outcome>> column_as_outcome(const CoordinateCode& code,
                                                           Perturbation<Experts>::ColumnRequest request) {
  Experts::Outcome y(code.values());
  for (std::size_t k = 0; k < y.size(); ++k) y[k] = request.sign * code.entry(k, request.column);
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  const double least = *low, range = *high - *low;
  for (double& v : y) v = range > 0 ? (v - least) / range : 0.0;
  return Dataset<Experts::Outcome>{{range, std::move(y)}};
}

}  // namespace

std::vector<std::shared_ptr<const Perturbation<Experts>>> Experts::perturbations(std::shared_ptr<const Experts> p) {
  return explicit_columns<Experts>({.problem = p, .matrix = p->matrix_, .form = Form::kLoss, .data = [](CodePtr code) {
                                      return [code](Perturbation<Experts>::ColumnRequest request) {
                                        return column_as_outcome(*code, request);
                                      };
                                    }});
}

std::vector<std::shared_ptr<const AnyOracle<Experts>>> Experts::oracles(std::shared_ptr<const Experts> p) {
  return {make_oracle("tabulate", std::move(p), Tabulate<Experts>{})};
}

}  // namespace hannan
