#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "hannan/core/printable.hpp"
#include "hannan/play/suggested_c.hpp"
#include "hannan/runtime/best_known.hpp"
#include "standard_output.hpp"

namespace hannan::detail::cli {

std::string brief(const std::optional<double>& value) {
  if (!value) return "-";
  const double magnitude = *value < 0 ? -*value : *value;
  if (magnitude >= 1e7 || (magnitude > 0 && magnitude < 1e-3)) return fmt::format("{:.3g}", *value);
  return fmt::format("{:.{}f}", *value, magnitude >= 100 ? 1 : magnitude >= 1 ? 2 : 4);
}

bool ProgressTable::show(const ProgressRow& row) {
  // Not fmt::print, which throws: a run ends in order where its table cannot be written.
  const auto print = [this](const std::string& line) { std::fputs(line.c_str(), to_); };
  if (!headed_) {
    print(fmt::format("{:>9} {:>11} {:>11} {:>10} {:>10} {:>8} {:>10} {:>7} {:>9}\n", "t", "loss", "best", "regret",
                      "bound", "reg/bnd", "rate", "regime", "calls"));
    headed_ = true;
  }
  const auto ratio = row.regret && row.bound && *row.bound > 0 ? std::optional(*row.regret / *row.bound) : std::nullopt;
  print(fmt::format("{:>9} {:>11} {:>11} {:>10} {:>10} {:>8} {:>10} {:>7} {:>9}\n", row.round, brief(row.loss),
                    brief(row.best), brief(row.regret), brief(row.bound), brief(ratio), brief(row.rate),
                    row.regime.empty() ? "-" : row.regime, row.oracle_calls));
  return flush_output();
}

namespace {

// A gamma was given that is below the one that is proven: bounds are left open, and not because noise was given.
bool unproven_gamma(const Json& report) {
  if (report.at("params").find("alpha")) return false;
  const auto& bounds = report.at("certificate").at("bounds").as_array();
  return std::any_of(bounds.begin(), bounds.end(), [](const Json& bound) { return bound.at("holds").is_null(); });
}

// The certificate in one sentence, the one that is printed first.
std::string certificate_sentence(const Json& report) {
  const auto run = report.find_number("run"), limit = report.find_number("limit"), delta = report.find_number("delta");
  if (!run) return {};
  if (unproven_gamma(report))
    return "nothing is proven: gamma is below the one that is proven for this perturbation (--set gamma)";
  if (const Json* discounted = report.find("discounted")) {
    return "with old rounds discounted the regret is " + brief(discounted->find_number("regret")) +
           ", in the mean over the learner's noise at most " + brief(run);
  }
  std::string text = "in the mean over the learner's noise at most " + brief(run) + " above the best fixed choice";
  if (limit)
    text += fmt::format("; with {:g} % certainty at most {}, at every round so far", 100 * (1 - *delta), brief(limit));
  return text;
}

// Whether the regret of this run keeps a bound.
std::string kept(const Json& bound, const Json& report) {
  const Json& holds = bound.at("holds");
  if (holds.is_null()) return unproven_gamma(report) ? "if gamma holds" : "if the noise was drawn fresh";
  if (holds.as_bool()) return "holds";
  if (bound.at("name").as_string() == "mixing") return "DOES NOT HOLD";
  return bound.find("says") ? "this run is above; it bounds the mean" : "DOES NOT HOLD";
}

// Of a learner with a decision for every segment: how many there are, what its map has, and the first of each bound,
// which are on the loss.
void show_segments(std::FILE* to, const Json& report) {
  const Json& segments = report.at("segments");
  fmt::print(to, "{} segments have a learner, {} are watched, {} rounds of others; the map has {} decisions\n",
             segments.at("open").as_number(), segments.at("watched").as_number(), segments.at("refused").as_number(),
             report.at("map").size());
  std::string last;
  for (const Json& bound : report.at("certificate").at("bounds").as_array()) {
    if (bound.at("name").as_string() == last) continue;
    last = bound.at("name").as_string();
    fmt::print(to, "  {:<14} loss <= {:<10} {}\n", last, brief(bound.at("value").as_number()), kept(bound, report));
  }
}

// Of experts that sleep: the regret against each, on the rounds in which it was awake.
void show_sleepers(std::FILE* to, const Json& report, const ActionNames& names) {
  fmt::print(to, "\n{} on {}: {} rounds, loss {}\n", report.at("learner").as_string(), report.at("problem").as_string(),
             report.at("rounds").as_number(), brief(report.at("total").as_number()));
  if (report.at("skipped").as_number() > 0)
    fmt::print(to, "  {} rounds with no expert awake\n", report.at("skipped").as_number());
  const Json &regrets = report.at("regrets"), &awake = report.at("awake");
  constexpr std::size_t kMostShown = 20;
  fmt::print(to, "  expert  rounds awake  regret against it\n");
  for (std::size_t k = 0; k < regrets.size() && k < kMostShown; ++k)
    fmt::print(to, "  {:>6}  {:>12}  {:<17}  {}\n", k, awake[k].as_number(), brief(regrets[k].as_number()),
               printable(names.name(Json(k))));
  if (regrets.size() > kMostShown) fmt::print(to, "  ... {} more\n", regrets.size() - kMostShown);
  fmt::print(to, "  largest: {}, against expert {}\n", brief(report.at("regret").as_number()),
             names.text(report.at("best_action")));
  for (const Json& bound : report.at("certificate").at("bounds").as_array())
    fmt::print(to, "  {:<22} every regret <= {:<10} {}\n", bound.at("name").as_string(),
               brief(bound.at("value").as_number()), kept(bound, report));
}

}  // namespace

void show_report(std::FILE* to, const Json& report, const ActionNames& names) {
  if (report.find("regrets")) return show_sleepers(to, report, names);
  const auto number = [&](const char* name) { return report.at(name).as_number(); };
  const Json& raw = report.at("raw");
  const BestKnown known = best_known(report).value();
  const double gap = known.gap();
  const auto range = [](double low, double high) { return fmt::format("from {} to {}", brief(low), brief(high)); };
  fmt::print(to, "\n{} on {}: {} rounds, loss {}\n", report.at("learner").as_string(), report.at("problem").as_string(),
             number("rounds"), brief(number("total")));
  if (gap > 0) {
    fmt::print(to, "  best action in hindsight: not proven, {}; found was {}; regret {}\n",
               range(known.found - gap, known.found), names.text(report.at("best_action")),
               range(number("regret"), number("regret") + gap));
  } else {
    fmt::print(to, "  best action in hindsight: {} with {}, regret {}\n", names.text(report.at("best_action")),
               brief(known.found), brief(number("regret")));
  }
  if (raw.at("unit").as_string() == "reward") {
    fmt::print(to, "in the problem's own units: earned {}, best fixed choice {}{}\n",
               brief(raw.at("total").as_number()), brief(raw.at("best").as_number()), gap > 0 ? " or more" : "");
  }
  if (number("oracle_gap") > 0) {
    const bool external = report.at("certificate").at("assumptions").find("oracle") != nullptr;
    fmt::print(
        to, "{}, by {} in all; closed forms are not proven then\n{}\n",
        external ? "the oracle program claims less than exact answers" : "the oracle stopped at its work limit",
        brief(number("oracle_gap")),
        external ? "better floors from it would lower that" : "raise the limit with --set oracle=branch_bound:N");
  }
  if (report.find("segments")) return show_segments(to, report);
  if (const std::string sentence = certificate_sentence(report); !sentence.empty()) fmt::print(to, "{}\n", sentence);
  const Json& bounds = report.at("certificate").at("bounds");
  for (const Json& bound : bounds.as_array()) {
    fmt::print(to, "  {:<14} {}regret {} {:<10} {}\n", bound.at("name").as_string(),
               bound.find("discounted") ? "discounted " : "",
               bound.at("side").as_string() == "upper" ? "<=" : ">=", brief(bound.at("value").as_number()),
               kept(bound, report));
  }
  if (bounds.size() == 0) fmt::print(to, "  no bound is proven for this setting\n");
}

void show_suggestion(std::FILE* to, const Json& report) {
  if (const auto c = suggested_c(report))
    fmt::print(to, "suggested: --set c={:.3g}, which is sqrt(M/gamma); its bound is the least where losses are large\n",
               *c);
}

}  // namespace hannan::detail::cli
