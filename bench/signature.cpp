#include "bench/signature.hpp"

#include "bench/instances.hpp"
#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "hannan/runtime/learner_params.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::uint64_t kRounds = 48;

// Parameters that a learner cannot do without, or that lead it another way.
std::vector<Json> settings_of(std::string_view kind) {
  std::vector<Json> all;
  // Came after the signature, which a new learner must not change; expected results hold its decisions.
  if (kind == "adanormalhedge") return all;
  const auto seeded = [] { return Json::object({{"seed", 5}}); };
  if (takes(kind, "beta")) {
    all.push_back(seeded().set("beta", 2));
  } else if (takes(kind, "epsilon")) {
    all.push_back(seeded().set("epsilon", 0.25));
  } else {
    all.push_back(seeded());
  }
  if (takes(kind, "draw")) all.push_back(Json(all[0]).set("draw", "once"));
  return all;
}

void play_into(Digest& digest, AnyLearner& learner, const std::vector<Json>& outcomes) {
  for (const Json& outcome : outcomes) {
    digest.add(dump(learner.action()));
    digest.add(number_text(learner.observe(outcome, "outcome").loss));
    digest.add(";");
  }
  const Json report = learner.report();
  for (const char* name : {"total", "best", "best_action"}) digest.add(dump(report.at(name)));
}

}  // namespace

Signature signature(const Setting& setting) {
  Digest digest;
  Signature found;
  for (const ProblemKind& kind : problem_kinds()) {
    if (!has_instance(kind.name, InstanceSize::kSmall)) continue;
    setting.say("signature: " + std::string(kind.name));
    const auto problem = instance(kind.name, InstanceSize::kSmall);
    // Half of one law, half of another: learners that adapt have something to adapt to.
    auto outcomes = deck(*problem, {.count = kRounds / 2, .law = 0});
    for (Json& outcome : deck(*problem, {.count = kRounds / 2, .law = 1})) outcomes.push_back(std::move(outcome));
    for (const LearnerKind& learner : learner_kinds()) {
      for (const Json& params : settings_of(learner.name)) {
        digest.add(std::string(kind.name) + " " + std::string(learner.name) + " " + dump(params) + ":");
        try {
          play_into(digest, *problem->learner(std::string(learner.name), params), outcomes);
          ++found.runs;
        } catch (const Error& e) {
          if (e.code() != Code::kUnavailable && e.code() != Code::kMissingField) throw;
          digest.add(code_name(e.code()));  // that there is no such combination is behaviour too
          ++found.refused;
        }
      }
    }
  }
  found.hex = digest.hex();
  return found;
}

}  // namespace hannan::detail::bench
