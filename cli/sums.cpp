// Sums of `hannan fold` must be of the problem that the flags name: refused otherwise.
#include "sums.hpp"

#include "hannan/core/error.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail::cli {

void check_problem_of_sums(const ProblemFlags& flags, const Summary& sums, const std::string& path) {
  const AnyProblem& problem = sums.problem();
  Json params = flags.json();
  const Json summed = problem.params();
  for (const auto& [name, value] : summed.as_object()) {
    if (!params.find(name)) params.set(name, value);
  }
  const std::string kind(problem.kind());
  if (flags.kind != kind) throw Error(kOtherSums, "found sums of " + kind + ", expected those of " + flags.kind, path);
  if (const auto asked = make_problem(kind, params, "--param"); asked->params() != summed)
    throw Error(kOtherSums, "found sums of the parameters " + dump(summed) + ", expected " + dump(asked->params()),
                path);
}

}  // namespace hannan::detail::cli
