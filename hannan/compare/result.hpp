// The result of a comparison as it is written and read: figures in money, judgements and paths, with the facts of the
// log they are from.
//
// result_json() is the only place that writes its fields and read_result() the only one that reads them; texts, pages,
// exported decisions and Python take this value or what these two make of it. docs/logs.md says what the fields mean.
// Reading what was written gives the same value, and writing that gives the same bytes.
//
// Both cost O(size of the result): at most Comparison::kMostPoints points a player.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hannan/compare/doubts.hpp"
#include "hannan/core/interval.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// What hannan/compare/judgement.hpp said of a player. Intervals may be infinite; none: gains are not judged in money.
struct ResultJudgement {
  std::string recommendation;  // "deploy", "keep", "cannot tell", "try"
  std::string says, reason;
  std::vector<StatedDoubt> doubts;  // all that forbid a verdict; the first is the reason
  double gain = 0;
  std::optional<Interval> range, anytime, blocks;
  // The intervals as they were after some of the rounds; none where they are infinite.
  struct Path {
    std::vector<double> round;
    std::vector<std::optional<Interval>> range, blocks;
  };
  std::optional<Path> path;
  // Where the log leaves gains open: the most that they may be. `gain` is then the least.
  std::optional<double> most_gain;
  std::optional<Interval> most_blocks;
  // Where gains are judged as shares: their means (round_scale.hpp).
  struct Shares {
    double gain = 0;
    Interval range, anytime, blocks;
  };
  std::optional<Shares> shares;
};

// One value at each of ComparisonResult::points; empty where a player has none. Sums are up to the point.
struct ResultSeries {
  using Numbers = std::vector<std::optional<double>>;
  Numbers loss, money, regret;
  Numbers bound, rate, calls;               // of learners
  std::vector<std::string> regime;          // likewise
  std::vector<std::vector<double>> depths;  // of learners by segment: the weight of each depth
  std::vector<Json> action;                 // chosen after the point; not of those known only in hindsight
};

// Of a learner by segment: what the segments were worth, and where its weight lies in the last tenth.
struct ResultSegments {
  std::string says;
  double gain = 0;
  Interval interval;
  std::string over;  // the player it is held against
  Json by;           // columns, or orders of them
  std::vector<double> depths;
};

struct ResultPlayer {
  std::string name, about;
  std::string role;  // "learner", "rival" or "hindsight"
  double loss = 0, money = 0;
  Interval money_interval;  // of the bootstrap, as that of the next
  double over_baseline = 0;
  Interval over_baseline_interval;
  double first_tenth = 0, last_tenth = 0;  // a round
  double regret = 0;
  Interval regret_range;
  std::optional<double> bound;
  double calls = 0;
  Json final_action;
  // What the bound covers: "limit", every round at once with the stated certainty; "path", for certain; "mean", the
  // expected regret alone. Empty without a bound.
  std::string bound_of;
  std::string against;  // the player it is held against; empty: the baseline of all
  std::optional<ResultSegments> segments;
  Json report;  // of a learner; null of others
  ResultSeries series;
  // Of a price test: the good, "" where there is one only.
  std::optional<std::string> good;
  std::optional<double> price;
  std::optional<ResultJudgement> judgement;
  // Its part of the rounds with no more bids than units.
  struct Uncontested {
    double rounds = 0, gain = 0;
  };
  std::optional<Uncontested> uncontested;
  std::string final_action_name;  // where actions have names
};

// What a portfolio did, in money; gains are over its first strategy, today's decision, and above 0 where they are
// better.
struct ResultStrategy {
  std::string name, kind;
  bool shadow = false;  // scored, never played
  double money = 0, gain = 0;
  // Of those that are played: the chance to be drawn next, what the portfolio is behind it, and by how much at most.
  std::optional<double> weight, behind, certified;
  std::optional<ResultJudgement> judgement;  // not of today's decision
  Json final_action;                         // what it proposes next; null: no action, or it depends on more
  std::string final_action_name;             // where actions have names
  std::vector<double> share;                 // by point: its mean chance since the point before
};

