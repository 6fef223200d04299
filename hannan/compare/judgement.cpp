// The verdict on a player (judgement.hpp; docs/judgement.md has the proof and the measured false alarms). Two
// intervals, anytime and blocks, must both exclude 0 before "deploy" is said; doubts are asked first. Cost: O(rounds)
// and one sum_upper.
#include "hannan/compare/judgement.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "hannan/certify/run_bounds.hpp"
#include "hannan/compare/as_logged.hpp"
#include "hannan/core/sum.hpp"
#include "hannan/io/amount_text.hpp"

namespace hannan::detail {
namespace {

constexpr double kStudent = 2.3646242510102993;  // P(|t| <= this) = 0.95 at 7 degrees of freedom

double summed(std::span<const double> gains) {
  Sum sum;
  for (const double gain : gains) sum.add(gain);
  return sum.value();
}

// Of gains whose squares, in units of b, sum to q.
Interval anytime_range(double q, double gain, const JudgementTerms& terms) {
  // Bonferroni over the players, and halves for the two ends.
  const double delta = terms.delta / static_cast<double>(terms.players);
  const double half = **terms.doubts.most * (bounds::sum_upper(q, delta / 2) - q);
  return {gain - half, gain + half};
}

// In units of b, the most that one round can gain, as bounds::sum_upper has them.
double squares_of(std::span<const double> gains, double most) {
  Sum squares;
  for (const double g : gains) squares.add(g / most * (g / most));
  return squares.value();
}

using BlockTotals = std::array<double, kJudgedBlocks>;

// total_of(begin, length) is the sum of the gains of these rounds.
template <class Total>
BlockTotals block_totals(std::size_t rounds, const Total& total_of) {
  BlockTotals totals;
  for (std::size_t i = 0, begin = 0; i < kJudgedBlocks; ++i) {
    // The lengths add up to `rounds`; the first rounds % 8 blocks are one longer.
    const std::size_t length = rounds / kJudgedBlocks + (i < rounds % kJudgedBlocks ? 1 : 0);
    totals[i] = total_of(begin, length);
    begin += length;
  }
  return totals;
}
// Straight sums, where ranges_over_time() takes differences of prefix sums.
BlockTotals block_totals(std::span<const double> gains) {
  return block_totals(gains.size(),
                      [&](std::size_t begin, std::size_t length) { return summed(gains.subspan(begin, length)); });
}

// Student's interval for the sum, from the spread of eight stretches of equal length: 2.36 s sqrt(8) where s is the
// standard deviation of the totals. Below kLeastRounds nothing is said, which is the whole line.
Interval block_range(std::size_t rounds, const BlockTotals& totals) {
  if (rounds < kLeastRounds) return kExtended;
  double sum = 0, squares = 0;
  for (const double total : totals) sum += total;
  for (const double total : totals) {
    const double off = total - sum / kJudgedBlocks;
    squares += off * off;  // one rounding, where std::pow may have another on another machine
  }
  const double half =
      kStudent * std::sqrt(squares / (kJudgedBlocks - 1)) * std::sqrt(static_cast<double>(kJudgedBlocks));
  return {sum - half, sum + half};
}

// The order of the tests is the rule: doubts, then deploy, then what may still be a gain, and keep only where none is
// left.
void decide(Judgement& judged, std::size_t rounds, const JudgementTerms& terms) {
  judged.doubts = forbidding(terms.doubts, rounds);
  if (!judged.doubts.empty()) {
    judged.reason = judged.doubts.front().says;
  } else if (judged.anytime.lo > 0 && judged.blocks.lo > 0 && terms.money && !(*terms.money > 0)) {
    judged.reason = "as a share it gains, in money it does not";
  } else if (judged.anytime.lo > 0 && judged.blocks.lo > 0) {
    judged.advice = Recommendation::kDeploy;
    judged.reason = "the gain is above 0 by both intervals";
  } else if (const double small = terms.small * terms.baseline; judged.most_blocks.hi > small) {
    judged.reason = judged.most_gain ? "what the log hides may make it a loss or a gain worth having"
                                     : "the intervals hold both a loss and a gain worth having";
  } else if (terms.most_fixed.value_or(0) > small) {
    judged.reason = "what the log hides may make other decisions a gain worth having";
  } else {
    judged.advice = Recommendation::kKeep;
    judged.reason = "a gain worth a change is ruled out across the stretches of the log";
  }
  const bool open = judged.doubts.empty() && judged.advice == Recommendation::kCannotTell && !judged.most_gain;
  if (!open || !terms.at_risk || *terms.doubts.log.hidden > kMostHiddenToTry) return;
  if (!(judged.gain > 0) || judged.anytime.hi < 0) return;
  judged.advice = Recommendation::kTry;
  judged.at_risk = *terms.at_risk;
}

}  // namespace

std::string_view recommendation_name(Recommendation advice) {
  static constexpr std::array<std::string_view, 4> kNames{"deploy", "keep", "cannot tell", "try"};
  return kNames[static_cast<std::size_t>(advice)];
}

Interval Judgement::range() const {
  const double high = most_gain ? most_blocks.hi : blocks.hi;
  return {std::min(anytime.lo, blocks.lo), std::max({anytime.hi, blocks.hi, high})};
}

// The doubts that make the figures themselves meaningless; others leave them and only forbid a verdict.
bool Judgement::has_range() const {
  const auto spoils = [](const ForbiddingDoubt& one) {
    return one.doubt == Doubt::kNoReplay || one.doubt == Doubt::kQuestion || one.doubt == Doubt::kCensored ||
           one.doubt == Doubt::kUnreadableCells;
  };
  return std::none_of(doubts.begin(), doubts.end(), spoils) && std::isfinite(range().lo);
}

namespace {

// With both intervals of the least gains; not decided yet.
Judgement intervals_of(const GainSums& sums, double squares_in_units, const JudgementTerms& terms) {
  assert(terms.players > 0);
  Judgement judged;
  judged.gain = sums.gain;
  if (terms.doubts.most->has_value() && terms.relative.empty())
    judged.anytime = anytime_range(squares_in_units, judged.gain, terms);
  judged.blocks = judged.most_blocks = block_range(sums.rounds, sums.blocks);
  return judged;
}

}  // namespace

Judgement judge(std::span<const double> gains, const JudgementTerms& terms) {
  const std::optional<double>& most = *terms.doubts.most;
  assert(!most || (*most > 0 && std::isfinite(*most)));
  const GainSums sums{.rounds = gains.size(), .gain = summed(gains), .squares = 0, .blocks = block_totals(gains)};
  // Squares are summed in units of b, one by one.
  Judgement judged = intervals_of(sums, most ? squares_of(gains, *most) : 0, terms);
  if (!terms.relative.empty())
    judged.anytime = anytime_range(squares_of(terms.relative, 1), summed(terms.relative), terms);
  if (!terms.most_gains.empty()) {
    judged.most_gain = summed(terms.most_gains);
    judged.most_blocks = block_range(terms.most_gains.size(), block_totals(terms.most_gains));
  }
  decide(judged, gains.size(), terms);
  return judged;
}

// For callers that keep sums and not gains (the service): squares come summed and are divided by b^2 here. What the log
// hides is not known there, so both gains are the same.
Judgement judge_sums(const GainSums& sums, const JudgementTerms& terms) {
  const std::optional<double>& most = *terms.doubts.most;
  assert(!most || (*most > 0 && std::isfinite(*most)));
  Judgement judged = intervals_of(sums, most ? sums.squares / (*most * *most) : 0, terms);
  decide(judged, sums.rounds, terms);
  return judged;
}

// For gains whose interval is already known (a price test); the same decision and the same doubts.
Judgement judge_range(const KnownRange& known, const JudgementTerms& terms) {
  Judgement judged;
  judged.gain = known.gain;
  judged.anytime = judged.blocks = judged.most_blocks = known.range;
  decide(judged, known.offers, terms);
  return judged;
}

// One pass of prefix sums: the sum of any stretch is a difference of two, so that each point costs its blocks alone.
std::vector<Judgement> ranges_over_time(std::span<const double> gains, const JudgementTerms& terms,
                                        std::span<const std::uint64_t> at) {
  std::vector<double> before{0};  // sums of the first gains
  before.reserve(gains.size() + 1);
  Sum sum;
  for (const double gain : gains) {
    sum.add(gain);
    before.push_back(sum.value());
  }
  std::vector<Judgement> ranges;
  Sum squares;
  std::size_t summed_to = 0;
  for (const std::uint64_t rounds : at) {
    for (; summed_to < rounds; ++summed_to) {
      const double gain = gains[summed_to] / **terms.doubts.most;
      squares.add(gain * gain);
    }
    Judgement judged;
    judged.gain = before[rounds];
    judged.anytime = anytime_range(squares.value(), judged.gain, terms);
    judged.blocks = block_range(rounds, block_totals(rounds, [&](std::size_t begin, std::size_t length) {
                                  return before[begin + length] - before[begin];
                                }));
    ranges.push_back(std::move(judged));
  }
  return ranges;
}

namespace {

// "1,643 USD more", "44 USD less"; of costs "12 USD saved", "5 USD more cost".
std::string difference_words(double gain, const JudgedNames& names) {
  const char* kind = gain >= 0 ? (names.reward ? "more" : "saved") : (names.reward ? "less" : "more cost");
  return fmt::format("{} {}", money_text(std::abs(gain), names.currency), kind);
}

// Behind a player's name: "would have earned 1,643 USD more than as logged, +23.0 %", or within limits.
std::string figures_of(const Judgement& judged, const JudgedNames& names) {
  // Of costs without a sign: "saved" and "more" say it, and a minus would be taken for less cost.
  const auto share = [&](double gain) {
    const std::string text = percent_difference_text(names.reward ? gain / names.money : std::abs(gain) / names.money);
    return !names.reward && text.starts_with('+') ? text.substr(1) : text;
  };
  if (judged.most_gain && difference_words(judged.gain, names) != difference_words(*judged.most_gain, names)) {
    const std::string shares =
        names.money > 0 ? fmt::format(" ({} to {})", share(judged.gain), share(*judged.most_gain)) : std::string();
    return fmt::format("would have {} between {} and {} than {}{}", names.reward ? "earned" : "brought",
                       difference_words(judged.gain, names), difference_words(*judged.most_gain, names), names.baseline,
                       shares);
  }
  const std::string amount = money_text(std::abs(judged.gain), names.currency);
  const std::string what = names.reward ? fmt::format("earned {} {} than", amount, judged.gain >= 0 ? "more" : "less")
                           : judged.gain >= 0 ? fmt::format("saved {} against", amount)
                                              : fmt::format("cost {} more than", amount);
  return fmt::format("would have {} {}{}", what, names.baseline,
                     names.money > 0 ? ", " + share(judged.gain) : std::string());
}

}  // namespace

// One sentence that every surface shows. Figures are left out where a doubt makes them meaningless.
std::string sentence(const Judgement& judged, const JudgedNames& names) {
  // Where it is kept the stretches of the log decide; else what both intervals allow.
  const Interval kept{judged.blocks.lo, judged.most_blocks.hi};
  const Interval range = judged.advice == Recommendation::kKeep ? kept : judged.range();
  // Of costs in words: "more cost" has the other sign than the gain.
  const auto end = [&](double gain) {
    return names.reward ? money_difference_text(gain, names.currency) : difference_words(gain, names);
  };
  const std::string between = names.with_range && judged.has_range()
                                  ? fmt::format(" (95 % range {} to {})", end(range.lo), end(range.hi))
                                  : std::string();
  const std::string figures = figures_of(judged, names) + between;
  switch (judged.advice) {
    case Recommendation::kDeploy:
      return fmt::format("deploy {}: it {}", names.player, figures);
    case Recommendation::kKeep:
      return fmt::format("keep {}: {} {}", names.baseline == kAsLogged ? "what you do" : names.baseline, names.player,
                         figures);
    case Recommendation::kTry:
      return fmt::format("try {}: at most {} at risk on average; this log cannot tell yet whether it gains; it {}",
                         names.player, money_text(judged.at_risk, names.currency), figures);
    case Recommendation::kCannotTell:
      break;
  }
  // Figures would rest on an answer that is not given, or on what the log does not show.
  const bool no_figures = std::any_of(judged.doubts.begin(), judged.doubts.end(), [](const ForbiddingDoubt& one) {
    return one.doubt == Doubt::kQuestion || one.doubt == Doubt::kCensored;
  });
  if (no_figures) return fmt::format("this log cannot tell: {}", judged.reason);
  return fmt::format("this log cannot tell: {}; {} {}", judged.reason, names.player, figures);
}

}  // namespace hannan::detail
