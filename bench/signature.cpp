// The signature: a digest over every action and loss of short runs of every learner on every problem, and over the
// settings that lead learners another way (draw once, gap rule, discount, unknown range, delays, segments, work
// limits). A combination that is refused adds its error code, so that offering it later changes the signature too.
// About a second.
#include "bench/signature.hpp"

#include <functional>

#include "bench/instances.hpp"
#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/runtime/registry.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail::bench {
namespace {

constexpr std::uint64_t kRounds = 48;

// Parameters that a learner cannot do without, or that lead it another way.
std::vector<Json> settings_of(std::string_view kind) {
  std::vector<Json> all;
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

// Losses as the shortest text of the double, so that the last bit counts.
void play_into(Digest& digest, PlainLearner& learner, const std::vector<Json>& outcomes) {
  for (const Json& outcome : outcomes) {
    digest.add(dump(learner.action()));
    digest.add(number_text(learner.observe(outcome, "outcome").loss));
    digest.add(";");
  }
  const Json report = learner.report();
  for (const char* name : {"total", "best", "best_action"}) digest.add(dump(report.at(name)));
}

// The parts that the digest is made of: runs, and combinations that there are not.
class Parts {
 public:
  void add(const std::string& name, const std::function<void(Digest&)>& play) {
    digest_.add(name + ":");
    try {
      play(digest_);
      ++found_.runs;
    } catch (const Error& e) {
      if (e.code() != Code::kUnavailable && e.code() != Code::kMissingField) throw;
      digest_.add(code_name(e.code()));  // that there is no such combination is behaviour too
      ++found_.refused;
    }
  }
  Signature end() {
    found_.hex = digest_.hex();
    return found_;
  }

 private:
  Digest digest_;
  Signature found_;
};

// One setting of everything else that decisions depend on.
// On one small problem: each setting takes other branches of the learners, whatever the problem is.
void add_settings(Parts& parts) {
  const auto problem = instance("experts", InstanceSize::kSmall);
  const auto few = deck(*problem, {.count = kRounds, .law = 1});
  const std::vector<Json> settings{Json::object({{"gap", "loss"}}), Json::object({{"discount", 0.9}}),
                                   Json::object({{"range", "unknown"}})};
  for (const LearnerKind& kind : learner_kinds()) {
    if (kind.of_strategies) continue;
    const std::string name(kind.name);
    for (const Json& params : settings) {
      const auto& param = params.as_object().front().first;
      if (!(param == "range" ? kind.any_range : takes(name, param))) continue;
      parts.add(name + " " + dump(params),
                [&](Digest& digest) { play_into(digest, *problem->learner(name, params), few); });
    }
  }
  // Other kinds of turn are refused where rounds are played in order.
  parts.add("late", [&](Digest& digest) {
    play_into(digest, *problem->learner("ada", Json::object({{"delayed", true}})), few);
  });
  parts.add("segments", [&](Digest& digest) {
    const Json by = Json::object({{"by", Json::array({Json("parity"), Json("third")})}});
    play_into(digest, *problem->learner("flipflop", by), few);
  });
  // A search that its limit ends.
  const auto large = make_problem("vcg-reserves", Json::object({{"bidders", 6}, {"levels", 32}}), "params");
  const auto bids = deck(*large, {.count = kRounds, .law = 0});
  for (const char* name : {"leader", "flipflop"}) {
    parts.add(std::string(name) + " within a limit", [&](Digest& digest) {
      const auto learner = large->learner(name, Json::object({{"oracle", "branch_bound:5"}}));
      play_into(digest, *learner, bids);
      digest.add(dump(learner->report().at("floor")));
    });
  }
}

}  // namespace

// In the order of the registries, so that a new problem or learner changes the signature, and a moved one too.
Signature signature(const Setting& setting) {
  Parts parts;
  for (const ProblemKind& kind : problem_kinds()) {
    if (!has_instance(kind.name, InstanceSize::kSmall)) continue;
    setting.say("signature: " + std::string(kind.name));
    const auto problem = instance(kind.name, InstanceSize::kSmall);
    // Half of one law, half of another: learners that adapt have something to adapt to.
    auto outcomes = deck(*problem, {.count = kRounds / 2, .law = 0});
    for (Json& outcome : deck(*problem, {.count = kRounds / 2, .law = 1})) outcomes.push_back(std::move(outcome));
    for (const LearnerKind& learner : learner_kinds()) {
      if (learner.of_strategies) continue;  // it plays what others decide
      for (const Json& params : settings_of(learner.name)) {
        parts.add(std::string(kind.name) + " " + std::string(learner.name) + " " + dump(params), [&](Digest& digest) {
          play_into(digest, *problem->learner(std::string(learner.name), params), outcomes);
        });
      }
    }
  }
  setting.say("signature: settings");
  add_settings(parts);
  return parts.end();
}

}  // namespace hannan::detail::bench