struct ResultPortfolio {
  std::string player;                    // its name among the players
  double gain = 0, low = 0;              // in the mean over the draws, and the least that it ever was
  double drawn = 0;                      // money of what was drawn
  double drawn_gain = 0, drawn_low = 0;  // the same of it
  double risk = 0;                       // stated beforehand: the most that may be lost in the mean
  std::optional<double> largest;  // difference of a round that is known beforehand; none: twice what it is adds to risk
  std::optional<double> hard;     // the most that what is drawn may lose
  double certain = 0;             // gained at least, whatever was drawn in the mean
  std::optional<double> limit;    // with 95 %: what is drawn is behind today by at most this
  std::string best;               // the strategy that lost least
  double behind = 0, certified = 0;              // that one
  std::vector<ResultStrategy> strategies;        // today's decision first
  std::vector<double> certain_path, drawn_path;  // by point: gained at least, and by what was drawn
  // The one that is drawn next with the largest chance, of several the first. The one that is exported: likewise, of
  // those that have an action; size() where there is none.
  std::size_t leading() const;
  std::size_t handed_on() const;
};

struct ComparisonResult {
  double version = 1;
  std::vector<StatedDoubt> doubts;
  // The best fixed action, between what is proven and what was found.
  struct Best {
    bool proven = true;
    Interval loss, money;
  };
  Best best;
  std::string problem;
  Json params;
  std::uint64_t rounds = 0;
  std::string unit = "loss";  // "reward" where money is earned, else it is lost
  double normaliser = 1, cap = 1;
  std::string currency;  // empty: not known
  double seed = 0;
  std::string baseline;
  struct Blocks {
    double length = 0, count = 0, resamples = 0, level = 0;
  };
  Blocks blocks;                     // of the bootstrap
  Interval first_tenth, last_tenth;  // first and last round
  struct Points {
    std::vector<double> round;
    ResultSeries::Numbers best;     // L* up to them, where a learner tracks it
    std::vector<std::string> time;  // as logged; empty: not known
  };
  Points points;  // at which the paths of the players are kept
  std::vector<ResultPlayer> players;
  double rehearsed = 0;  // rounds before the first, learned from and not played
  std::optional<ResultPortfolio> portfolio;
  std::optional<double> most_fixed_gain;
  // The best fixed action of the first rounds, on the others.
  struct HeldOut {
    double from = 0, rounds = 0;
    Json action;
    bool proven = true;
    double money = 0, baseline = 0;
    ResultJudgement judgement;
  };
  std::optional<HeldOut> holdout;
  // A rival that errs less than the best rule of the class that is learned, as shares of rounds.
  struct WeakClass {
    std::string says, name;
    double best = 0;
    std::string rival;
    double errs = 0;
    Interval range;
  };
  std::optional<WeakClass> weak_class;
  std::string payment;  // "pay-as-bid" or "posted"; empty: the log was played
  struct TestedPrice {
    std::string good;
    double price = 0, offers = 0, sales = 0, mean = 0;
    bool today = false;
    std::optional<Interval> range;  // none: too few offers
  };
  struct PriceTest {
    std::string baseline;
    double offers = 0, judged = 0, level = 0.95;
    std::vector<TestedPrice> prices;
  };
  std::optional<PriceTest> price_test;
  // Facts of the data; the library leaves them empty and the caller adds them.
  struct Rows {
    double context_not_a_number = 0;
  };
  std::optional<Rows> rows;        // with --by
  std::vector<std::string> slots;  // names of bidders, items or columns
  Json data;                       // summary of the log; null: there is none
  double not_played = 0;           // rounds that only gave prices
  std::string prices_from;         // "all bids" where prices look ahead
  bool first_gave_prices = false;  // prices come from the rounds that are rehearsed
  struct Times {
    std::string first, last;
  };
  std::optional<Times> times;
  Json as_logged, hidden;  // of the summary; null: not known

  bool reward() const { return unit == "reward"; }
  const ResultPlayer* player(const std::string& name) const;  // null: there is none
  // Takes both from the summary of a log, where it has them.
  void take_money_facts(const Json& summary);
};

Json result_json(const ComparisonResult& result);
// Throws kMissingField, kWrongType and the like with the path of the field, and kMalformed where lists that belong
// together have different lengths.
ComparisonResult read_result(const Json& json);

// [{"doubt", "says"}].
Json doubts_json(const std::vector<StatedDoubt>& doubts);
// [lo, hi]; null where there is none.
inline Json pair_of(const std::optional<Interval>& range) {
  return range ? Json::array({Json(range->lo), Json(range->hi)}) : Json();
}

}  // namespace hannan::detail
