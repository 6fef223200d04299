// Gathers the offers of a price test, and hands on the best judged price of each good.
#include "hannan/compare/tested_log.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "hannan/compare/exported.hpp"
#include "hannan/compare/log_statement.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/text_cell.hpp"

namespace hannan::detail {

void TestedLog::add(std::span<const LoggedOffer> offers) {
  std::vector<PriceTest::Offer> round;
  double earned = 0;
  for (const LoggedOffer& offer : offers) {
    const bool again =
        std::any_of(round.begin(), round.end(), [&](const auto& other) { return other.good == offer.good; });
    // Two offers of one good in a round would be one draw counted twice: the test assumes independent offers.
    if (again)
      throw Error(Code::kMalformed,
                  "found two offers of one good in a round, expected a round for each person: --round COLUMN that "
                  "differs for each, or --round none",
                  path_);
    round.push_back({.good = offer.good, .price = offer.price, .own = offer.price * offer.sold});
    earned += round.back().own;
  }
  test_.add(round);
  earned_.push_back(earned);
}

ComparisonResult TestedLog::result(const Terms& terms) const {
  LogDoubts doubts = terms.doubts;
  doubts.censored = std::string();  // of a test it is no doubt that some answers are not seen
  const auto prices = test_.results({.today = terms.today, .doubts = doubts});
  if (std::any_of(prices.begin(), prices.end(), [](const TestedPrice& price) { return price.judged.has_value(); }))
    return price_statement(
        {.earned = earned_, .goods = terms.goods, .prices = prices, .currency = terms.currency, .doubts = doubts});
  doubts.censored =
      std::string(prices.size() <= terms.goods.size()
                      ? "every offer was made at one price, and a test needs two"
                      : "no price has the 40 offers and 10 sales that a test needs, with as many at other prices");
  return posted_statement({.sold = earned_, .goods = terms.goods.size(), .currency = terms.currency, .doubts = doubts});
}

Json tested_decision(const ComparisonResult& result, const TestedDecision& terms) {
  Json rows = Json::array();
  std::set<std::string> goods;
  // Players are in the order of their gains: the first of each good is its best.
  for (const ResultPlayer& player : result.players) {
    if (!player.judgement || !player.good || !goods.insert(*player.good).second) continue;
    const ResultJudgement& judged = *player.judgement;
    if (terms.losing == Losing::kLeftOut && judged.recommendation != "deploy" && judged.gain < 0) continue;
    rows.push_back(Json::object({{"item", player.good->empty() ? "1" : *player.good},
                                 {"price", player.price},
                                 {"verdict", judged.recommendation},
                                 {"says", judged.says},
                                 {"gain", judged.gain},
                                 {"range", pair_of(judged.range)}}));
  }
  const ResultJudgement& first = *result.players[0].judgement;
  const Json doubts = doubts_json(first.doubts);
  if (rows.size() == 0) {
    refuse_loss({.which = "price test",
                 .verdict = first.recommendation,
                 .says = first.says,
                 .doubts = doubts,
                 .gain = first.gain,
                 .baseline = result.baseline},
                {.currency = result.currency, .at = terms.at, .otherwise = terms.otherwise});
  }
  return Json::object({{"decision", "price test"},
                       {"verdict", first.recommendation},
                       {"says", first.says},
                       {"doubts", doubts},
                       {"gain", first.gain},
                       {"range", pair_of(first.range)},
                       {"rounds", result.rounds},
                       {"currency", result.currency},
                       {"what", "price"},
                       {"decisions", std::move(rows)}});
}

std::string tested_decision_csv(const Json& decision) {
  std::string text = "item,price,currency,decision,verdict\n";
  for (const Json& row : decision.at("decisions").as_array()) {
    text += text_cell(printable(row.at("item").as_string())) + "," + number_text(row.at("price").as_number()) + "," +
            text_cell(decision.at("currency").as_string()) + "," + text_cell(decision.at("decision").as_string()) +
            "," + text_cell(row.at("verdict").as_string()) + "\n";
  }
  return text;
}

}  // namespace hannan::detail
