// Amounts are losses, or money where the solution says what a loss of 1 is; then what is earned is shown for problems
// that earn. Held rows come first where there are some: promises of the deciding rows are too high.
#include "solution_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hannan/core/printable.hpp"
#include "hannan/io/amount_text.hpp"
#include "hannan/report/solution_words.hpp"

namespace hannan::detail::cli {
namespace {

constexpr std::size_t kShownActions = 20;

std::string action_text(const Json& entry) {
  const Json* name = entry.find("name");
  return printable(name ? name->as_string() + " (" + dump(entry.at("action")) + ")" : dump(entry.at("action")));
}

}  // namespace

void SolveProgress::show(const SolveRound& round) {
  if (!headed_)
    fmt::print(to_, "{:>8} {:>14} {:>14} {:>12} {:>8} {:>8}\n", "round", "lower", "upper", "gap", "actions", "calls");
  headed_ = true;
  fmt::print(to_, "{:>8} {:>14.9g} {:>14.9g} {:>12.3g} {:>8} {:>8}\n", round.round, round.lower, round.upper,
             std::max(0.0, round.upper - round.lower), round.actions, round.calls);
}

namespace {

void show_mixture(std::FILE* to, const Json& solution, const SolutionAmounts& amount) {
  const auto& strategy = solution.at("strategy").as_array();
  fmt::print(to, "{:>12} {:>16}  {}\n", "probability", "its worst case", "action");
  for (std::size_t i = 0; i < std::min(kShownActions, strategy.size()); ++i) {
    fmt::print(to, "{:>12.6f} {:>16}  {}\n", strategy[i].at("probability").as_number(),
               amount.text(strategy[i].at("worst").as_number()), action_text(strategy[i]));
  }
  if (strategy.size() > kShownActions)
    fmt::print(to, "and {} more: -o FILE has them all\n", strategy.size() - kShownActions);
}

void show_worst(std::FILE* to, const Json& solution, const SolutionAmounts& amount) {
  fmt::print(to, "{:>12} {:>16}  {}\n", "share", amount.verb(), "worst scenarios of the mixture");
  for (const Json& one : solution.at("worst").as_array())
    fmt::print(to, "{:>12.6f} {:>16}  {}\n", one.at("share").as_number(), amount.text(one.at("loss").as_number()),
               printable(one.at("scenario").as_string()));
}

void show_singles(std::FILE* to, const Json& solution, const SolutionAmounts& amount) {
  fmt::print(to, "{:>16} {:>16}  {}\n", "worst case", "average", "");
  fmt::print(to, "{:>16} {:>16}  {}\n", amount.text(solution.at("upper").as_number()),
             amount.text(solution.at("average").as_number()), "the mixture");
  for (const auto& [field, words] :
       {std::pair{"best_single", "best single action"}, {"best_average", "best on average"}}) {
    const Json& single = solution.at(field);
    fmt::print(to, "{:>16} {:>16}  {}: {}\n", amount.text(single.at("worst").as_number()),
               amount.text(single.at("average").as_number()), words, action_text(single));
  }
}

void show_frontier(std::FILE* to, const Json& solution, const SolutionAmounts& amount) {
  const auto& points = solution.at("frontier").as_array();
  if (points.empty() || !(points.front().at("average").as_number() > points.back().at("average").as_number() + 1e-9))
    return;
  fmt::print(to, "what caution costs (worst case, average): ");
  for (std::size_t i = 0; i < points.size(); ++i)
    fmt::print(to, "{}{}, {}", i > 0 ? "; " : "", amount.text(points[i].at("worst").as_number()),
               amount.text(points[i].at("average").as_number()));
  fmt::print(to, "\n");
}

void show_held(std::FILE* to, const Json& held, const SolutionAmounts& amount) {
  fmt::print(to, "on rows that did not decide (worst case, average):\n");
  for (const auto& [worst, average, words] : {std::tuple{"worst", "average", "the mixture"},
                                              {"worst_best_single", "average_best_single", "best single action"},
                                              {"worst_best_average", "average_best_average", "best on average"}})
    fmt::print(to, "{:>16} {:>16}  {}\n", amount.text(held.at(worst).as_number()),
               amount.text(held.at(average).as_number()), words);
  const double mixture = held.at("worst").as_number(), single = held.at("worst_best_single").as_number(),
               mean = held.at("worst_best_average").as_number();
  if (mean <= std::min(mixture, single)) {
    fmt::print(to, "Caution was not worth it there: the best on average had no worse a worst case.\n");
  } else if (single <= mixture) {
    fmt::print(to, "The best single action did as well as the mixture there, and is simpler to put to use.\n");
  } else {
    fmt::print(to, "The mixture had the best worst case there.\n");
  }
}

void show_gain(std::FILE* to, const Json& solution, const SolutionAmounts& amount) {
  const Json& gain = solution.at("gain");
  if (const Json& errors = gain.at("errors"); !errors.is_null())
    fmt::print(to, "The gain over the best on average in the worst group is {:.2f} standard errors.\n",
               errors.as_number());
  if (const std::string fresh = fresh_sentence(solution, amount); !fresh.empty()) fmt::print(to, "{}\n", fresh);
}

}  // namespace

void show_solution(std::FILE* to, const Json& solution, double ln_actions) {
  const SolutionAmounts amount(solution);
  const Json& gain = solution.at("gain");
  const bool grouped = !gain.is_null();
  if (grouped && !gain.at("held").is_null()) show_held(to, gain.at("held"), amount);
  if (grouped) fmt::print(to, "on the rows that decided:\n");
  show_mixture(to, solution, amount);
  show_worst(to, solution, amount);
  show_singles(to, solution, amount);
  show_frontier(to, solution, amount);
  if (grouped) show_gain(to, solution, amount);
  fmt::print(to, "{}\n", solution_sentence(solution, ln_actions));
}

}  // namespace hannan::detail::cli
