// The report of a run (docs/pipe.md) as blocks. It may come from a record that does not verify, so nothing in it
// is taken for granted.
#include <algorithm>
#include <cmath>

#include "hannan/core/bound_words.hpp"
#include "hannan/play/quoted_bound.hpp"
#include "hannan/play/suggested_c.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/section.hpp"
#include "hannan/runtime/best_known.hpp"

namespace hannan::detail {
namespace {

std::string field(const Json& of, const char* name) {
  const Json* found = of.find(name);
  return found ? shown(*found) : "unavailable";
}

// What each bound says in a few words; docs/theory.md and docs/theory-run.md have the formulas.
std::string meaning(const std::string& name) {
  static constexpr std::pair<const char*, const char*> kMeanings[] = {
      {"thm1_paper", "expected regret, as the paper states it"},
      {"thm1_simple", "expected regret, simple form"},
      {"thm1_tight", "expected regret, sharper form"},
      {"trajectory", "expected regret, along the path of L*"},
      {"simple2", "expected regret, simple form"},
      {"tight2", "expected regret, sharper form"},
      {"trajectory2", "expected regret, along the path of L*"},
      {"ada2", "expected regret, by L*"},
      {"flipflop2", "best of the leader's own regret and sqrt(L*), up to factors"},
      {"one_sided2", "expected regret under one-sided noise"},
      {"lp_simple2", "expected regret under noise of an lp ball, simple form"},
      {"discounted", "expected discounted regret"},
      {"ada2_range", "expected regret, by the ranges of the losses"},
      {"flipflop2_range", "expected regret, by the largest range of the losses"},
      {"lower_paper", "the regret cannot be much below zero"},
      {"lower_tight", "the same, sharper"},
      {"one_sided", "expected regret under one-sided noise"},
      {"lp_paper", "expected regret under noise of an lp ball"},
      {"lp_simple", "the same, simple form"},
      {"off", "best of leader and gftpl, up to a factor"},
      {"ada", "expected regret, by L*"},
      {"flipflop", "best of the leader's own regret and sqrt(L*), up to factors"},
      {"adahedge", "twice the mixability gap"},
      {"hedge_fixed", "ln K / eta + eta T / 8"},
      {"hedge_anytime", "at rates that follow t"}};
  for (const auto& [known, text] : kMeanings) {
    if (name == known) return text;
  }
  return "unavailable";
}

bool is_estimate(const std::string& name) { return name == "run" || name == "measured" || name == "exact"; }

// Whether this run is within a bound, for people: a question that only statements about one run have an answer to.
// Reports up to version 0.3 answered it for estimates and closed forms too.
std::string kept(const Json& bound, const std::string& name) {
  const Json* holds = bound.find("holds");
  if (!holds || holds->is_null() || is_estimate(name)) return "-";
  return *holds == Json(true) ? "yes" : bound.find("says") ? "above, in this run" : "NO";
}

std::string range_words(double from, double to) { return "from " + shown(from) + " to " + shown(to) + ", not proven"; }

// The bound under the name of what it covers, and what is expected.
using Facts = std::vector<std::pair<std::string, std::string>>;
void write_headline(Facts& facts, const Json& report) {
  using Of = QuotedBound::Of;
  if (const auto quoted = quoted_bound(report)) {
    facts.emplace_back(quoted->of == Of::kPath ? "limit, for certain"
                       : quoted->of == Of::kMean
                           ? "expected regret at most (closed form " + quoted->name + ", of the mean)"
                           : "limit, with " + certainty_text(report) + " certainty at every round at once" +
                                 (quoted->realised() ? "" : ", each round in the mean over its own draw"),
                       shown(quoted->value));
  }
  const Json* discounted = report.find("discounted");
  if (const auto regret = discounted ? discounted->find_number("regret") : std::nullopt)
    facts.emplace_back("discounted regret", shown(*regret));
  const Json* learner = report.find("learner");
  if (const auto run = report.find_number("run"); run && !(learner && *learner == Json("leader")))
    facts.emplace_back(std::string("expected ") + (discounted ? "discounted " : "") +
                           "regret, estimated bound (it bounds no single run)",
                       shown(*run));
}

}  // namespace

void write_report_blocks(Json& blocks, const Json& report) {
  auto regret = report.find_number("regret");
  if (regret) regret = cleared(*regret, std::max(1.0, std::abs(report.find_number("total").value_or(0))));
  // L* lies between what is proven and what was found.
  const auto known = report.find_number("best");
  const double open = best_known(report).value_or(BestKnown{}).unproven();
  Facts facts{{"rounds", field(report, "rounds")},
              {"loss", field(report, "total")},
              {"best fixed choice, L*", open > 0 ? range_words(*known - open, *known) : field(report, "best")},
              {"regret", regret && open > 0 ? range_words(*regret, *regret + open)
                         : regret           ? shown(*regret)
                                            : field(report, "regret")},
              {open > 0 ? "best choice found" : "best choice",
               field(report, report.find("best_action_name") ? "best_action_name" : "best_action")}};
  PageTable bounds{.title = "Certificate",
                   .about = {},
                   .header = {"name", report.find("nodes") ? "total loss is" : "regret is", "value",
                              "this run is within it", "what it says"},
                   .rows = {}};
  const Json* certificate = report.find("certificate");
  const Json* list = certificate ? certificate->find("bounds") : nullptr;
  for (std::size_t i = 0; list && list->is_array() && i < list->size(); ++i) {
    const Json& bound = (*list)[i];
    const bool upper = field(bound, "side") == "upper";
    const Json* says = bound.find("says");
    const std::string pruning = bound.find("pruning") ? ", " + field(bound, "pruning") : "";
    bounds.rows.push_back({std::string(bound_words(field(bound, "name"))) + pruning,
                           is_estimate(field(bound, "name")) ? "estimate"
                           : upper ? (bound.find("discounted") ? "discounted, at most" : "at most")
                                   : "at least",
                           field(bound, "value"), kept(bound, field(bound, "name")),
                           says ? field(bound, "says") : meaning(field(bound, "name"))});
  }
  write_headline(facts, report);
  if (const auto c = suggested_c(report)) facts.emplace_back("suggested c, sqrt(M/gamma)", shown(rounded(*c)));
  if (const Json* raw = report.find("raw"); raw && field(*raw, "unit") == "reward") {
    facts.emplace_back("earned, in the problem's units", field(*raw, "total"));
    facts.emplace_back("best fixed choice earned",
                       open > 0 ? field(*raw, "best") + " or more: it is not proven" : field(*raw, "best"));
  }
  blocks.push_back(facts_block("Summary", facts));
  bounds.about =
      bounds.rows.empty() ? "No bound is proven for this setting."
      : report.find("nodes")
          ? "mixing holds on every path; segments in the mean over the learners' noise, for the pruning that its "
            "name says."
          : "A limit speaks of this run. Closed forms and estimates are about the expected regret, the mean over the "
            "learner's own chance: no single run keeps or breaks them.";
  blocks.push_back(table_block(bounds));
}

void write_report_details(Json& blocks, const Json& report) {
  const Json* certificate = report.find("certificate");
  if (const Json* assumptions = certificate ? certificate->find("assumptions") : nullptr;
      assumptions && assumptions->is_object() && assumptions->size() > 0) {
    blocks.push_back(object_block("What the certificate rests on", *assumptions));
  }
  const auto a_round = [&](const char* name) {
    const auto count = report.find_number(name), rounds = report.find_number("rounds");
    return count && rounds && *rounds > 0 ? shown(rounded(*count / *rounds)) : std::string("unavailable");
  };
  blocks.push_back(facts_block("Work", {{"oracle calls", field(report, "oracle_calls")},
                                        {"a round", a_round("oracle_calls")},
                                        {"search nodes", field(report, "search_nodes")},
                                        {"nodes a round", a_round("search_nodes")},
                                        {"what searches left unproven, summed", field(report, "oracle_gap")}}));
}

}  // namespace hannan::detail
