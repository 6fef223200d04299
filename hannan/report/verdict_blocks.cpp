// The first screen of a comparison: state, advice, one sentence with money, and warnings. The state comes from the
// judgement in the result; nothing is judged here.
#include "hannan/report/verdict_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hannan/report/open_words.hpp"
#include "hannan/report/page_text.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kRoundsNeeded = 40;  // of a judgement

// A sentence is a list of pieces; strong ones are set in bold.
Json piece(const std::string& text) { return Json::object({{"text", text}}); }
Json strong(const std::string& text) { return Json::object({{"text", text}, {"strong", true}}); }

// The gain without its sign.
std::string amount(const ComparedPage& page) { return page.sum(std::abs(page.ours().gain)); }

std::optional<double> share_of(const ComparedPage& page, double gain) {
  const auto* base = page.base();
  if (!base || !(base->money > 0)) return std::nullopt;
  return gain / base->money;
}

// "+23.0 %" of money; of cost "23.0 % less cost", of losses "23.0 % less", of mistakes "23.0 % fewer".
std::string percent(const ComparedPage& page) {
  const std::string text = page.share_difference(page.ours().gain);
  const bool cost = !text.empty() && !page.reward && !page.words.mistakes && !page.losses();
  return cost ? text + " cost" : text;
}

std::string fewer_mistakes(const ComparedPage& page) {
  const std::string count = amount(page);
  return count + (page.ours().gain >= 0 ? " fewer" : " more") + (count == "1" ? " mistake" : " mistakes");
}

// A portfolio draws what it plays: its figures are means over the draws.
std::string than(const ComparedPage& page) { return page.portfolio ? " on average than " : " than "; }

// "Learned prices would have earned *1,643 USD more* than you did".
void write_difference(Json& says, const ComparedPage& page, std::string begin) {
  const double gain = page.ours().gain;
  if (page.reward && page.ours().judged && page.ours().judged->most_gain) {
    says.push_back(piece(begin + " would have earned "));
    says.push_back(strong(limits_words(page)));
    says.push_back(piece(than(page) + page.baseline_words()));
  } else if (page.reward) {
    says.push_back(piece(begin + " would have earned "));
    says.push_back(strong(page.difference_words(gain)));
    says.push_back(piece(than(page) + page.baseline_words()));
  } else if (page.words.mistakes) {
    says.push_back(piece(begin + " would have made "));
    says.push_back(strong(fewer_mistakes(page)));
    says.push_back(piece(than(page) + page.baseline_words()));
  } else if (page.losses()) {
    says.push_back(piece(begin + " would have lost "));
    says.push_back(strong(page.difference_words(gain)));
    says.push_back(piece(than(page) + page.baseline_words()));
  } else if (gain >= 0) {
    says.push_back(piece(begin + " would have saved "));
    says.push_back(strong(amount(page)));
    says.push_back(piece(page.own_baseline() ? " of what you paid" : " against " + page.baseline_words()));
  } else {
    says.push_back(piece(begin + " would have cost "));
    says.push_back(strong(amount(page) + " more"));
    says.push_back(piece(than(page) + page.baseline_words()));
  }
}

// The beginning of a sentence: up to the first comma, colon or semicolon.
std::string first_clause(const std::string& says) {
  std::size_t end = says.size();
  for (const char* mark : {", ", ": ", "; "}) end = std::min(end, says.find(mark));
  return says.substr(0, end);
}

