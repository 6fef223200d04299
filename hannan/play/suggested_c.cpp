// c = sqrt(M / gamma) makes the leading term (gamma c + M/c) sqrt(L*) of tight2 least (docs/theory-run.md, simple2,
// tuning). Nothing is suggested within 5 % of the c that was played: the bound is flat there.
#include "hannan/play/suggested_c.hpp"

#include <algorithm>
#include <cmath>

namespace hannan::detail {
namespace {

const Json* part_of(const Json* of, const char* name) { return of ? of->find(name) : nullptr; }

// A bound that grows by (gamma c + M/c) sqrt(L*).
bool states_tight2(const Json* certificate) {
  const Json* bounds = part_of(certificate, "bounds");
  if (!bounds || !bounds->is_array()) return false;
  return std::ranges::any_of(bounds->as_array(), [](const Json& bound) {
    const Json* name = bound.find("name");
    return name && *name == Json("tight2");
  });
}

}  // namespace

std::optional<double> suggested_c(const Json& report) {
  const Json* learner = report.find("learner");
  const Json* params = report.find("params");
  const Json* certificate = report.find("certificate");
  const Json* assumptions = part_of(certificate, "assumptions");
  if (!learner || *learner != Json("gftpl") || !params || !assumptions) return std::nullopt;
  const auto gamma = assumptions->find_number("gamma"), size = assumptions->find_number("M");
  if (params->find_number("c") != 1.0 || !states_tight2(certificate)) return std::nullopt;
  if (!gamma || !size || !(*gamma > 0) || !(*size > 0)) return std::nullopt;
  const double c = std::sqrt(*size / *gamma);
  return std::abs(c - 1) < 0.05 ? std::nullopt : std::optional(c);
}

}  // namespace hannan::detail
