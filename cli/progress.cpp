// What is said of a run follows one order: what was lost, the best fixed choice and how far it is proven, then the
// bound that may be quoted with what it covers, estimates behind it. Nothing is computed here but differences of the
// report's numbers.
#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "hannan/core/bound_words.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/core/tolerance.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/play/quoted_bound.hpp"
#include "hannan/play/suggested_c.hpp"
#include "hannan/runtime/best_known.hpp"
#include "standard_output.hpp"

namespace hannan::detail::cli {

// Of what was seen: looks and what they cost, or the losses of the own elements. No best and no regret.
void ProgressTable::show_part(const ProgressRow& row) {
  const Round& round = *row.in_part;
  const auto print = [this](const std::string& line) { std::fputs(line.c_str(), to_); };
  const std::string limit = fmt::format("limit ({:g} %)", 100 * row.certainty);
  if (round.elements) {
    const double lost = row.loss / round.of->game->normaliser();
    if (!headed_) print(fmt::format("{:>9} {:>11} {:>16} {:>13}\n", "rounds", "loss", limit, "oracle calls"));
    print(fmt::format("{:>9} {:>11} {:>16} {:>13}\n", row.round, brief(lost),
                      row.limit && *row.limit < lost ? brief(*row.limit) : "-", row.oracle_calls));
    return;
  }
  const LookRound& seen = *round.looked;
  if (!headed_)
    print(fmt::format("{:>9} {:>9} {:>9} {:>11} {:>17} {:>16}\n", "rounds", "looks", "share", "look cost",
                      "estimated regret", limit));
  print(fmt::format("{:>9} {:>9} {:>9} {:>11} {:>17} {:>16}\n", row.round, seen.looks, brief(round.share),
                    brief(seen.cost), brief(seen.estimate), brief(row.limit)));
}

// False where standard output can no longer be written, and the run should end.
bool ProgressTable::show(const ProgressRow& row) {
  if (row.in_part) {
    show_part(row);
    headed_ = true;
    return flush_output();
  }
  // Not fmt::print, which throws: a run ends in order where its table cannot be written.
  const auto print = [this](const std::string& line) { std::fputs(line.c_str(), to_); };
  const bool certain = row.bound && row.bound->of == StatedBound::Of::kPath;
  if (!headed_) {
    const std::string limit = certain ? "limit (certain)" : fmt::format("limit ({:g} %)", 100 * row.certainty);
    print(fmt::format("{:>9} {:>11} {:>11} {:>10} {:>16}\n", "rounds", "loss", "best", "regret", limit));
    headed_ = true;
  }
  const bool limited = row.bound && row.bound->of != StatedBound::Of::kMean;
  print(fmt::format("{:>9} {:>11} {:>11} {:>10} {:>16}\n", row.round, brief(row.loss), brief(row.best),
                    brief(row.regret), limited ? brief(row.bound->value) : "-"));
  return flush_output();
}

namespace {

// What is expected, which no single run is held against.
void show_expected(std::FILE* to, const Json& report) {
  const auto run = report.find_number("run");
  const bool leads = report.at("learner").as_string() == "leader";  // it draws nothing: run is its regret
  if (!run || leads) return;
  if (const Json* discounted = report.find("discounted"))
    fmt::print(to, "  with old rounds discounted the regret is {}; expected, estimated bound {}\n",
               brief(discounted->find_number("regret")), brief(run));
  else
    fmt::print(to, "  expected regret, estimated bound {}: an estimate, it bounds no single run\n", brief(run));
}

// The other numbers of the certificate; their values are in --json.
void show_others(std::FILE* to, const Json& report, const std::optional<QuotedBound>& quoted) {
  std::string names;
  for (const Json& bound : report.at("certificate").at("bounds").as_array()) {
    const std::string& name = bound.at("name").as_string();
    if (name != "run" && !(quoted && quoted->name == name))
      names += (names.empty() ? "" : ", ") + std::string(bound_words(name));
  }
  if (!names.empty()) fmt::print(to, "  also in --json: {}\n", names);
}

// The bound with what it covers, what is expected, and last one sentence with one number to quote.
void show_bounds(std::FILE* to, const Json& report) {
  using Of = QuotedBound::Of;
  const auto quoted = quoted_bound(report);
  const double regret = report.at("total").as_number() - report.at("floor").as_number();
  const bool realised = quoted && quoted->realised();
  if (quoted && quoted->of == Of::kLimit) {
    fmt::print(to, "  limit ({}): {} at every round so far at once, {}\n", certainty_text(report), brief(quoted->value),
               realised ? "of this run" : "with each round in the mean over its own draw");
    if (!realised && regret > quoted->value)
      fmt::print(to, "  the regret of this run is above it: what its own draws add is not covered\n");
  } else if (quoted && quoted->of == Of::kPath) {
    fmt::print(to, "  limit: {} for certain ({})\n", brief(quoted->value), quoted->name);
  } else if (quoted) {
    fmt::print(to, "  expected regret: at most {} (closed form {}, of the mean); no limit is proven for a single run\n",
               brief(quoted->value), quoted->name);
  } else if (!report.find("discounted")) {
    fmt::print(to, "  no bound is proven for this setting\n");
  }
  show_expected(to, report);
  if (const Json* missing = report.at("certificate").at("assumptions").find("left_out")) {
    for (const Json& why : missing->as_array()) fmt::print(to, "  not stated: {}\n", why.as_string());
  }
  show_others(to, report, quoted);
  if (!quoted) return;
  const std::string most = brief(quoted->value);
  const std::string than =
      " more than the best fixed choice in " + fmt::format("{}", report.at("rounds").as_number()) + " rounds";
  if (quoted->of == Of::kLimit)
    fmt::print(to, "To quote: with {} certainty it lost at most {}{}{}.\n", certainty_text(report), most, than,
               realised ? "" : ", each round in the mean over its own draw");
  else
    fmt::print(to, "To quote: it {} at most {}{}.\n", quoted->of == Of::kPath ? "lost" : "is expected to lose", most,
               than);
}

// Whether this run keeps a bound on its loss.
std::string kept(const Json& bound) {
  const Json& holds = bound.at("holds");
  if (holds.is_null()) return "in the mean over the learners' noise";
  return holds.as_bool() ? "holds" : "DOES NOT HOLD";
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
    fmt::print(to, "  {:<14} loss <= {:<10} {}\n", last, brief(bound.at("value").as_number()), kept(bound));
  }
}

// What of the rounds was played, where not all were.
void show_rehearsal(std::FILE* to, const Json& report) {
  const Json* found = report.find("rehearsed");
  if (!found) return;
  const auto number = [&](const char* name) { return found->at(name).as_number(); };
  const bool reward = report.at("raw").at("unit").as_string() == "reward";
  fmt::print(to,
             "  the first {} rounds were rehearsed: learned from, not played; the {} played ones: {} {}\n"
             "  all that follows is of all rounds, the rehearsed ones included\n",
             number("rounds"), number("played"), reward ? "earned" : "loss",
             brief(number(reward ? "played_raw" : "played_total")));
}

// Of experts that sleep: the regret against each, on the rounds in which it was awake.
void show_sleepers(std::FILE* to, const Json& report, const ActionNames& names) {
  fmt::print(to, "\n{} on {}: {} rounds, loss {}\n", report.at("learner").as_string(), report.at("problem").as_string(),
             report.at("rounds").as_number(), brief(report.at("total").as_number()));
  show_rehearsal(to, report);
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
               brief(bound.at("value").as_number()), kept(bound));
}

