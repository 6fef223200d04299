// Each learner that can is played over the data, which hide what would be hidden, or told a log with a control group
// (share logged); those that cannot are left out with a sentence. The verdict is against the first action of `against`,
// the look where it is one. What a whole file knows besides stands apart, as hindsight.
#include "compare_part.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <limits>

#include "command.hpp"
#include "hannan/compare/part_judgement.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/learners/learner_params.hpp"
#include "hannan/play/hindsight.hpp"
#include "hannan/play/part_log.hpp"
#include "hannan/play/play.hpp"
#include "hannan/play/simulation.hpp"
#include "hannan/runtime/registry.hpp"
#include "output_file.hpp"

namespace hannan::detail::cli {
namespace {

class PartComparison {
 public:
  explicit PartComparison(const PartCompare& flags) : flags_(flags) {
    LearnerFlags all;
    all.set = flags.set;
    all.seed = flags.seed;
    all.feedback = flags.feedback;
    all.look = flags.look;
    params_ = all.params(0);
    const Json* share = params_.find("share");
    logged_ = share && *share == Json("logged");
  }

  Json operator()() {
    for (const std::string& text : flags_.learners) add(parse_simulated_learner(text));
    if (players_.size() == 0)
      throw Error(Code::kUnavailable, "found no learner that can learn from " + flags_.feedback + ", expected one",
                  "-l");
    return Json::object({{"compared", "in part"},
                         {"problem", kind_},
                         {"feedback", flags_.feedback},
                         {"log", logged_},
                         {"players", players_},
                         {"left_out", left_out_}});
  }

 private:
  void add(const SimulatedLearner& who) {
    const LearnerKind& kind = learner_kind(who.kind);
    if (!(flags_.feedback == "looks" ? kind.by_looks : kind.by_elements)) {
      left_out_.push_back(who.label + " does not learn from " + flags_.feedback);
      return;
    }
    Json params = params_;
    for (const auto& [name, value] : who.params.as_object()) params.set(name, value);
    ProblemAndData opened;
    if (logged_) {
      opened.problem = make_problem(flags_.problem.kind, flags_.problem.json(), "--param");
    } else {
      opened = open_data({.problem = flags_.problem, .data = flags_.data, .money = flags_.money});
    }
    kind_ = opened.problem->kind();
    const auto learner = opened.problem->learner<PartLearner>(who.kind, params);
    Hindsight hindsight(opened.problem->game());
    Listeners listeners;
    listeners.hidden = [&](const Round& round, const AnyOutcome& y) { hindsight.round(*round.action, y); };
    if (logged_) opened.source = part_log_source(flags_.data.path);
    play(*learner, *opened.source, listeners, std::numeric_limits<std::uint64_t>::max());
    Json player = Json::object({{"label", who.label}, {"report", learner->report()}});
    const Json& report = player.at("report");
    if (const Json* against = report.find("against"); against && against->size() > 0)
      player.set(
          "judgement",
          judge_part(
              {.game = opened.problem->game(), .report = report, .label = who.label, .currency = flags_.money.currency})
              .json());
    player.set("hindsight", logged_ ? Json() : hindsight.json());
    players_.push_back(std::move(player));
  }

  const PartCompare& flags_;
  Json params_;
  bool logged_ = false;
  std::string kind_;
  Json players_ = Json::array(), left_out_ = Json::array();
};

void show(const Json& result) {
  for (const Json& player : result.at("players").as_array()) {
    const Json& report = player.at("report");
    const bool elements = report.at("feedback").as_string() == "elements";
    fmt::print("{}: {} rounds, {}\n", player.at("label").as_string(), report.at("rounds").as_number(),
               elements ? std::string("of each the own elements seen")
                        : fmt::format("{} of them seen in full", report.at("looks").as_number()));
    if (const Json* judged = player.find("judgement")) fmt::print("  {}\n", judged->at("sentence").as_string());
    const Json& from = elements ? report.at("over_normaliser") : report;
    fmt::print("  estimated regret {}, at most {} with the certainty of the learner\n",
               brief(report.find_number("estimate")), brief(from.find_number("limit")));
    for (const Json& warning : report.at("warnings").as_array()) fmt::print("  warning: {}\n", warning.as_string());
    if (const Json& known = player.at("hindsight"); !known.is_null())
      fmt::print("  hindsight, from the file: loss {}, best {}, regret {}\n", brief(known.at("total").as_number()),
                 brief(known.at("best").as_number()), brief(known.at("regret").as_number()));
  }
  for (const Json& why : result.at("left_out").as_array()) fmt::print("left out: {}\n", printable(why.as_string()));
}

}  // namespace

int compare_part(const PartCompare& flags) {
  const bool quiet = takes_standard_output({{"--json", flags.json ? "-" : ""}, {"-o", flags.out}}) || flags.quiet;
  if (flags.data.path.empty()) throw Error(Code::kUsage, "found no data, expected -d FILE", "-d");
  const Json result = PartComparison(flags)();
  if (!flags.out.empty()) write_whole_file(flags.out, dump(result) + "\n");
  if (flags.json) {
    std::puts(dump(result).c_str());
  } else if (!quiet) {
    show(result);
  }
  return 0;
}

}  // namespace hannan::detail::cli
