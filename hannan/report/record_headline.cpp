#include "hannan/report/record_headline.hpp"

#include <algorithm>
#include <cmath>

#include "hannan/report/page_text.hpp"
#include "hannan/report/page_words.hpp"
#include "hannan/report/segment_blocks.hpp"
#include "hannan/runtime/best_known.hpp"

namespace hannan::detail {
namespace {

struct RunFigures {
  double total, best;
  double open = 0;  // what the best may be better than this: 0 where it is proven
  bool reward;
};

// In the problem's own units where the report has them, else in losses. Nothing where it lacks them.
std::optional<RunFigures> figures_of(const RecordHeadline& of) {
  if (!of.report.is_object()) return std::nullopt;
  const Json* raw = of.report.find("raw");
  const Json* unit = raw && raw->is_object() ? raw->find("unit") : nullptr;
  const bool reward = unit && *unit == Json("reward");
  const Json& from = raw && raw->is_object() && raw->find_number("total") ? *raw : of.report;
  const auto total = from.find_number("total"), best = from.find_number("best");
  if (!total || !best || !std::isfinite(*total) || !std::isfinite(*best)) return std::nullopt;
  const double money = of.log.in_money() ? of.log.cap : 1;
  const auto known = best_known(of.report);
  // Losses in the unit of these figures: two of them say what one is worth.
  const double losses = of.report.find_number("total").value_or(0) - of.report.find_number("best").value_or(0);
  const double worth = losses != 0 ? std::abs((*total - *best) / losses) : reward_scale(of.report);
  return RunFigures{.total = *total * money,
                    .best = *best * money,
                    .open = known ? known->gap() * worth * money : 0,
                    .reward = reward};
}

Json sentence_of_run(const RecordHeadline& of, const PageWords& words) {
  const auto piece = [](const std::string& text) { return Json::object({{"text", text}}); };
  const auto strong = [](const std::string& text) { return Json::object({{"text", text}, {"strong", true}}); };
  if (of.checked == Checked::kDoesNotHold) return Json::array({strong("This record does not hold")});
  Json says = Json::array();
  const auto figures = figures_of(of);
  if (!figures) {
    says.push_back(piece(capital(words.learned) + " in "));
    says.push_back(strong(words.rounds(of.rounds)));
    return says;
  }
  const double ahead = figures->reward ? figures->total - figures->best : figures->best - figures->total;
  says.push_back(piece(capital(words.learned) + (figures->reward ? " earned " : " cost ")));
  says.push_back(strong(page_money(figures->total, of.log.currency)));
  if (figures->open > 0) {
    const double other = figures->reward ? figures->best + figures->open : figures->best - figures->open;
    says.push_back(piece(" in " + words.rounds(of.rounds) + "; the best fixed " + words.thing +
                         ", known only afterwards, is not proven: "));
    says.push_back(strong("from " + page_money(std::min(figures->best, other), "") + " to " +
                          page_money(std::max(figures->best, other), of.log.currency)));
    return says;
  }
  says.push_back(piece(" in " + words.rounds(of.rounds) + ", "));
  const char* side = (ahead >= 0) == figures->reward ? " more" : " less";
  says.push_back(strong(page_money(std::abs(ahead), of.log.currency) + side));
  says.push_back(piece(" than the best fixed " + words.thing + ", known only afterwards"));
  return says;
}

}  // namespace

Json record_headline(const RecordHeadline& of) {
  static constexpr const char* kStates[] = {"better", "worse", "unsure"};
  static constexpr const char* kAdvice[] = {"Checked: computed again by separate code, and agrees",
                                            "Do not use these figures", "Not checked"};
  const auto place = static_cast<std::size_t>(of.checked);
  Json json = Json::object({{"block", "headline"},
                            {"state", kStates[place]},
                            {"advice", kAdvice[place]},
                            {"says", sentence_of_run(of, page_words(of.problem, of.params))},
                            {"lede", of.lede},
                            {"neutral", true},  // its colour is that of the check, not of the figures
                            {"short", of.checked == Checked::kDoesNotHold ? "This record does not hold" : ""}});
  if (!of.details.empty()) {
    Json details = Json::array();
    for (const auto& text : of.details) details.push_back(text);
    json.set("details", std::move(details));
  }
  return json;
}

}  // namespace hannan::detail