// "No clear difference: *33 USD more* than you did, *+10.5 %*, may be chance", or why the log cannot tell. Of chance it
// speaks only where the intervals were looked at and decided.
void write_unsure(Json& says, const ComparedPage& page) {
  const auto& judged = page.ours().judged;
  if (const auto* doubt = page.doubt()) {
    const bool hidden = doubt->kind == "hidden";
    says.push_back(piece("This log cannot tell: "));
    says.push_back(strong(hidden ? "more than a tenth of its money" : first_clause(doubt->says)));
    if (hidden) says.push_back(piece(" is not in these figures"));
    return;
  }
  says.push_back(piece(judged ? "No clear difference: " : "Not judged: "));
  if (page.words.mistakes) {
    says.push_back(strong(fewer_mistakes(page)));
  } else {
    const char* what = page.reward ? "" : page.losses() ? " loss" : " cost";
    says.push_back(strong(page.difference_words(page.ours().gain) + what));
  }
  says.push_back(
      piece(than(page) + (page.own_baseline() && !page.reward && !page.words.mistakes ? std::string("you had")
                                                                                      : page.baseline_words())));
  if (const std::string share = percent(page); !share.empty()) {
    says.push_back(piece(", "));
    says.push_back(strong(share.substr(0, share.find(" cost"))));
  }
  if (judged) says.push_back(piece(", may be chance"));
}

// Nothing but the number of rounds forbids a verdict.
bool too_early(const ComparedPage& page) { return page.doubt() && page.doubt()->kind == "few rounds"; }

// The gain, and the most that it may be, are rounded to nothing.
bool is_nothing(const ComparedPage& page) {
  const auto& judged = page.ours().judged;
  const double most = judged ? judged->most_gain.value_or(0) : 0;
  return page.is_nothing(page.ours().gain) && page.is_nothing(most);
}

// One sentence with the amount of money in it. Which one depends on the state; a result that may not be stated as a
// difference at all (open_words.hpp) has sentences of its own.
Json sentence_of(const ComparedPage& page, PageState state) {
  Json says = Json::array();
  const std::string& learned = page.words.learned;
  const bool limits = page.ours().judged && page.ours().judged->most_gain;
  const std::string share = limits ? limits_shares(page) : percent(page);
  const auto end_with_share = [&] {
    if (share.empty()) return;
    says.push_back(piece(": "));
    says.push_back(strong(share));
  };
  if (too_early(page)) {
    says.push_back(strong(page.words.rounds(page.rounds)));
    says.push_back(piece(page.rounds == 1 ? " is too little for a judgement" : " are too few for a judgement"));
    return says;
  }
  if (Json open = open_headline(page); !open.is_null()) return open;
  switch (state) {
    case PageState::kBetter:
    case PageState::kWorse:
      write_difference(says, page, capital(learned));
      end_with_share();
      break;
    case PageState::kKeep:
      if (is_nothing(page)) {
        const std::string had = page.had();
        says.push_back(piece("Nothing worth a change: " + learned + " would have " + had + " "));
        says.push_back(strong(page.words.mistakes ? "as many mistakes" : "the same"));
        break;
      }
      write_difference(says, page, "Nothing worth a change: " + learned);
      end_with_share();
      break;
    case PageState::kUnsure:
      write_unsure(says, page);
      break;
  }
  return says;
}

// Where nothing is done today that a gain could be held against.
Json sentence_without_baseline(const ComparedPage& page) {
  Json says = Json::array();
  const auto* best = page.best_fixed();
  const double ours = page.ours().money, after = best ? best->money : ours;
  says.push_back(piece(capital(page.words.learned) + " " + page.had() + " "));
  says.push_back(strong(page.sum(ours, {after, ours - after}) + (page.words.mistakes ? " mistakes" : "")));
  if (best) {
    says.push_back(piece(", the best fixed " + page.words.thing + ", known only afterwards, "));
    says.push_back(strong(page.best_range ? page.best_sum() : page.sum(after, {ours, ours - after})));
    if (page.best_range) says.push_back(piece("; it is not proven"));
  }
  return says;
}

bool has_baseline(const ComparedPage& page) {
  const auto* base = page.base();
  return base && base->role != "hindsight";
}

