#include "service/decision_prices.hpp"

#include <string>

namespace hannan::detail::service {

// In the money of a scale (levels times cap over levels) or of the lists themselves. Shares and pieces are no money.
Json prices_of(const LearnerConfig& config, const Json& action) {
  if (!config.money || action.is_null()) return {};
  const Amounts& amounts = config.money->amounts;
  const bool in_lists = !amounts.lists.empty();
  const bool known = in_lists ? amounts.unit == Amounts::Unit::kCurrency
                              : amounts.unit == Amounts::Unit::kScale && amounts.levels > 0 && config.cap;
  if (amounts.what.empty() || !known) return {};
  const Json::Array one{action};  // an action of one number is not always a list
  const Json::Array& numbers = action.is_array() ? action.as_array() : one;
  const bool named = config.slots.size() == numbers.size();
  Json prices = Json::object();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double number = numbers[i].as_number();
    prices.set(named ? config.slots[i] : std::to_string(i + 1),
               in_lists ? amounts.lists[i][static_cast<std::size_t>(number)] : number / amounts.levels * *config.cap);
  }
  return prices;
}

const Json* picked_action(const Json& line) {
  const Json *nodes = line.find("nodes"), *proposals = line.find("proposals");
  const auto pick = line.find_number("pick");
  if (proposals && pick && *pick < static_cast<double>(proposals->size()))
    return &(*proposals)[static_cast<std::size_t>(*pick)];
  if (!nodes || !pick || !(*pick < static_cast<double>(nodes->size()))) return nullptr;
  return (*nodes)[static_cast<std::size_t>(*pick)].find("action");
}

}  // namespace hannan::detail::service
