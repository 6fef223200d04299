// Headlines where the log itself leaves the answer open: limits in place of one figure, and the question that is
// unanswered.
#include "hannan/report/open_words.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hannan/report/page_text.hpp"

namespace hannan::detail {
namespace {

Json pieces(const std::string& before, const std::string& strong, const std::string& after) {
  return Json::array({Json::object({{"text", before}}), Json::object({{"text", strong}, {"strong", true}}),
                      Json::object({{"text", after}})});
}

// The question that keeps the log from telling; empty: none.
std::string first_question(const ComparedPage& page) {
  const auto* doubt = page.doubt();
  if (!doubt || (doubt->kind != "question" && doubt->kind != "other")) return {};
  const Json* asks = page.as_logged.is_object() ? page.as_logged.find("asks") : nullptr;
  if (!asks || !asks->is_array() || asks->size() == 0 || !(*asks)[0].is_string()) return {};
  return (*asks)[0].as_string();
}

bool has_limits(const ComparedPage& page) { return page.ours().judged && page.ours().judged->most_gain; }

}  // namespace

std::string limits_words(const ComparedPage& page) {
  const auto& judged = *page.ours().judged;
  const auto words = [&](double gain) { return page.sum(std::abs(gain)) + (gain >= 0 ? " more" : " less"); };
  const std::string least = words(judged.gain), most = words(*judged.most_gain);
  if (judged.advice == "deploy") return "at least " + least;
  return least == most ? least : "between " + least + " and " + most;
}

std::string limits_shares(const ComparedPage& page) {
  const auto& judged = *page.ours().judged;
  const std::string low = page.share_difference(judged.gain), high = page.share_difference(*judged.most_gain);
  return low == high || judged.advice == "deploy" ? low : low + " to " + high;
}

std::string limits_reason(const ComparedPage& page) {
  const Json* hidden = page.as_logged.is_object() ? page.as_logged.find("top_hidden") : nullptr;
  if (hidden && *hidden == Json(true)) return "The log does not show how high the winners would have gone.";
  return "The log does not show who would have bought at another price.";
}

Json open_headline(const ComparedPage& page) {
  if (page.paid_as_bid) {
    const std::string paid = page.sum(page.base() ? page.base()->money : 0);
    return page.reward ? pieces("This log cannot tell: winners paid ", paid, ", their own bids")
                       : pieces("This log cannot tell: suppliers were paid ", paid, ", their own bids");
  }
  if (!page.cannot_tell.empty())
    return pieces("This log cannot tell: ", page_money(page.ours().money, page.currency) + " was earned",
                  ", and of other prices it says nothing");
  if (!page.ours().judged || page.ours().judged->advice != "cannot tell") return {};
  if (!first_question(page).empty())
    return pieces("This log cannot tell yet: ", "a question about it is open", ", and figures depend on the answer");
  if (has_limits(page) && page.ours().judged->range && !page.doubt()) {
    Json says = pieces("This log cannot tell: " + page.words.learned + " would have earned ", limits_words(page),
                       " than " + page.baseline_words());
    if (const std::string shares = limits_shares(page); !shares.empty()) {
      says.push_back(Json::object({{"text", ": "}}));
      says.push_back(Json::object({{"text", shares}, {"strong", true}}));
    }
    return says;
  }
  return {};
}

std::string open_lede(const ComparedPage& page) {
  if (page.paid_as_bid) {
    const std::string same = page.sum(page.ours().money);
    const std::string share = page.share_difference(page.ours().gain);
    return fmt::format(
        "With these bids no {} does better, and under another rule bids would change. At the best losing bid the same "
        "bids make {}{}{}.",
        page.reward ? "reserve price" : "ceiling", same, share.empty() ? "" : " (" + share + ")",
        page.ours().gain > 0 ? ", because it was not always the best bid that won" : "");
  }
  if (!page.cannot_tell.empty()) return capital(page.cannot_tell) + ".";
  if (const std::string question = first_question(page); !question.empty()) return capital(question) + ".";
  if (!has_limits(page)) return {};
  const auto* base = page.base();
  return limits_reason(page) + fmt::format(" {} are sure{}.", page.sum(page.ours().money),
                                           base ? ", instead of " + page.sum(base->money) : "");
}

}  // namespace hannan::detail
