#include "hannan/problems/@file@/@file@.hpp"

#include <string>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/oracles/tabulate.hpp"
#include "hannan/perturbations/explicit_columns.hpp"

namespace hannan::detail {

@Type@::@Type@(std::uint64_t greatest) : greatest_(greatest) {
  if (greatest < 1 || greatest > kMost) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(greatest) + ", expected a whole number from 1 to " + std::to_string(kMost), "greatest");
  }
}

std::vector<std::shared_ptr<const Perturbation<@Type@>>> @Type@::perturbations(std::shared_ptr<const @Type@> p) {
  return explicit_columns<@Type@>({.problem = std::move(p), .matrix = {}, .form = Form::kLoss, .data = {}});
}

std::vector<std::shared_ptr<const AnyOracle<@Type@>>> @Type@::oracles(std::shared_ptr<const @Type@> p) {
  return {make_oracle("tabulate", std::move(p), Tabulate<@Type@>{})};
}

}  // namespace hannan::detail