// At most one recommendation. Where the data cannot tell, what is done today is to be kept.
std::string advice_of(const ComparedPage& page, PageState state) {
  if (!has_baseline(page)) return "Nothing to compare with";
  if (too_early(page)) return "Too early to tell";
  const std::string keep = page.own_baseline() ? "keep what you do" : "keep " + page.baseline_words();
  if (!page.cannot_tell.empty()) return "This log cannot tell";
  if (state == PageState::kBetter && page.portfolio) return "Recommended: use the portfolio";
  if (state == PageState::kBetter)
    return "Recommended: use " + std::string(page.price_test ? "" : "the ") + page.words.learned_here;
  if (state != PageState::kUnsure) return "Recommended: " + keep;
  if (page.portfolio && page.ours().judged && page.ours().judged->advice == "try")
    return fmt::format("Recommended: try it, at most {} at risk on average; this log cannot tell yet",
                       page.sum(page.portfolio->risk));
  return "Recommended: " + keep + "; this log cannot tell";
}

// "between +1,531 and +1,754 USD (+21.5 % to +24.6 %)"; of costs "between 28 USD more and 14 USD less".
std::string range_words(const ComparedPage& page, const Interval& range) {
  if (!page.reward) return "between " + page.difference(range.lo) + " and " + page.difference(range.hi);
  std::string text = "between " + page.bare_difference(range.lo) + " and " + page.difference(range.hi);
  const auto low = share_of(page, range.lo), high = share_of(page, range.hi);
  if (low && high) text += " (" + page_percent(*low) + " to " + page_percent(*high) + ")";
  return text;
}

// What a judgement by shares takes shares of.
const char* share_words(const ComparedPage& page) {
  return page.reward ? "what winning is worth" : "what it costs not to buy";
}

// The paragraph under the headline: totals, the range in words, and every doubt.
std::string lede_of(const ComparedPage& page) {
  const auto& ours = page.ours();
  if (!has_baseline(page))
    return "The data do not say what is done today, so there is nothing to compare with and nothing is recommended. " +
           page.unit_sentence();
  const std::string open = open_lede(page);
  if (page.paid_as_bid || (!open.empty() && !open_headline(page).is_null() && !ours.judged->most_gain)) return open;
  std::string text = (page.losses() ? "A loss of " : "") + page.sum(ours.money) +
                     (page.words.mistakes ? " mistakes" : "") + (page.portfolio ? " on average" : "") + " instead of " +
                     page.sum(page.base()->money) +
                     (page.portfolio ? "; " + page.sum(page.portfolio->drawn) + " as drawn." : ".");
  if (state_of(page) == PageState::kUnsure) text = capital(page.words.learned) + ": " + text;
  if (!open.empty()) text = open;
  if (!ours.judged)
    return text + " This was not judged; the ranges below are a picture of the spread. " + page.unit_sentence();
  if (too_early(page))
    return text +
           fmt::format(" From {} {}s on this page says how sure a difference is.", kRoundsNeeded, page.words.round);
  if (ours.judged->range && ours.judged->range->lo < ours.judged->range->hi)
    text += fmt::format(" On average such decisions {} {} over as many {}s (95\u00a0% range).",
                        does_words(page.counts()), range_words(page, *ours.judged->range), page.words.round);
  if (ours.judged->share && ours.judged->share_range)
    text += fmt::format(
        " Per {}, as a share of {}, the difference is {} in these data, and on average between {} and {} (95\u00a0% "
        "range); above zero is better.",
        page.words.round, share_words(page), page_percent(*ours.judged->share),
        page_percent(ours.judged->share_range->lo), page_percent(ours.judged->share_range->hi));
  for (const auto& doubt : ours.judged->doubts)
    text += doubt.kind == "hidden" ? " With so much hidden it decides nothing." : " " + capital(doubt.says) + ".";
  if (page.hindsight_prices) text += " The prices were taken from all bids of the log, known only afterwards.";
  if (!page.unit_sentence().empty()) text += " " + page.unit_sentence();
  return text;
}