// Of a portfolio: what was gained over today and what was at risk, on what it ends, and every strategy. All amounts are
// losses as the learner counts them, and the mean over the pick unless it says "as drawn".
void show_portfolio(std::FILE* to, const Json& report) {
  const auto number = [&](const char* name) { return report.at(name).as_number(); };
  const double rehearsed = number("rehearsed_rounds"), gain = number("gain");
  fmt::print(to, "\nportfolio on {}: {} rounds played{}, loss {} on average, {} {} than today's; as drawn {}\n",
             report.at("problem").as_string(), number("rounds") - rehearsed,
             rehearsed > 0 ? fmt::format(" after {} rehearsed ones", rehearsed) : "", brief(number("total")),
             brief(std::abs(gain)), gain < 0 ? "more" : "less", brief(number("realised")));
  fmt::print(to, "  on average never more than {} behind today; ", brief(-number("low")));
  const Json& bounds = report.at("certificate").at("bounds");
  const auto value = [&](std::string_view name) {
    for (const Json& bound : bounds.as_array()) {
      if (bound.at("name").as_string() == name) return std::optional(bound.at("value").as_number());
    }
    return std::optional<double>();
  };
  fmt::print(to, "at most {} was at risk; certified now: {}\n", brief(value("risk")), brief(value("today")));
  fmt::print(to, "  behind the best strategy ({}) by {} on average\n",
             printable(report.at("best_strategy").as_string()), brief(number("behind")));
  fmt::print(to, "  {:<24} {:>11} {:>18} {:>8} {:>20}\n", "strategy", "loss", "behind it by", "weight",
             "certified at most");
  for (const Json& row : report.at("strategies").as_array()) {
    const bool shadow = row.find("shadow") != nullptr;
    fmt::print(to, "  {:<24} {:>11} {:>18} {:>8} {:>20}\n", printable(row.at("name").as_string()),
               brief(row.at("total").as_number()), shadow ? "shadow" : brief(row.at("behind").as_number()),
               shadow ? "-" : fmt::format("{:.0f} %", 100 * row.at("weight").as_number()),
               shadow ? "-" : brief(row.at("certificate").as_number()));
  }
  if (const auto fixed = value("fixed"))
    fmt::print(to, "  expected loss beyond the best fixed choice: at most {}, of the mean; see --json\n", brief(fixed));
  if (const Json* spent = report.at("certificate").at("assumptions").find("hard"))
    fmt::print(to, "  hard limit {}\n", spent->as_string());
}

