#include "hannan/compare/log_statement.hpp"

#include <algorithm>
#include <cassert>

#include "hannan/compare/comparison.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/runtime/registry.hpp"

namespace hannan::detail {

Json log_statement(const LogStatement& statement) {
  const bool reverse = statement.direction == Direction::kReverse;
  const std::size_t rounds = statement.paid.size();
  assert(rounds > 0 && statement.second.size() == rounds);
  // Amounts are losses: costs, or earnings below 0. The problem has one bidder and no decision.
  const double sign = reverse ? 1 : -1;
  const Json params = reverse ? Json::object({{"shares", Json::array({Json(std::vector<double>{1})})}})
                              : Json::object({{"bidders", 1}, {"prices", Json(std::vector<double>{0})}});
  const auto problem = make_problem("vcg-reserves", params, "params");

  Comparison all;
  all.rounds = rounds;
  while (rounds / all.width > Comparison::kMostPoints) all.width *= 2;
  const auto add_player = [&](const char* name, const char* about, const std::vector<double>& amounts) {
    ComparedPlayer player{
        .name = name, .about = about, .role = ComparedPlayer::Role::kRival, .path = {}, .report = {}, .against = {}};
    Sum sum;
    for (std::size_t t = 1; t <= rounds; ++t) {
      sum.add(sign * amounts[t - 1]);
      if (t % all.width == 0 || t == rounds) player.path.push_back({.loss = sum.value(), .action = {}});
    }
    all.players.push_back(std::move(player));
  };
  for (std::size_t t = 1; t <= rounds; ++t) {
    if (t % all.width == 0 || t == rounds) all.at.push_back(t);
  }
  all.best.resize(all.at.size());
  add_player("second price", "every unit at the best losing bid, with the same bids; bids would change",
             statement.second);
  add_player(std::string(kAsLogged).c_str(), "what was paid: the winners' own bids", statement.paid);
  all.baseline = all.best_fixed = 1;
  auto& gains = all.gains.emplace_back(rounds);
  for (std::size_t t = 0; t < rounds; ++t) gains[t] = sign * (statement.paid[t] - statement.second[t]);
  LogDoubts doubts = statement.doubts;
  doubts.no_replay = std::string(kPaidOwnBids);
  Json result = comparison_json(all, *problem, {.currency = statement.currency, .doubts = doubts});
  return result.set("payment", "pay-as-bid");
}

}  // namespace hannan::detail
