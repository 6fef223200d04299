// What a log says of a player against what is done today: deploy it, keep what is done, or the log cannot tell
// (docs/judgement.md, with the proof and the measured false alarms).
//
// D_t is the gain of the player over the baseline in round t, decided before the round; |D_t| <= b, known in advance.
//   anytime   sum D -+ b (sum_upper(Q, delta/2) - Q), Q = sum (D_t/b)^2: if no conditional mean gain is above 0 its
//   lower
//             end is ever above 0 with probability at most delta/2, whatever the dependence and however often one
//             looks.
//   blocks    8 consecutive blocks of equal length (the first T mod 8 are one longer) with totals B_i:
//             sum B -+ t sd(B) sqrt(8), t the 97.5 % quantile of Student's law with 7 degrees. No theorem without
//             normal, independent totals: it only keeps a gain of one stretch of the log from deciding.
//   deploy        both lower ends above 0
//   keep          otherwise, if the upper end of blocks is at most `small` of the baseline's money
//   Where the log knows gains only within limits (unsure.hpp), D_t is the least, and keep goes by the blocks of the
//   most, and needs every fixed action to gain no more than `small`: a player that never tries says nothing of them.
//   try           where it could not tell, of a portfolio alone: what it may lose against the baseline in the mean is
//                 bounded beforehand on every path, the log hides at most kMostHiddenToTry, its mean gain is above 0
//                 and the upper end of anytime is not below 0
//   cannot tell   otherwise; and wherever something forbids a verdict (doubts.hpp), which is asked first: the first
//   such
//                 doubt is the reason. Nothing else decides, and every command, page and file says what is said here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/compare/doubts.hpp"
#include "hannan/core/interval.hpp"

namespace hannan::detail {

enum class Recommendation { kDeploy, kKeep, kCannotTell, kTry };
std::string_view recommendation_name(Recommendation advice);  // "deploy", "keep", "cannot tell", "try"
inline constexpr double kMostHiddenToTry = 0.01;              // of the money

struct JudgementTerms {
  Doubts doubts;                       // with b, the largest gain of a round
  double baseline = 0;                 // money of the baseline over all rounds
  double delta = 0.05;                 // shared by all players that are judged
  double small = 0.01;                 // of the baseline: a gain that is not worth a change
  std::size_t players = 1;             // that are judged on the same log
  std::span<const double> most_gains;  // where the log leaves some open: the most that each may be
  std::optional<double> most_fixed;    // and the most that a fixed action may gain over all rounds
  std::optional<double> money;         // where the gains are shares: what they are in money
  // Where losses have no cap: (baseline - player) / (baseline + player) of each round's losses, within [-1,1] in any
  // unit. Then `anytime` is about their sum, with b = 1, and `blocks` about the gains as they are (docs/judgement.md).
  std::span<const double> relative;
  // Of a portfolio whose largest difference of a round is known: what it may lose at most in the mean, in money.
  std::optional<double> at_risk;
};

struct Judgement {
  double gain = 0;                   // sum of the gains
  std::optional<double> most_gain;   // of the most that they may be, where the log leaves some open
  Interval anytime = kExtended;      // stays so where no limit of a gain is known
  Interval blocks = kExtended;       // stays so below kLeastRounds
  Interval most_blocks = kExtended;  // of the most; the same as blocks where nothing is open
  Recommendation advice = Recommendation::kCannotTell;
  double at_risk = 0;                   // where it is "try"
  std::string reason;                   // one sentence
  std::vector<ForbiddingDoubt> doubts;  // all that forbid a verdict

  // What both intervals allow.
  Interval range() const;
  // Whether the figures of the log can be relied on so far that a range of them says something.
  bool has_range() const;
};

// Gains in rounds' order. b > 0 and finite, where it is known.
Judgement judge(std::span<const double> gains, const JudgementTerms& terms);

// The same of gains that are not kept one by one, from their sums.
// Chosen: fewer make the Student quantile large, more make neighbouring blocks dependent.
inline constexpr std::size_t kJudgedBlocks = 8;
struct GainSums {
  std::size_t rounds = 0;
  double gain = 0;
  double squares = 0;                          // of single gains
  std::array<double, kJudgedBlocks> blocks{};  // totals of consecutive stretches of about equal length
};
Judgement judge_sums(const GainSums& sums, const JudgementTerms& terms);

// The same of a gain that has a range of its own, from so many offers: that of a price test (price_means.hpp). It takes
// the place of both intervals.
struct KnownRange {
  double gain;
  Interval range;
  std::size_t offers;
};
Judgement judge_range(const KnownRange& known, const JudgementTerms& terms);

// The intervals that judge() would give after the first at[i] rounds, for a chart: ascending, at most as many as there
// are gains; `advice`, `reason` and `doubts` are left out. b is known. O(rounds + 8 points), and sum_upper at each
// point.
std::vector<Judgement> ranges_over_time(std::span<const double> gains, const JudgementTerms& terms,
                                        std::span<const std::uint64_t> at);

struct JudgedNames {
  std::string player;
  std::string baseline;
  double money;  // of the baseline
  std::string currency;
  bool reward;             // else the money is a loss, and a gain is what is saved
  bool with_range = true;  // where it has one
};
// "deploy flipflop: it would have earned 1,643 USD more than no reserve, +23.0 % (95 % range +1,531 USD to +1,754
// USD)".
std::string sentence(const Judgement& judged, const JudgedNames& names);

}  // namespace hannan::detail
