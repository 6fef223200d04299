// What each way to decide would have earned or cost, best first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hannan/report/gain_charts.hpp"
#include "hannan/report/page_text.hpp"

namespace hannan::detail {
namespace {

using Player = ComparedPage::Player;

// What a reader should see before the table: a rival that wins, or that there is nothing to win.
std::string ranking_words(const ComparedPage& page) {
  if (page.paid_as_bid || page.doubt()) return "";  // where nothing can be told, nothing is the best either
  const Player* rival = nullptr;                    // the best that could have been played
  for (const auto& p : page.players) {
    if (&p == &page.ours() || &p == page.base() || p.role == "hindsight") continue;
    if (!rival || p.gain > rival->gain) rival = &p;
  }
  const auto by = [&](double value) { return page.amount_words(value); };
  const double ours = page.ours().gain;
  const std::string& learned = page.words.learned;
  if (ours <= 0 && (!rival || rival->gain <= 0)) {
    return page.own_baseline() ? "None of the choices compared here does better than what you do."
                               : "None of the choices compared here does better than " + page.baseline_words() + ".";
  }
  if (!rival) return "";
  if (rival->gain >= ours) {
    const bool apart = rival->range().lo > page.ours().range().hi;
    return fmt::format("{} is ahead of {} by {}{}.", capital(rival->words.inside), learned, by(rival->gain - ours),
                       apart ? "" : ", too little to tell them apart");
  }
  const bool apart = rival->range().hi < page.ours().range().lo;
  return fmt::format("{} {} the best of the choices compared here; {} is behind by {}{}.", capital(learned),
                     page.words.many ? "are" : "is", rival->words.inside, by(ours - rival->gain),
                     apart ? "" : ", too little to tell them apart");
}

const char* range_kind(const Interval& range) { return range.lo > 0 ? "better" : range.hi < 0 ? "worse" : "unsure"; }

// What a round brought in the mean: mistakes as a share of rounds, money with two decimals, or three where two would
// read 0.00.
std::string each(const ComparedPage& page, double value) {
  if (page.words.mistakes) return fmt::format("{:.1f}\u00a0%", 100 * value);
  if (std::abs(value) >= 1000) return page_money(value, "");
  return std::abs(value) < 0.01 && value != 0 ? fmt::format("{:.3f}", value) : page_price(value, "");
}

// The heads of the columns, and the title of the table.
struct RankingWords {
  std::string title, sum, more;
};
RankingWords words_of(const ComparedPage& page) {
  const std::string than = page.own_baseline() ? std::string("as logged") : page.baseline_words();
  if (page.words.mistakes) return {"How many mistakes each would have made", "Mistakes", "Compared with " + than};
  if (page.reward) return {"What each would have earned", "Earned", "More than " + than};
  if (page.losses()) return {"What each would have lost", "Loss", "Compared with " + than};
  return {"What each would have cost", "Cost", "Compared with " + than};
}

}  // namespace

Json ranking_block(const ComparedPage& page) {
  constexpr double kCut = 3;  // times as far as the learner: a bar is cut
  std::vector<const Player*> order;
  for (const auto& p : page.players) {
    if (!page.repeats_baseline(p)) order.push_back(&p);
  }
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    const bool after_a = a->role == "hindsight", after_b = b->role == "hindsight";
    return after_a != after_b ? after_b : ahead(*a, *b);
  });
  double low = 0, high = 0;
  const auto take = [&](double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  };
  // Where winners pay their own bids a range says nothing.
  const auto range_of = [&](const Player& p) { return page.paid_as_bid ? Interval{p.gain, p.gain} : p.range(); };
  const Player* best = page.best_fixed();
  for (const Player* p : {&page.ours(), best}) {
    if (p) take(p->gain);
  }
  const double most = kCut * std::max(-low, high);  // of a wide range only so much
  take(std::max(range_of(page.ours()).lo, -most));
  take(std::min(range_of(page.ours()).hi, most));
  const double reach = std::max(-low, high), far = reach > 0 ? kCut * reach : HUGE_VAL;
  for (const Player* p : order) {
    if (std::abs(p->gain) > far) {
      take(p->gain > 0 ? 1.2 * reach : -1.2 * reach);
      continue;
    }
    take(std::clamp(range_of(*p).lo, -far, far));
    take(std::clamp(range_of(*p).hi, -far, far));
    take(p->gain);
  }
  const Player* base = page.base();
  // All sums of the column have the decimals that the smallest difference in it needs.
  std::vector<double> together;
  for (const Player* p : order) together.insert(together.end(), {p->money, p->gain});
  Json rows = Json::array();
  bool cut = false;
  for (const Player* p : order) {
    const Interval range = range_of(*p);
    const std::string share = page.share_difference(p->gain);
    const bool is_base = p == base, found_only = p == best && page.best_range.has_value();
    cut = cut || std::abs(p->gain) > far;
    rows.push_back(Json::object(
        {{"name", p->words.name},
         {"about", p->words.about},
         {"mine", p == &page.ours()},
         {"after", p->role == "hindsight"},
         {"base", is_base},
         {"kind", is_base                            ? "none"
                  : page.paid_as_bid || page.doubt() ? "unsure"
                                                     : range_kind(range)},
         {"gain", p->gain},
         {"low", range.lo},
         {"high", range.hi},
         {"money", found_only ? page.bare_sum(page.best_range->lo, together) + " to " +
                                    page.bare_sum(page.best_range->hi, together)
                              : page.bare_sum(p->money, together)},
         {"more", is_base      ? std::string("0")
                  : found_only ? page.bare_difference(p->gain) + " or more"
                               : page.bare_difference(p->gain)},
         {"share", is_base ? std::string() : share},
         {"range", is_base            ? std::string("what the others are compared with")
                   : page.paid_as_bid ? std::string("\u2013")
                                      : page.bare_difference(range.lo) + " to " + page.bare_difference(range.hi)},
         {"tenths", each(page, p->first) + " → " + each(page, p->last)}}));
  }
  const std::string unit = page.currency.empty() ? "" : ", " + page.currency;
  std::string note = page.doubt()
                         ? "Bars show the difference, thin lines the spread of this log: it decides nothing."
                         : "Bars show the difference, thin lines the 95\u00a0% range; grey: the range has zero in it.";
  if (cut) note += " A jagged end: the bar goes on beyond the scale.";
  note += " Hatched: known only afterwards.";
  if (page.paid_as_bid)
    note = "What was paid, and what the same bids make at the best losing one: under that rule bids would change.";
  if (page.ours().judged && page.ours().judged->most_gain)
    note += " Counted is what is sure; what the log hides may add to it.";
  if (page.hindsight_prices) note += " The prices were taken from all bids of the log, known only afterwards.";
  if (page.best_range) note += " The best fixed " + page.words.thing + " that was found is not proven to be the best.";
  if (page.ours().judged && !page.paid_as_bid && !page.doubt())
    note += " The range of the learned row is the one that decides; those of the others are a picture of the spread.";
  const RankingWords words = words_of(page);
  return Json::object(
      {{"block", "ranking"},
       {"title", words.title},
       {"about", ranking_words(page)},
       {"note", note},
       {"header", Json::array({Json(""), Json(words.sum + unit), Json(words.more + unit), Json("95\u00a0% range"),
                               Json("Per " + page.words.round + ", first → last tenth")})},
       {"scale", Json::array({Json(low), Json(high)})},
       {"rows", std::move(rows)}});
}

}  // namespace hannan::detail