std::string interval_text(const Json& of) {
  const auto low = of.find_number("low"), high = of.find_number("high");
  if (!low || !high) return "no interval";
  return fmt::format("between {} and {}", brief(*low), brief(*high));
}

// From the file, apart from what the learner may say.
void show_hindsight(std::FILE* to, const Json& report) {
  const Json* found = report.find("hindsight");
  if (!found) return;
  if (found->is_null()) {
    fmt::print(to, "hindsight, from the file: not known, the run goes on from a saved state\n");
    return;
  }
  fmt::print(to, "hindsight, from the file: loss {}, best {}, regret {}{}\n", brief(found->at("total").as_number()),
             brief(found->at("best").as_number()), brief(found->at("regret").as_number()),
             found->at("proven").as_bool() ? "" : " or more: the best is not proven");
}

// What was seen, estimates called so, intervals and the limit: no regret, no best.
void show_part(std::FILE* to, const Json& report, const ActionNames& names) {
  const auto number = [&](const char* name) { return report.at(name).as_number(); };
  const bool elements = report.at("feedback").as_string() == "elements";
  const auto limit = (elements ? report.at("over_normaliser") : report).find_number("limit");
  if (elements) {
    const double total = report.at("over_normaliser").at("total").as_number();
    fmt::print(to, "\n{} on {}: {} rounds, of each the own elements seen; loss {}\n", report.at("learner").as_string(),
               report.at("problem").as_string(), number("rounds"), brief(total));
    if (limit && *limit < total)
      fmt::print(to, "  with {} it lost at most {} more than the best fixed choice, at every round\n",
                 certainty_text(report), brief(*limit));
    else
      fmt::print(to, "  nothing is certain beyond what was lost\n");
    return show_hindsight(to, report);
  }
  fmt::print(to, "\n{} on {}: {} rounds, {} of them seen in full ({} expected), {} lost\n",
             report.at("learner").as_string(), report.at("problem").as_string(), number("rounds"), number("looks"),
             brief(number("looks_expected")), number("lost"));
  for (const Json& of : report.at("against").as_array())
    fmt::print(to, "  loss less that of {}: estimated {}, with {} {}\n", names.text(of.at("action")),
               brief(of.at("estimate").as_number()), certainty_text(report), interval_text(of));
  fmt::print(to, "  looks cost {}; estimated regret {}; with {} the regret is at most {}, at every round\n",
             brief(report.find_number("look_cost")), brief(report.find_number("estimate")), certainty_text(report),
             brief(limit));
  if (report.at("against").size() > 0) fmt::print(to, "  each of these holds by itself, not all together\n");
  for (const Json& warning : report.at("warnings").as_array()) fmt::print(to, "warning: {}\n", warning.as_string());
  show_hindsight(to, report);
}

}  // namespace

void show_risk(std::FILE* to, const PortfolioLearner& portfolio) {
  const auto& setting = portfolio.rule().setting();
  fmt::print(
      to, "at risk: {}{}, the mean loss against today stays below it; the mixture begins with {:.0f} % of the play\n",
      brief(setting.risk), setting.largest ? "" : " and twice the largest difference of a round",
      100 * portfolio.rule().share_state().share());
  if (setting.hard && *setting.hard < setting.largest.value_or(portfolio.rule().share_state().beta()))
    fmt::print(to,
               "warning: the hard limit {} is below the largest difference of a round: nothing but today is played\n",
               brief(*setting.hard));
}

// Of the tie window: where all losses together are below it, no choice can be told from another, and nothing is stated.
void show_report(std::FILE* to, const Json& report, const ActionNames& names) {
  if (report.find("regrets")) return show_sleepers(to, report, names);
  if (report.find("best_strategy")) return show_portfolio(to, report);
  if (report.find("feedback")) return show_part(to, report, names);
  const auto number = [&](const char* name) { return report.at(name).as_number(); };
  const Json& raw = report.at("raw");
  const BestKnown known = best_known(report).value();
  const double gap = known.unproven();
  const auto range = [](double low, double high) { return fmt::format("from {} to {}", brief(low), brief(high)); };
  fmt::print(to, "\n{} on {}: {} rounds, loss {}\n", report.at("learner").as_string(), report.at("problem").as_string(),
             number("rounds"), brief(number("total")));
  show_rehearsal(to, report);
  if (!report.find("range") && known.found > 0 && known.found <= tie_window(0)) {
    fmt::print(
        to,
        "  best action in hindsight: cannot tell, its losses together are below {}, where actions count as tied; "
        "{} was taken, with {}\n"
        "Losses in a larger unit, or --param range=unknown where the problem has it, tell them apart; without, "
        "nothing is stated of this run.\n",
        tie_window(0), names.text(report.at("best_action")), brief(known.found));
    return;
  }
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
  show_bounds(to, report);
}

// Only where the learner has a c and a report says what it should be.
void show_suggestion(std::FILE* to, const Json& report) {
  if (const auto c = suggested_c(report))
    fmt::print(to,
               "suggested: --set c={:.3g}, which is sqrt(M/gamma); what is proven of the mean is least there where "
               "losses are large\n",
               *c);
}

}  // namespace hannan::detail::cli
