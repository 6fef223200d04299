// Gains over time and at the end as data for the page's charts. Rivals that would flatten the learner's line are cut
// off and named beside the chart; at most kMostDrawnPoints points are sent.
#include "hannan/report/gain_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hannan/report/blocks.hpp"
#include "hannan/report/page_text.hpp"
#include "hannan/report/verdict_blocks.hpp"

namespace hannan::detail {
namespace {

using GainPath = std::vector<std::optional<double>>;
constexpr double kFar = 3;                     // times as far as the learner: a rival is cut
constexpr std::size_t kMostDrawnPoints = 400;  // about one a pixel of a phone

// The range of the y axis; zero is always within it.
struct Scale {
  double low = 0, high = 0;
  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void take(const GainPath& values) {
    for (const auto& value : values) take(value.value_or(0));
  }
  double reach() const { return std::max(-low, high); }
};

double reach_of(const GainPath& values) {
  Scale scale;
  scale.take(values);
  return scale.reach();
}

// Ends of a range no further than a few times what was reached otherwise.
void take_range(Scale& scale, const Interval& range) {
  const double most = scale.reach() > 0 ? kFar * scale.reach() : HUGE_VAL;
  scale.take(std::max(range.lo, -most));
  scale.take(std::min(range.hi, most));
}

// The places of the points that are drawn, the last among them.
std::vector<std::size_t> drawn_points(std::size_t points) {
  const std::size_t step = (points + kMostDrawnPoints - 1) / kMostDrawnPoints;
  std::vector<std::size_t> places;
  for (std::size_t i = (points - 1) % step; i < points; i += step) places.push_back(i);
  return places;
}

template <class T>
Json picked(const std::vector<T>& values, const std::vector<std::size_t>& places) {
  Json list = Json::array();
  for (const std::size_t place : places) list.push_back(Json(values[place]));
  return list;
}

Json picked(const GainPath& values, const std::vector<std::size_t>& places) {
  Json list = Json::array();
  for (const std::size_t place : places)
    list.push_back(place < values.size() && values[place] ? Json(rounded(*values[place])) : Json());
  return list;
}

std::string zero_words(const ComparedPage& page) {
  return page.own_baseline() ? "0 = as logged" : "0 = " + page.baseline_words();
}

std::string since_words(const ComparedPage& page) {
  return page.times.empty() ? "summed from the first " + page.words.round
                            : "summed from " + page_day(page.times.front());
}

Json chart_of(const ComparedPage& page, const std::vector<std::size_t>& places) {
  Json json = Json::object({{"block", "gains"},
                            {"unit", page.unit()},
                            {"currency", page.currency},
                            {"round", page.words.round},
                            {"zero", zero_words(page)},
                            {"at", picked(page.x(), places)}});
  json.set("places", page.form({}).places);
  // Of costs a sign would be read as that of the cost: words say which side is which.
  if (!page.reward) json.set("sides", Json::array({Json(page.side(1)), Json(page.side(-1))}));
  if (!page.times.empty()) json.set("time", true).set("rounds", picked(page.at, places));
  return json;
}

Json series_json(const ComparedPage& page, const ComparedPage::Player& player, const GainPath& values,
                 const std::vector<std::size_t>& places) {
  return Json::object({{"name", player.words.name},
                       {"ink", player.ink},
                       {"values", picked(values, places)},
                       {"end", page.difference(player.gain)}});
}

// The ranges of the learner where they are known, at places of the x axis.
Json band_of(const ComparedPage& page) {
  Json at = Json::array(), low = Json::array(), high = Json::array();
  const JudgedPlayer& judged = *page.ours().judged;
  for (std::size_t i = 0; i < judged.at.size(); ++i) {
    const auto place = std::lower_bound(page.at.begin(), page.at.end(), judged.at[i]);
    if (!judged.path[i] || place == page.at.end()) continue;
    at.push_back(page.x()[static_cast<std::size_t>(place - page.at.begin())]);
    low.push_back(rounded(judged.path[i]->lo));
    high.push_back(rounded(judged.path[i]->hi));
  }
  return Json::object({{"at", std::move(at)}, {"low", std::move(low)}, {"high", std::move(high)}});
}

std::string against_words(const ComparedPage& page) {
  return page.own_baseline() ? std::string("as logged") : page.baseline_words();
}

}  // namespace

// The learner alone against the baseline, with the range of the judgement where there is one.
Json gain_chart(const ComparedPage& page) {
  const auto& ours = page.ours();
  const auto places = drawn_points(page.at.size());
  const GainPath values = page.gains(ours);
  const bool judged = ours.judged && ours.judged->range && !page.paid_as_bid;
  const bool limits = ours.judged && ours.judged->most_gain;
  Scale scale;
  scale.take(values);
  if (judged) take_range(scale, limits ? Interval{ours.judged->range->lo, 0} : *ours.judged->range);
  const bool nothing = page.is_nothing(ours.gain);
  // Of costs the line is what is saved, whatever its sign.
  const char* what = nothing               ? "Compared with "
                     : page.words.mistakes ? "Mistakes, compared with "
                     : page.losses()       ? "Loss, compared with "
                     : !page.reward        ? "Cost, compared with "
                     : ours.gain >= 0      ? "Earned more than "
                                           : "Earned less than ";
  const double days = page.times.empty() ? 0 : (page.times.back() - page.times.front()) / 86400;
  const std::string by = days > 2 ? ", day by day" : fmt::format(", {} by {}", page.words.round, page.words.round);
  std::string about =
      capital(page.unit()) + " " + since_words(page) + ", " + page.words.learned + " less " + against_words(page) + ".";
  if (!page.reward) about = capital(page.unit()) + " " + since_words(page) + ".";
  if (limits) about += " Counted is what is sure.";
  if (judged) about += limits ? " Shaded: its 95\u00a0% range." : " Shaded: 95\u00a0% range.";
  about += page.reward ? " Above the line is better." : fmt::format(" Up is {}, and better.", page.side(1));
  const std::string range = judged ? ", 95 % range " + page.bare_difference(ours.judged->range->lo) + " to " +
                                         page.bare_difference(ours.judged->range->hi)
                                   : std::string();
  Json json = chart_of(page, places)
                  .set("title", what + against_words(page) + by)
                  .set("about", about)
                  .set("alt", "Line over " +
                                  (page.times.empty() ? page.words.rounds(page.rounds)
                                                      : page_days(page.times.front(), page.times.back())) +
                                  ". It ends at " + page.difference(ours.gain) + range + ". Above zero is better.")
                  .set("state", state_name(state_of(page)))
                  .set("scale", Json::array({Json(scale.low), Json(scale.high)}))
                  .set("series", Json::array({series_json(page, ours, values, places)}));
  if (ours.judged && !page.paid_as_bid) json.set("band", band_of(page));
  return json;
}

// All ways to decide together. One whose line would reach kFar times beyond the learner's and the best is not scaled
// for: its end is stated in words.
Json alternatives_chart(const ComparedPage& page) {
  constexpr std::size_t kMostOthers = 4;  // besides the learner and the best fixed choice
  const auto* best = page.best_fixed();
  std::vector<const ComparedPage::Player*> others, drawn{&page.ours()};
  for (const auto& p : page.players) {
    if (&p != &page.ours() && &p != best && &p != page.base() && !page.repeats_baseline(p)) others.push_back(&p);
  }
  std::sort(others.begin(), others.end(), [](const auto* a, const auto* b) { return ahead(*a, *b); });
  const std::size_t all = others.size();
  if (all > kMostOthers) {
    others[kMostOthers - 1] = others.back();  // the worst stays
    others.resize(kMostOthers);
  }
  drawn.insert(drawn.end(), others.begin(), others.end());
  if (best && best != page.base()) drawn.push_back(best);
  const auto places = drawn_points(page.at.size());
  Scale scale;
  scale.take(page.gains(page.ours()));
  if (best) scale.take(page.gains(*best));
  if (page.ours().judged && page.ours().judged->range) take_range(scale, *page.ours().judged->range);
  const double far = kFar * scale.reach();
  Json series = Json::array(), off = Json::array();
  std::string alt = "At the end: ";
  for (const auto* p : drawn) {
    const GainPath values = page.gains(*p);
    if (far > 0 && reach_of(values) > far) {
      off.push_back(Json::object(
          {{"name", p->words.name}, {"ink", p->ink}, {"text", page.difference(p->gain) + ", off the scale"}}));
    } else {
      scale.take(values);
    }
    series.push_back(series_json(page, *p, values, places));
    alt += (p == drawn.front() ? "" : ", ") + p->words.name + " " + page.difference(p->gain);
  }
  std::string about = capital(page.unit()) + (page.reward ? " more than " : ", compared with ") + against_words(page) +
                      ", " + since_words(page) +
                      (page.reward ? ". Higher is better." : fmt::format(". Up is {}, and better.", page.side(1)));
  if (all > kMostOthers) about += fmt::format(" The table above has {} more.", all - kMostOthers);
  return chart_of(page, places)
      .set("title", "The alternatives over time")
      .set("about", about)
      .set("alt", alt + ".")
      .set("scale", Json::array({Json(scale.low), Json(scale.high)}))
      .set("series", std::move(series))
      .set("off", std::move(off));
}

// Where the difference comes from: stretches of the log, rounds without a rival, and what could have been won at all.
Json sources_block(const ComparedPage& page) {
  constexpr std::size_t kStretches = 8;  // as many as the judgement has blocks
  std::vector<std::pair<std::string, std::string>> points;
  const GainPath path = page.gains(page.ours());
  if (path.size() >= kStretches && page.ours().judged && page.ours().judged->range) {
    double least = HUGE_VAL, most = -HUGE_VAL, before = 0;
    std::size_t better = 0;
    for (std::size_t i = 1; i <= kStretches; ++i) {
      const double now = path[i * path.size() / kStretches - 1].value_or(before);
      better += now - before > 0 ? 1 : 0;
      least = std::min(least, now - before);
      most = std::max(most, now - before);
      before = now;
    }
    if (page.is_nothing(least) && page.is_nothing(most)) {
      points.emplace_back("No difference in any stretch",
                          fmt::format("The log in {} parts of equal length: none of them differs.", kStretches));
    } else {
      points.emplace_back(
          fmt::format("{} of {} stretches better", better, kStretches),
          fmt::format("The log in {} parts of equal length: the worst {} {}, the best {}.", kStretches,
                      page.reward ? "brought" : page.had(), page.difference(least), page.difference(most)));
    }
  }
  if (const auto& part = page.ours().uncontested; part && page.ours().gain > 0 && !points.empty()) {
    points.emplace_back(
        fmt::format("{} of {} without a rival", page.bare_difference(part->gain), page.difference(page.ours().gain)),
        fmt::format("So much comes from {} with no rival bid: there {} alone set what is paid, and a bidder who leaves "
                    "costs most.",
                    page.words.rounds(static_cast<std::uint64_t>(part->rounds)), page.words.thing));
  }
  const auto* best = page.best_fixed();
  const auto* base = page.base();
  if (best && base && best != base && base->money > 0 && !points.empty()) {
    const std::string would =
        fmt::format("the best fixed {}, known only afterwards, would have {} {} ({})", page.words.thing, page.had(),
                    page.difference_words(best->gain), page.share_difference(best->gain));
    if (page.best_range) {
      points.emplace_back("What could be won is not proven",
                          fmt::format("The best fixed {}, known only afterwards, would have {} {}: the search for it "
                                      "stopped early.",
                                      page.words.thing, page.had(), page.best_sum()));
    } else if (page.most_fixed_gain.value_or(0) > std::max(0.0, best->gain)) {
      points.emplace_back(
          "What could be won is not known",
          fmt::format("Where the log is silent, the gain of the best fixed {} may be as high as {}; {} is sure.",
                      page.words.thing, page.difference(*page.most_fixed_gain),
                      best->gain > 0 ? page.difference(best->gain) : "nothing"));
    } else if (best->gain <= 0) {
      points.emplace_back(
          "Nothing to win",
          fmt::format("Even the best fixed {}, known only afterwards, would not have done better.", page.words.thing));
    } else if (best->gain <= 0.01 * base->money) {
      points.emplace_back("Little to win", "Even " + would + ".");
    } else if (page.ours().gain > best->gain) {
      points.emplace_back("More than any fixed " + page.words.thing, capital(would) + ".");
    } else if (page.ours().gain > 0) {
      const double part = std::min(99.9, 100 * page.ours().gain / best->gain);  // it is behind, if only by a little
      points.emplace_back(fmt::format("{:.1f}\u00a0% of what could be won", part), capital(would) + ".");
    } else {
      points.emplace_back("There was something to win", capital(would) + ".");
    }
  }
  return points_block("Where the difference comes from", points);
}

}  // namespace hannan::detail
