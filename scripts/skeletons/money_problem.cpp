#include "hannan/problems/@file@/@file@.hpp"

#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/explicit_columns.hpp"

namespace hannan::detail {

@Type@::@Type@(Parts parts) : parts_(std::move(parts)) {
  const auto& stocks = parts_.stocks;
  if (stocks.empty() || stocks.size() > kMost || !(stocks.front() >= 0)) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(stocks.size()) + " stocks, expected 1 to " + std::to_string(kMost) + ", from 0 up", "stocks");
  }
  if (std::adjacent_find(stocks.begin(), stocks.end(), [](double a, double b) { return !(a < b); }) != stocks.end())
    throw Error(Code::kOutOfRange, "found a stock that is not above the one before it, expected a rising list", "stocks");
  normaliser_ = std::max(parts_.over * stocks.back(), parts_.under * (parts_.most - stocks.front()));
  if (!(normaliser_ > 0)) throw Error(Code::kOutOfRange, "found a game that costs nothing, expected a larger demand", "most");
}

std::vector<std::shared_ptr<const Perturbation<@Type@>>> @Type@::perturbations(std::shared_ptr<const @Type@> p) {
  return explicit_columns<@Type@>({.problem = std::move(p), .matrix = {}, .form = Form::kLoss, .data = {}});
}

std::vector<std::shared_ptr<const AnyOracle<@Type@>>> @Type@::oracles(std::shared_ptr<const @Type@> p) {
  return {make_oracle("tabulate", std::move(p), Tabulate<@Type@>{})};
}

}  // namespace hannan::detail
