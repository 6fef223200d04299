// Sentences and amounts of a page about a robust decision. Losses become money where the solution says what a loss of 1
// is; what is earned is shown as such, so that a lower loss is a larger amount.
#include "hannan/report/solution_words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hannan::detail {
namespace {

constexpr double kWhole = 10'000;  // from here on amounts are written without decimals

}  // namespace

SolutionAmounts::SolutionAmounts(const Json& solution, const Letters& letters)
    : letters_(letters), regret_(solution.at("regret").as_bool()) {
  const Json* money = solution.find("money");
  if (!money || money->is_null()) return;
  money_ = true;
  unit_ = money->at("unit").as_number();
  currency_ = money->at("currency").as_string();
  reward_ = money->at("reward").as_bool();
  origin_ = money->at("origin").as_number();
}

double SolutionAmounts::amount(double loss) const { return (earns() ? origin_ - loss : loss) * unit_; }

// Means of a round are small amounts: with the decimals of the currency, as prices are.
std::string SolutionAmounts::text(double loss) const {
  const double sum = amount(loss) == 0 ? 0.0 : amount(loss);
  if (currency_.empty()) return brief(sum);
  return std::abs(sum) < kWhole ? price_text(sum, currency_, letters_) : money_text(sum, currency_, letters_);
}

std::string SolutionAmounts::difference(double loss, double than) const {
  const double more = amount(loss) - amount(than);
  if (currency_.empty()) return (more > 0 ? "+" : "") + brief(more);
  if (std::abs(more) >= kWhole) return money_difference_text(more, currency_, letters_);
  return (more > 0 ? "+" : "") + price_text(more, currency_, letters_);
}

std::string SolutionAmounts::unit() const {
  if (!money_) return "loss";
  return currency_.empty() ? "money" : currency_;
}

std::string fresh_sentence(const Json& solution, const SolutionAmounts& amounts) {
  const Json& gain = solution.at("gain");
  if (gain.is_null() || gain.at("fresh").is_null()) return {};
  const double fresh = gain.at("fresh").as_number();
  // A bound that every action meets says nothing.
  const bool empty = amounts.earns() ? amounts.amount(fresh) <= 0 : solution.at("unit").as_number() == 1 && fresh >= 1;
  if (empty) return "The groups are too small to say for sure what new rows bring.";
  return fmt::format("If rows are independent draws, with 95 % no group's true mean {} {} than {}.", amounts.verb(),
                     amounts.earns() ? "less" : "more", amounts.text(fresh));
}

std::string action_count_text(double ln_actions) {
  const double log2 = ln_actions / std::log(2.0);
  if (log2 > 40) return fmt::format("2^{:.0f}", log2);
  return shown(std::round(std::exp(ln_actions)), 0);
}

std::string scenario_noun(const Json& solution) {
  if (!solution.at("gain").is_null()) return "group";
  const std::string& from = solution.at("scenarios").at("from").as_string();
  return from == "rows" ? "row" : "scenario";
}

std::size_t scenario_count(const Json& solution) {
  const Json& from = solution.at("scenarios");
  if (const Json* list = from.find("list")) return list->size();
  if (const Json* base = from.find("base")) return base->size();
  if (solution.at("losses").size() > 0) return solution.at("losses").size();
  const auto rows = from.find_number("rows");
  return rows ? static_cast<std::size_t>(*rows) : 0;
}

std::string opponent_text(const Json& solution) {
  const std::size_t n = scenario_count(solution);
  const double cap = solution.at("cap").as_number();
  const std::string many = scenario_noun(solution) + "s";
  if (const auto budget = solution.at("scenarios").find_number("budget"))
    return fmt::format("the worst {} disruptions of {} costs", *budget, n);
  if (n == 0) return "the worst " + scenario_noun(solution);
  if (cap >= 1) return fmt::format("the worst of the {} {}", n, many);
  if (cap * static_cast<double>(n) <= 1 + 1e-12) return fmt::format("the average of the {} {}", n, many);
  return fmt::format("the mean of the worst {:.4g} of {} {}", 1 / cap, n, many);
}

std::string solution_sentence(const Json& solution, double ln_actions, const Letters& letters) {
  const SolutionAmounts amount(solution, letters);
  const double lower = solution.at("lower").as_number(), upper = solution.at("upper").as_number();
  std::string text =
      fmt::format("No mixture of the {} actions keeps {}{} {} {}. This one keeps it at {}.",
                  action_count_text(ln_actions), solution.at("regret").as_bool() ? "the regret in " : "",
                  opponent_text(solution), amount.earns() ? "above" : "below", amount.text(lower), amount.text(upper));
  if (!solution.at("open").as_bool()) return text;
  if (solution.at("stopped").as_string() == "oracle")
    return text +
           fmt::format(" The oracle could not prove more than {}: --oracle branch_bound:N allows it N nodes a call.",
                       amount.text(lower));
  return text + " The bounds are open: the work that was allowed ended before they met.";
}

}  // namespace hannan::detail
