// The block that says how sure a comparison is: the most that was possible, the best fixed choice as far as it is
// proven, and what the learner promised.
#include "hannan/report/comparison_details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hannan/play/quoted_bound.hpp"
#include "hannan/problems/log_kinds.hpp"
#include "hannan/report/blocks.hpp"
#include "hannan/report/open_words.hpp"
#include "hannan/report/page_text.hpp"

namespace hannan::detail {
namespace {

std::string most_words(const ComparedPage& page, double most) {
  if (page.words.mistakes) return "make at most " + page.sum(most) + " more mistakes";
  const char* verb = page.reward ? "earn" : page.losses() ? "lose" : "cost";
  return fmt::format("{} at most {} {}", verb, page.sum(most), page.side(-1));
}

// What the best fixed choice would have brought, as far as it is proven, and how far the learner is behind it.
std::string best_words(const ComparedPage& page) {
  const auto& ours = page.ours();
  const char* are = page.words.many ? "are" : "is";
  const auto behind_of = [&](double money) { return page.reward ? money - ours.money : ours.money - money; };
  const double behind = behind_of(page.best_fixed()->money);
  const std::string best = page.best_range ? page.best_sum() : page.sum(page.best_fixed()->money, {behind});
  std::string text = fmt::format("The best fixed {}, known only afterwards, would have {} {}", page.words.thing,
                                 page.had(), best + (page.words.mistakes ? " mistakes" : ""));
  if (page.best_range) {
    const double first = behind_of(page.best_range->lo), last = behind_of(page.best_range->hi);
    const double low = std::min(first, last), high = std::max(first, last);
    const std::string at_least = low >= 0 ? "at least " + page.sum(low) + " behind" : page.sum(-low) + " ahead at best";
    return text + fmt::format(
                      ": it is not proven which, because the search for it stopped early. {} {} {}, and {} "
                      "behind at most.",
                      capital(page.words.learned), are, at_least, page.sum(std::max(0.0, high)));
  }
  return text + fmt::format(". {} {} {} {}.", capital(page.words.learned), are, page.sum(std::abs(behind)),
                            behind >= 0 ? "behind that" : "ahead of that, because decisions may change over time");
}

std::string promise_words(const ComparedPage& page) {
  const auto& ours = page.ours();
  const auto quoted = quoted_bound(ours.report);
  if (!quoted) return "For this setting no limit is proven of how far it may stay behind.";
  const double most = quoted->value * page.loss_of_one;
  if (quoted->of == QuotedBound::Of::kMean) {
    return fmt::format(
        "Whatever the others do, {} {} expected to {} than the best fixed {}: on average over the learner's own "
        "chance. "
        "For a single run like this one no limit is proven.",
        page.words.learned, page.words.many ? "are" : "is", most_words(page, most), page.words.thing);
  }
  const bool sure = quoted->of == QuotedBound::Of::kPath;
  std::string text = fmt::format("Whatever the others do, {} {} {} than the best fixed {}{}.",
                                 sure ? "for certain" : "with " + certainty_text(ours.report) + " certainty",
                                 page.words.learned, most_words(page, most), page.words.thing,
                                 sure ? "" : ", after every " + page.words.round + " at once");
  if (!quoted->realised())
    text += " Each " + page.words.round + " counts in the mean over the learner's own draw in it.";
  const auto* best = page.best_fixed();
  const double most_behind = page.best_range ? (page.reward ? page.best_range->hi : page.best_range->lo)
                             : best          ? best->money
                                             : ours.money;
  const double behind = page.reward ? most_behind - ours.money : ours.money - most_behind;
  text += behind <= most ? " This run is within it."
                         : " This run is further behind: what its own draws add is not covered.";
  if (most > std::abs(ours.gain) / 2) text += " That is a weak promise: it is more than half of the difference above.";
  return text;
}

}  // namespace

Json certainty_block(const ComparedPage& page) {
  const auto& ours = page.ours();
  std::vector<std::pair<std::string, std::string>> points;
  if (page.paid_as_bid) {
    points.emplace_back(
        "Why it cannot tell.",
        fmt::format("Winners {} what they bid. With the bids of the log no {} does better than what was "
                    "paid, and neither does a second price: that is proven, where the best bids won. "
                    "Every gain would come from bidders who bid otherwise, which the log does not show.",
                    page.reward ? "pay" : "are paid", page.reward ? "reserve price" : "ceiling"));
    points.emplace_back("What it can show.",
                        "How far from its own value a bidder should bid: hannan compare " + own_bid_kind() + ".");
    return fold_block("How sure is this?", "In a few sentences, without formulas",
                      Json::array({points_block("", points)}));
  }
  if (ours.judged && ours.judged->most_gain) {
    points.emplace_back("What is sure.", limits_reason(page) +
                                             " So two sums are kept, the least and the most that may have been earned. "
                                             "A change is recommended by the least alone, and ruled out by the most.");
  }
  if (ours.judged && !ours.judged->doubts.empty()) {
    std::string why;
    for (const auto& doubt : ours.judged->doubts) why += (why.empty() ? "" : " ") + capital(doubt.says) + ".";
    points.emplace_back("Why it cannot tell.", why);
  }
  if (ours.judged && (ours.judged->range || ours.judged->share_range)) {
    points.emplace_back("The range.",
                        "Two ranges are computed: one that holds whatever the order of the " + page.words.round +
                            "s is and however often one looks, and one across eight stretches of the log. A change is "
                            "recommended only where both lie above zero; shown is what both allow.");
    points.emplace_back("Days like these.",
                        "Both speak of the days in the log. A change of the market that lasts as long "
                        "as an eighth of the log cannot be told from an effect.");
  } else {
    points.emplace_back("Not judged.",
                        ours.judged ? "The ranges are a picture of the spread and decide nothing."
                                    : "Nothing that is done today was named, so that there is nothing to compare with. "
                                      "The ranges are a picture of the spread and decide nothing.");
  }
  if (page.best_fixed()) points.emplace_back("What could have been.", best_words(page));
  points.emplace_back("The promise.", promise_words(page));
  points.emplace_back("Not checked here.",
                      "hannan run --record writes a record of every decision; hannan report on the "
                      "record computes it again by separate code and says whether it agrees.");
  return fold_block("How sure is this?", "In a few sentences, without formulas",
                    Json::array({points_block("", points)}));
}

}  // namespace hannan::detail
