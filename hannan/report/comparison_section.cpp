// The page of a comparison, in the order in which it is read: hidden money, what to do, one chart, what each would have
// earned, the alternatives, the decisions, and two parts that are closed at first.
#include "hannan/report/comparison_details.hpp"
#include "hannan/report/gain_charts.hpp"
#include "hannan/report/page_text.hpp"
#include "hannan/report/portfolio_blocks.hpp"
#include "hannan/report/section.hpp"
#include "hannan/report/verdict_blocks.hpp"

namespace hannan::detail {
namespace {

// The chart of the gain and where it comes from, with the warnings beside them.
Json first_chart_block(const ComparedPage& page) {
  return Json::object({{"block", "beside"},
                       {"main", page.paid_as_bid ? Json::array({gain_chart(page)})
                                : page.portfolio ? Json::array({portfolio_chart(page), sources_block(page)})
                                                 : Json::array({gain_chart(page), sources_block(page)})},
                       {"aside", Json::array({data_warnings(page)})}});
}

// What was played: charts, what each earned, and the decisions.
void write_played(Json& blocks, const ComparedPage& page) {
  if (page.portfolio) blocks.push_back(portfolio_numbers(page));
  blocks.push_back(first_chart_block(page));
  if (page.portfolio) {
    blocks.push_back(who_played_chart(page));
    blocks.push_back(ways_table(page));
  }
  blocks.push_back(ranking_block(page));
  if (!page.paid_as_bid) blocks.push_back(alternatives_chart(page));
  write_player_segments(blocks, page);
  write_decisions(blocks, page);
  if (page.portfolio) blocks.push_back(next_block(page));
  blocks.push_back(page.portfolio ? portfolio_certainty(page) : certainty_block(page));
}

}  // namespace

Section comparison_section(const Json& result, const std::string& name) {
  const ComparedPage page(result, name);
  Json blocks = Json::array();
  write_serious_warnings(blocks, page);
  blocks.push_back(headline_block(page));
  if (page.price_test || !page.cannot_tell.empty()) {  // nothing was played: there are no paths to draw
    if (page.price_test) blocks.push_back(ranking_block(page));
    blocks.push_back(data_warnings(page));
  } else {
    write_played(blocks, page);
  }
  blocks.push_back(technical_block(page));
  const std::string rounds = page.words.rounds(page.rounds) + (page.portfolio ? " · " + drawn_words(page) : "");
  return {
      .json = Json::object(
          {{"title", page.words.title},
           {"about", page.times.empty() ? rounds : page_days(page.times.front(), page.times.back()) + " · " + rounds},
           {"source", name},
           {"blocks", std::move(blocks)}}),
      .failed = {}};
}

}  // namespace hannan::detail
