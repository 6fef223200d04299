// A result of `hannan compare` (hannan/compare/result.hpp says what it holds) as its page needs it, with every
// difference turned so that more is better: money earned more, cost saved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hannan/compare/result.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/interval.hpp"
#include "hannan/report/log_names.hpp"
#include "hannan/report/page_text.hpp"
#include "hannan/report/page_words.hpp"

namespace hannan::detail {

// What hannan/compare/judgement.hpp said of a learner.
struct JudgedPlayer {
  std::string advice;  // "deploy", "keep", "cannot tell"
  std::string says, reason;
  std::vector<StatedDoubt> doubts;  // all that forbid a verdict; the first is the reason
  double gain = 0;
  std::optional<double> most_gain;  // where the log leaves some open: then `gain` is the least it may be
  std::optional<Interval> range;  // what both intervals allow, or that of the blocks where they decide; none: infinite
  // Purchases: the mean gain and its range as shares of what it cost not to buy, where these decide.
  std::optional<double> share;
  std::optional<Interval> share_range;
  std::vector<double> at;                     // rounds of the path of ranges
  std::vector<std::optional<Interval>> path;  // of the same range, at these rounds; none where it is infinite
};

struct ComparedPage {
  struct Player {
    std::size_t ink = 0;  // colour and dash in all charts, from 0: ours the first, the best fixed the sixth
    std::string name, about, role;
    std::string against;  // what it is held against, where that is not the baseline of all
    PlayerWords words;
    double money = 0, first = 0, last = 0, regret = 0, calls = 0;
    double gain = 0;                    // over the baseline, more is better
    Interval money_spread{}, spread{};  // bootstrap intervals; the second of the gain
    std::optional<double> bound;
    std::string bound_of;  // "limit", "path" or "mean": what it covers
    std::optional<ResultPlayer::Uncontested> uncontested;
    Json final_action, report;
    ResultSeries series;  // at the points
    std::optional<ResultSegments> segments;
    std::string final_name;  // of its final action, where actions have names
    std::optional<JudgedPlayer> judged;
    // The range to show beside the gain: as judged, else the bootstrap interval.
    Interval range() const { return judged && judged->range ? *judged->range : spread; }
  };

  // Throws kMalformed, kMissingField and the like where the file has not the fields it must have.
  ComparedPage(const Json& result, const std::string& file);

  std::string file, problem, currency, baseline;
  Json params;
  double seed = 0;
  ComparisonResult::Blocks blocks;
  std::uint64_t rounds = 0;
  double loss_of_one = 1;  // the money of a loss of 1
  bool reward = false;
  LogNames log;
  Json hidden, as_logged;                 // of the log; null: not known
  std::optional<Interval> best_range;     // money of the best fixed action, where it is not proven: from ... to
  std::optional<double> most_fixed_gain;  // where the log leaves gains open: that of the best fixed action, at most
  // A rival that errs less than the best rule of the class that is learned, as shares of rounds; none: the class will
  // do.
  struct WeakClass {
    std::string rival;
    double errs = 0, best = 0;
  };
  std::optional<WeakClass> weak_class;
  PageWords words;
  std::vector<double> at;         // rounds of the points of the paths
  std::vector<double> times;      // seconds since 1970 of these; empty: no dates, or not in order
  bool times_given = false;       // dates were in the data
  bool paid_as_bid = false;       // winners pay their own bids: nothing was played
  bool price_test = false;        // prices drawn at random: their means are compared
  std::string cannot_tell;        // posted prices that say nothing of others: why; empty: they do
  bool hindsight_prices = false;  // the prices are quantiles of all bids
  std::uint64_t not_played = 0;   // rounds at the beginning from which prices were taken
  std::uint64_t rehearsed = 0;    // rounds at the beginning that were learned from and not played
  bool first_gave_prices = false;
  std::vector<Player> players;
  std::optional<ResultPortfolio> portfolio;  // where the learner of the page is one

  const Player& ours() const { return players.front(); }
  const Player* base() const;        // null where the result names none of its players
  const Player* best_fixed() const;  // known only afterwards
  // What the best fixed action earned or cost: "70", or "from 70 to 75" where it is not proven.
  std::string best_sum() const;
  // What forbids a verdict on the learner of the page first; null: nothing, or it is not judged.
  const StatedDoubt* doubt() const;
  bool own_baseline() const { return baseline == "as logged"; }
  // "you did", or the name of the baseline.
  std::string baseline_words() const;
  Counts counts() const { return counts_of({.words = words, .reward = reward, .currency = currency}); }
  bool losses() const { return counts() == Counts::kLosses; }
  std::string unit() const {
    if (words.mistakes) return "mistakes";
    if (losses()) return "loss";
    return currency.empty() ? (reward ? "money" : "cost") : currency;
  }
  std::string had() const { return had_words(counts()); }
  std::string unit_sentence() const {
    return detail::unit_sentence({.words = words, .reward = reward, .currency = currency});
  }
  // Sums in what the page counts: money in the currency, losses, or mistakes. Those that are given together get the
  // decimals that their difference needs (page_text.hpp). `bare_`: without the currency.
  std::string sum(double amount, const std::vector<double>& beside = {}) const;
  std::string bare_sum(double amount, const std::vector<double>& beside = {}) const;
  // A gain: "+1,643 USD" of what is earned; of costs a sign would be read as that of the cost: "12 USD less", "3 more",
  // of mistakes "14 fewer". Nothing is "0".
  std::string difference(double gain) const;
  std::string bare_difference(double gain) const;
  std::string difference_words(double gain) const;  // "1,643 USD more": also of what is earned
  // Likewise its share of the baseline: "+23.0 %", "3.4 % less". Empty where the baseline is nothing.
  std::string share_difference(double gain) const;
  bool is_nothing(double gain) const;
  const char* side(double gain) const { return side_words(counts(), gain); }
  // What is more or less: "112 mistakes", "a loss of 0.92", "12 USD".
  std::string amount_words(double amount) const;
  // Without opening bids no reserve is what was logged: one row is enough.
  bool repeats_baseline(const Player& player) const {
    return own_baseline() && player.name == "no reserve" && player.gain == 0;
  }
  // Where the points stand on the x axis: dates where there are any.
  const std::vector<double>& x() const { return times.empty() ? at : times; }
  // What the player was ahead of the baseline at the points, more is better.
  std::vector<std::optional<double>> gains(const Player& player) const;
  // How figures are written beside each other and beside the sums of the first screen.
  AmountForm form(std::vector<double> together) const;
};

// The order of a ranking: the greater gain first, equal ones in the order of the result. Both are players of one page.
inline bool ahead(const ComparedPage::Player& a, const ComparedPage::Player& b) {
  return a.gain != b.gain ? a.gain > b.gain : &a < &b;
}

}  // namespace hannan::detail
