// Numbers are losses as learners see them, less the base where there is one; `upper`, `average`, `worst` and `losses`
// are those of the strategy that is written. Lists that may be long are cut at fixed lengths.
#include "hannan/solve/solution.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/core/digest.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kMostWorst = 20;       // scenarios that make up `upper`, shown
constexpr std::size_t kMostCompared = 1000;  // scenarios whose losses are written one by one

const char* word_of(Stopped stopped) {
  switch (stopped) {
    case Stopped::kClosed:
      return "closed";
    case Stopped::kOracle:
      return "oracle";
    case Stopped::kLimit:
      return "limit";
  }
  return "";
}

class SolutionWriter {
 public:
  explicit SolutionWriter(const SolutionParts& parts) : parts_(parts), solved_(parts.solved) {}

  Json write() const {
    const SolveOptions& options = parts_.options;
    Json out = Json::object({{"solution", 1},
                             {"program", parts_.program},
                             {"problem", Json::object({{"kind", game().kind()}, {"params", game().params()}})},
                             {"scenarios", parts_.set.from},
                             {"cap", options.cap},
                             {"regret", options.base == Base::kLeastLoss},
                             {"tolerance", options.tolerance},
                             {"slack", options.slack},
                             {"unit", solved_.unit},
                             {"strategy", mixture(solved_.strategy)},
                             {"opponent", opponent()},
                             {"lower", solved_.lower},
                             {"upper", solved_.upper},
                             {"open", solved_.stopped != Stopped::kClosed},
                             {"stopped", word_of(solved_.stopped)},
                             {"average", solved_.average},
                             {"average_lower", solved_.average_lower},
                             {"average_opponent", average_opponent()},
                             {"worst", worst_scenarios()},
                             {"best_single", single(solved_.best_single)},
                             {"best_average", single(solved_.best_average)},
                             {"frontier", frontier()},
                             {"gain", parts_.gain},
                             {"losses", losses()},
                             {"work", work()},
                             {"oracle", solved_.oracle},
                             {"claims", solved_.claims.empty() ? Json() : Json(solved_.claims)},
                             {"trace", trace()}});
    if (!parts_.money.is_null()) out.set("money", parts_.money);
    const std::string digest = solution_digest(out);
    return out.set("digest", digest);
  }

 private:
  const Scenarios& scenarios() const { return *parts_.set.scenarios; }
  const Game& game() const { return scenarios().game(); }

  Json named(Json entry, const Json& action) const {
    const std::string name = parts_.name ? parts_.name(action) : std::string();
    return name.empty() ? entry : entry.set("name", name);
  }

  Json mixture(const std::vector<MixedAction>& strategy) const {
    Json list = Json::array();
    for (const MixedAction& one : strategy) {
      const Json action = game().action_json(one.action);
      list.push_back(named(
          Json::object(
              {{"probability", one.probability}, {"action", action}, {"worst", one.worst}, {"average", one.average}}),
          action));
    }
    return list;
  }

  Json opponent() const {
    Json list = Json::array();
    for (const auto& [scenario, probability] : solved_.opponent)
      list.push_back(Json::object({{"probability", probability}, {"scenario", scenarios().name(scenario)}}));
    return list;
  }

  // Null where nothing was proven of the average.
  Json average_opponent() const {
    if (std::isinf(solved_.average_lower)) return {};
    const AverageWitness& witness = solved_.average_witness;
    Json list = Json::array();
    for (std::size_t g = 0; g < witness.opponent.size(); ++g) {
      if (witness.opponent[g] > 0)
        list.push_back(Json::object({{"probability", witness.opponent[g]}, {"scenario", scenarios().name(g)}}));
    }
    return Json::object({{"price", witness.price}, {"mixture", std::move(list)}});
  }

  // The largest loss first.
  Json worst_scenarios() const {
    std::vector<std::size_t> order(solved_.worst.at.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto loss = [&](std::size_t i) { return solved_.losses[solved_.worst.at[i]]; };
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return loss(a) != loss(b) ? loss(a) > loss(b) : a < b; });
    order.resize(std::min(order.size(), kMostWorst));
    Json list = Json::array();
    for (const std::size_t i : order) {
      list.push_back(Json::object({{"scenario", scenarios().name(solved_.worst.at[i])},
                                   {"loss", loss(i)},
                                   {"share", solved_.worst.weight[i]}}));
    }
    return list;
  }

  Json single(const SingleAction& one) const {
    const Json action = game().action_json(one.action);
    return named(Json::object({{"action", action}, {"worst", one.worst}, {"average", one.average}}), action);
  }

  Json frontier() const {
    Json list = Json::array();
    for (const FrontierPoint& point : solved_.frontier) {
      list.push_back(Json::object({{"slack", point.slack},
                                   {"worst", point.worst},
                                   {"average", point.average},
                                   {"strategy", mixture(point.strategy)}}));
    }
    return list;
  }

  Json losses() const {
    Json list = Json::array();
    if (scenarios().size() > kMostCompared) return list;
    const auto alone = scenario_losses(scenarios(), solved_.best_single.action, solved_.base_low);
    const auto mean = scenario_losses(scenarios(), solved_.best_average.action, solved_.base_low);
    for (std::size_t g = 0; g < scenarios().size(); ++g) {
      list.push_back(Json::object({{"scenario", scenarios().name(g)},
                                   {"loss", solved_.losses[g]},
                                   {"best_single", alone[g]},
                                   {"best_average", mean[g]}}));
    }
    return list;
  }

  Json work() const {
    return Json::object({{"rounds", solved_.rounds},
                         {"oracle_calls", solved_.calls},
                         {"nodes", solved_.nodes},
                         {"actions", solved_.actions},
                         {"responses", solved_.responses}});
  }

  Json trace() const {
    Json list = Json::array();
    for (const SolveRound& round : solved_.trace) list.push_back(Json::array({round.round, round.lower, round.upper}));
    return list;
  }

  const SolutionParts& parts_;
  const Solved& solved_;
};

}  // namespace

std::string solution_digest(const Json& solution) {
  Json rest = Json::object();
  for (const auto& [name, value] : solution.as_object()) {
    if (name != "digest") rest.append(name, value);
  }
  Digest digest;
  digest.add(dump(rest));
  return digest.hex();
}

Json solution_json(const SolutionParts& parts) { return SolutionWriter(parts).write(); }

}  // namespace hannan::detail
