#include "tests/conformance/instances.hpp"

#include <map>

#include "hannan/runtime/registry.hpp"

namespace hannan::detail::conformance {
namespace {

std::map<std::string_view, Sampler>& samplers() {
  static std::map<std::string_view, Sampler> all;
  return all;
}

}  // namespace

std::vector<Instance> instances_of(std::string_view kind) {
  std::vector<Instance> all;
  for (const ProblemKind& row : problem_kinds()) {
    if (row.name != kind) continue;
    for (const std::string_view params : row.instances.tested) all.push_back({row.name, params});
  }
  return all;
}

Json params_of(const Instance& instance) { return parse_json(instance.params); }

KeyedRandom random_of(std::uint64_t i) { return KeyedRandom(Key{.seed = 20}, Purpose::kTest, i); }

bool add_sampler(std::string_view kind, Sampler sampler) { return samplers().emplace(kind, sampler).second; }

Json outcome_of(const Instance& instance, std::uint64_t i) {
  return samplers().at(instance.kind)(instance.params, random_of(i));
}

}  // namespace hannan::detail::conformance
