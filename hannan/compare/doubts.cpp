// The doubts that forbid a verdict in their order, and the sentence of each.
//
// The limits: a tenth of the money hidden, 1 % of a column unreadable, 40 rounds; chosen, stated in docs/judgement.md.
#include "hannan/compare/doubts.hpp"

#include <fmt/format.h>

#include <array>

#include "hannan/io/amount_text.hpp"

namespace hannan::detail {
namespace {

const Json* group_of(const Json& summary, const char* name) {
  const Json* found = summary.is_object() ? summary.find(name) : nullptr;
  return found && found->is_object() ? found : nullptr;
}

double number_of(const Json* group, const char* name) { return group ? group->find_number(name).value_or(0) : 0; }

std::string text_of(const Json* group, const char* name) {
  const Json* found = group ? group->find(name) : nullptr;
  return found && found->is_string() ? found->as_string() : std::string();
}

std::string joined_texts(const Json* group, const char* name) {
  const Json* list = group ? group->find(name) : nullptr;
  std::string all;
  for (std::size_t i = 0; list && list->is_array() && i < list->size(); ++i) {
    if ((*list)[i].is_string()) all += (all.empty() ? "" : "; ") + (*list)[i].as_string();
  }
  return all;
}

std::string unreadable_words(const UnreadableCells& unreadable) {
  return fmt::format("{} {} of money could not be read, {:.1f} % of a column", unreadable.cells,
                     unreadable.cells == 1 ? "cell" : "cells", 100 * unreadable.share);
}

std::string best_words(const BestRange& best) {
  return fmt::format(
      "the best fixed decision is not proven: it lies between {} and {}, because a search stopped at its work limit or "
      "an oracle proves nothing",
      money_text(best.money.lo, ""), money_text(best.money.hi, best.currency));
}

}  // namespace

LogDoubts doubts_of_log(const Json& summary) {
  const Json *unreadable = group_of(summary, "unreadable"), *hidden = group_of(summary, "hidden"),
             *logged = group_of(summary, "as_logged");
  return {.unreadable = UnreadableCells{.cells = static_cast<std::uint64_t>(number_of(unreadable, "cells")),
                                        .share = number_of(unreadable, "share")},
          .hidden = number_of(hidden, "share"),
          .question = joined_texts(logged, "asks"),
          .censored = text_of(logged, "censored"),
          .no_replay = text_of(logged, "no_replay")};
}

std::string_view doubt_name(Doubt doubt) {
  static constexpr std::array<std::string_view, kDoubts> kNames{
      "no replay", "question", "censored", "unreadable", "hidden", "unknown range", "unproven best", "few rounds"};
  return kNames[static_cast<std::size_t>(doubt)];
}

std::vector<ForbiddingDoubt> forbidding(const Doubts& doubts, std::size_t rounds) {
  std::vector<ForbiddingDoubt> found;
  const LogDoubts& log = doubts.log;
  if (!log.no_replay->empty()) found.push_back({Doubt::kNoReplay, *log.no_replay});
  if (!log.question->empty()) found.push_back({Doubt::kQuestion, *log.question});
  if (!log.censored->empty()) found.push_back({Doubt::kCensored, *log.censored});
  if (log.unreadable->share > kMostUnreadable)
    found.push_back({Doubt::kUnreadableCells, unreadable_words(*log.unreadable)});
  if (*log.hidden > kMostHidden)
    found.push_back({Doubt::kHidden, "more than a tenth of the money is hidden by the way the log is read"});
  if (!doubts.most->has_value()) {
    found.push_back({Doubt::kUnknownRange,
                     "no limit of a single gain is known in advance, so that no interval can be stated; losses divided "
                     "by the largest possible one, without range=unknown, can be judged"});
  }
  if (!doubts.best->proven()) found.push_back({Doubt::kUnprovenBest, best_words(*doubts.best)});
  if (rounds < kLeastRounds) found.push_back({Doubt::kFewRounds, "fewer than 40 rounds decide nothing"});
  return found;
}

std::vector<StatedDoubt> stated(const std::vector<ForbiddingDoubt>& doubts) {
  std::vector<StatedDoubt> list;
  for (const ForbiddingDoubt& one : doubts) list.push_back({std::string(doubt_name(one.doubt)), one.says});
  return list;
}

}  // namespace hannan::detail