// "Use the learned prices: +1,643 USD (+23.0 %)", for the title of the window.
std::string short_of(const ComparedPage& page, PageState state) {
  if (!has_baseline(page)) return {};
  const std::string what = state == PageState::kBetter
                               ? (page.price_test ? "Use " : "Use the ") + page.words.learned_here
                           : state == PageState::kUnsure ? "This log cannot tell"
                           : page.own_baseline()         ? "Keep what you do"
                                                         : "Keep " + page.baseline_words();
  if (page.paid_as_bid || !page.cannot_tell.empty()) return what;
  if (page.ours().judged && page.ours().judged->most_gain) return what + ": " + limits_words(page);
  const auto share = share_of(page, page.ours().gain);
  const std::string unit = page.words.mistakes ? " mistakes" : page.losses() ? " loss" : page.reward ? "" : " cost";
  return what + ": " + page.difference(page.ours().gain) + unit +
         (share ? " (" + page.share_difference(page.ours().gain) + ")" : std::string());
}

Json strip_of(const ComparedPage& page, const Interval& range) {
  const double gain = page.ours().gain;
  const bool limits = page.ours().judged && page.ours().judged->most_gain;
  return Json::object({{"gain", gain},
                       {"low", range.lo},
                       {"high", range.hi},
                       {"gain_text", page.difference(gain) + (limits ? " for sure" : "")},
                       {"low_text", page.bare_difference(range.lo)},
                       {"high_text", page.bare_difference(range.hi)},
                       {"zero_text", page.own_baseline() ? std::string("0 as logged") : "0 = " + page.baseline_words()},
                       {"alt", page.difference(gain) + ". 95 % range " + page.bare_difference(range.lo) + " to " +
                                   page.bare_difference(range.hi) + ". Zero is " +
                                   (page.own_baseline() ? std::string("as logged") : page.baseline_words()) +
                                   ". Better is to the right."}});
}

}  // namespace

// From the judgement alone. "Worse" needs a range that lies at or below zero; a change that is not recommended and not
// proven worse is "keep".
PageState state_of(const ComparedPage& page) {
  const auto& judged = page.ours().judged;
  if (!judged || judged->advice == "cannot tell" || judged->advice == "try") return PageState::kUnsure;
  if (judged->advice == "deploy") return PageState::kBetter;
  const auto& range = judged->share_range ? judged->share_range : judged->range;
  return range && range->hi <= 0 && judged->gain < 0 ? PageState::kWorse : PageState::kKeep;
}

namespace {

// The range that decides where gains are judged as shares.
Json share_strip(const ComparedPage& page) {
  const double gain = *page.ours().judged->share;
  const Interval range = *page.ours().judged->share_range;
  return Json::object(
      {{"gain", gain},
       {"low", range.lo},
       {"high", range.hi},
       {"gain_text", page_percent(gain)},
       {"low_text", page_percent(range.lo)},
       {"high_text", page_percent(range.hi)},
       {"zero_text", page.own_baseline() ? std::string("0 as logged") : "0 = " + page.baseline_words()},
       {"alt", fmt::format("{} of {} per {}. 95 % range {} to {}. Above zero is better.", page_percent(gain),
                           share_words(page), page.words.round, page_percent(range.lo), page_percent(range.hi))}});
}

}  // namespace

const char* state_name(PageState state) {
  static constexpr const char* kNames[] = {"better", "worse", "keep", "unsure"};
  return kNames[static_cast<std::size_t>(state)];
}

// The strip, a range drawn on a line, is left out where no range was judged.
Json headline_block(const ComparedPage& page) {
  const PageState state = state_of(page);
  const auto& judged = page.ours().judged;
  Json json = Json::object({{"block", "headline"},
                            {"state", state_name(state)},
                            {"advice", advice_of(page, state)},
                            {"says", has_baseline(page) ? sentence_of(page, state) : sentence_without_baseline(page)},
                            {"lede", lede_of(page)},
                            {"short", short_of(page, state)}});
  if (!judged || page.rounds < kRoundsNeeded || page.paid_as_bid || !page.cannot_tell.empty()) return json;
  if (judged->range && judged->range->lo < judged->range->hi) json.set("strip", strip_of(page, *judged->range));
  if (!judged->range && judged->share && judged->share_range) json.set("strip", share_strip(page));
  return json;
}

}  // namespace hannan::detail
