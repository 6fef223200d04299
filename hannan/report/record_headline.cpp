// The first screen of a record: money or losses, against the best fixed choice, and whether separate code agrees.
#include "hannan/report/record_headline.hpp"

#include <algorithm>
#include <array>
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
                    .open = known ? known->unproven() * worth * money : 0,
                    .reward = reward};
}

Json sentence_of_run(const RecordHeadline& of, const PageWords& words) {
  const auto piece = [](const std::string& text) { return Json::object({{"text", text}}); };
  const auto strong = [](const std::string& text) { return Json::object({{"text", text}, {"strong", true}}); };
  if (of.checked == Checked::kDoesNotHold) return Json::array({strong("This record does not hold")});
  Json says = Json::array();
  if (of.rounds == 0) return Json::array({strong("No round was played")});
  const auto figures = figures_of(of);
  if (!figures) {
    says.push_back(piece(capital(words.learned) + " in "));
    says.push_back(strong(words.rounds(of.rounds)));
    return says;
  }
  const double total = figures->total, best = figures->best;
  const double ahead = figures->reward ? total - best : best - total;
  const double other = figures->reward ? best + figures->open : best - figures->open;
  const Counts counts = counts_of({.words = words, .reward = figures->reward, .currency = of.log.currency});
  const bool mistakes = counts == Counts::kMistakes;
  const AmountForm form = mistakes ? AmountForm{} : form_of(std::array{total, best, other, ahead}, of.log.currency);
  says.push_back(piece(capital(words.learned) + " " + had_words(counts) + " "));
  says.push_back(strong(page_amount(total, form) + (mistakes ? " mistakes" : "")));
  if (figures->open > 0) {
    says.push_back(piece(" in " + words.rounds(of.rounds) + "; the best fixed " + words.thing +
                         ", known only afterwards, is not proven: "));
    says.push_back(strong("from " + page_amount(std::min(best, other), {.unit = {}, .places = form.places}) + " to " +
                          page_amount(std::max(best, other), form)));
    return says;
  }
  says.push_back(piece(" in " + words.rounds(of.rounds) + ", "));
  if (reads_as_nothing(ahead, form)) {
    says.push_back(strong("the same"));
    says.push_back(piece(" as the best fixed " + words.thing + ", known only afterwards"));
    return says;
  }
  says.push_back(strong(page_amount(std::abs(ahead), form) + " " + side_words(counts, ahead)));
  says.push_back(piece(" than the best fixed " + words.thing + ", known only afterwards"));
  return says;
}

// What the check means, and what the amounts are in.
std::string lede_of(const RecordHeadline& of, const PageWords& words) {
  const auto figures = figures_of(of);
  const std::string unit =
      figures ? unit_sentence({.words = words, .reward = figures->reward, .currency = of.log.currency}) : std::string();
  return of.lede + (unit.empty() || of.rounds == 0 ? "" : " " + unit);
}

}  // namespace

Json record_headline(const RecordHeadline& of) {
  static constexpr const char* kStates[] = {"better", "worse", "unsure", "unsure"};
  static constexpr const char* kAdvice[] = {"Checked: computed again by separate code, and agrees",
                                            "Do not use these figures", "Not checked", "Not checked: "};
  const auto place = static_cast<std::size_t>(of.checked);
  const PageWords words = page_words(of.problem, of.params);
  Json json = Json::object({{"block", "headline"},
                            {"state", kStates[place]},
                            {"advice", kAdvice[place] + (of.checked == Checked::kInPart ? of.unchecked : "")},
                            {"says", sentence_of_run(of, words)},
                            {"lede", lede_of(of, words)},
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
