// A result of a comparison to JSON and back. The fields of each part stand once, in the order of the file, in its
// list_fields(): Writer walks the list and makes JSON, Reader walks the same list and fills the value from JSON.
//
//   need(name, value)   always written, and missing is an error
//   maybe(name, value)  left out where it is empty (none, null, 0, no text, no elements)
#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include "hannan/compare/portfolio_fields.hpp"
#include "hannan/compare/result.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

template <class Way>
void list_fields(Way& way, Like<StatedDoubt> auto& of) {
  way.need("doubt", of.kind);
  way.need("says", of.says);
}

template <class Way>
void list_fields(Way& way, Like<ResultJudgement::Path> auto& of) {
  way.need("round", of.round);
  way.need("range", of.range);
  way.need("blocks", of.blocks);
}

template <class Way>
void list_fields(Way& way, Like<ResultJudgement::Shares> auto& of) {
  way.need("gain", of.gain);
  way.need("range", of.range);
  way.need("anytime", of.anytime);
  way.need("blocks", of.blocks);
}

template <class Way>
void list_fields(Way& way, Like<ResultJudgement> auto& of) {
  way.need("recommendation", of.recommendation);
  way.need("says", of.says);
  way.need("reason", of.reason);
  way.need("doubts", of.doubts);
  way.need("gain", of.gain);
  way.need("range", of.range);
  way.need("anytime", of.anytime);
  way.need("blocks", of.blocks);
  way.maybe("path", of.path);
  way.maybe("most_gain", of.most_gain);
  way.maybe("most_blocks", of.most_blocks);
  way.maybe("shares", of.shares);
}

template <class Way>
void list_fields(Way& way, Like<ResultSeries> auto& of) {
  way.need("loss", of.loss);
  way.need("money", of.money);
  way.need("regret", of.regret);
  way.maybe("bound", of.bound);
  way.maybe("rate", of.rate);
  way.maybe("regime", of.regime);
  way.maybe("calls", of.calls);
  way.maybe("depths", of.depths);
  way.maybe("action", of.action);
}

template <class Way>
void list_fields(Way& way, Like<ResultSegments> auto& of) {
  way.need("says", of.says);
  way.need("gain", of.gain);
  way.need("interval", of.interval);
  way.need("over", of.over);
  way.need("by", of.by);
  way.need("depths", of.depths);
}

template <class Way>
void list_fields(Way& way, Like<ResultPlayer::Uncontested> auto& of) {
  way.need("rounds", of.rounds);
  way.need("gain", of.gain);
}

template <class Way>
void list_fields(Way& way, Like<ResultPlayer> auto& of) {
  way.need("name", of.name);
  way.need("about", of.about);
  way.need("role", of.role);
  way.need("loss", of.loss);
  way.need("money", of.money);
  way.need("money_interval", of.money_interval);
  way.need("over_baseline", of.over_baseline);
  way.need("over_baseline_interval", of.over_baseline_interval);
  way.need("first_tenth_a_round", of.first_tenth);
  way.need("last_tenth_a_round", of.last_tenth);
  way.need("regret", of.regret);
  way.need("regret_range", of.regret_range);
  way.need("bound", of.bound);
  way.need("calls", of.calls);
  way.need("final_action", of.final_action);
  way.maybe("bound_of", of.bound_of);
  way.maybe("against", of.against);
  way.maybe("segments", of.segments);
  way.maybe("report", of.report);
  way.need("series", of.series);
  way.maybe("good", of.good);
  way.maybe("price", of.price);
  way.maybe("judgement", of.judgement);
  way.maybe("uncontested", of.uncontested);
  way.maybe("final_action_name", of.final_action_name);
}

template <class Way>
void list_fields(Way& way, Like<ComparisonResult::Best> auto& of) {
  way.need("proven", of.proven);
  way.need("loss", of.loss);
  way.need("money", of.money);
}

template <class Way>
void list_fields(Way& way, Like<ComparisonResult::Blocks> auto& of) {
  way.need("length", of.length);
  way.need("count", of.count);
  way.need("resamples", of.resamples);
  way.need("level", of.level);
}

template <class Way>
void list_fields(Way& way, Like<ComparisonResult::Points> auto& of) {
  way.need("round", of.round);
  way.need("best", of.best);
  way.maybe("time", of.time);
}

template <class Way>
void list_fields(Way& way, Like<ComparisonResult::HeldOut> auto& of) {
  way.need("from", of.from);
  way.need("rounds", of.rounds);
  way.need("action", of.action);
  way.need("proven", of.proven);
  way.need("money", of.money);
  way.need("baseline", of.baseline);
  way.need("judgement", of.judgement);
}

template <class Way>
void list_fields(Way& way, Like<ComparisonResult::WeakClass> auto& of) {
  way.need("says", of.says);
  way.need("class", of.name);
  way.need("best", of.best);
  way.need("rival", of.rival);
  way.need("errs", of.errs);
  way.need("range", of.range);
}

template <class Way>
void list_fields(Way& way, Like<ComparisonResult::TestedPrice> auto& of) {
  way.need("good", of.good);
  way.need("price", of.price);
  way.need("offers", of.offers);
  way.need("sales", of.sales);
  way.need("mean", of.mean);
  way.maybe("today", of.today);
  way.maybe("range", of.range);
}

template <class Way>
void list_fields(Way& way, Like<ComparisonResult::PriceTest> auto& of) {
  way.need("baseline", of.baseline);
  way.need("offers", of.offers);
  way.need("judged", of.judged);
  way.need("level", of.level);
  way.need("prices", of.prices);
}

template <class Way>
void list_fields(Way& way, Like<ComparisonResult::Rows> auto& of) {
  way.need("context_not_a_number", of.context_not_a_number);
}

template <class Way>
void list_fields(Way& way, Like<ComparisonResult::Times> auto& of) {
  way.need("first", of.first);
  way.need("last", of.last);
}

template <class Way>
void list_fields(Way& way, Like<ComparisonResult> auto& of) {
  way.need("version", of.version);
  way.need("doubts", of.doubts);
  way.need("best", of.best);
  way.need("problem", of.problem);
  way.need("params", of.params);
  way.need("rounds", of.rounds);
  way.need("unit", of.unit);
  way.need("normaliser", of.normaliser);
  way.need("cap", of.cap);
  way.need("currency", of.currency);
  way.need("seed", of.seed);
  way.need("baseline", of.baseline);
  way.need("blocks", of.blocks);
  way.need("first_tenth", of.first_tenth);
  way.need("last_tenth", of.last_tenth);
  way.need("series", of.points);
  way.need("players", of.players);
  way.maybe("rehearsed", of.rehearsed);
  way.maybe("portfolio", of.portfolio);
  way.maybe("most_fixed_gain", of.most_fixed_gain);
  way.maybe("holdout", of.holdout);
  way.maybe("weak_class", of.weak_class);
  way.maybe("payment", of.payment);
  way.maybe("price_test", of.price_test);
  way.maybe("rows", of.rows);
  way.need("slots", of.slots);
  way.need("data", of.data);
  way.maybe("not_played", of.not_played);
  way.maybe("prices_from", of.prices_from);
  way.maybe("first_gave_prices", of.first_gave_prices);
  way.maybe("times", of.times);
  way.maybe("as_logged", of.as_logged);
  way.maybe("hidden", of.hidden);
}

class Writer {
 public:
  template <class T>
  void need(const char* name, const T& value) {
    json_.append(name, of(value));
  }
  template <class T>
  void maybe(const char* name, const T& value) {
    if (!is_empty(value)) need(name, value);
  }

  static Json of(const Interval& range) { return Json::array({Json(range.lo), Json(range.hi)}); }
  template <class T>
  static Json of(const std::optional<T>& value) {
    return value ? of(*value) : Json();
  }
  template <class T>
  static Json of(const std::vector<T>& list) {
    Json json = Json::array();
    for (const T& item : list) json.push_back(of(item));
    return json;
  }
  template <class T>
  static Json of(const T& value) {
    if constexpr (std::convertible_to<const T&, Json>) {
      return Json(value);
    } else {
      Writer writer;
      list_fields(writer, value);
      return std::move(writer.json_);
    }
  }

 private:
  template <class T>
  static bool is_empty(const T& value) {
    if constexpr (requires { value.has_value(); }) {
      return !value.has_value();
    } else if constexpr (std::same_as<T, Json>) {
      return value.is_null();
    } else if constexpr (std::is_arithmetic_v<T>) {
      return value == T{};
    } else {
      return value.empty();
    }
  }

  Json json_ = Json::object();
};

class Reader {
 public:
  template <class T>
  void need(const char* name, T& value) {
    read(in_.need(name), in_.at(name), value);
  }
  template <class T>
  void maybe(const char* name, T& value) {
    if (in_.has(name)) need(name, value);
  }

  static void read(const Json& json, const std::string& at, bool& value) { value = to_flag(json, at); }
  static void read(const Json& json, const std::string& at, double& value) { value = to_number(json, at); }
  // A bound may be infinite.
  static void read(const Json& json, const std::string& at, std::optional<double>& value) {
    value = json.is_null() ? std::nullopt : std::optional(to_number(json, at, kExtended));
  }
  static void read(const Json& json, const std::string& at, std::uint64_t& value) {
    value = static_cast<std::uint64_t>(to_integer(json, at, kNatural));
  }
  static void read(const Json& json, const std::string& at, std::string& value) { value = to_word(json, at); }
  static void read(const Json& json, const std::string&, Json& value) { value = json; }
  static void read(const Json& json, const std::string& at, Interval& value) {
    const std::vector<double> pair = to_numbers(json, at, kExtended);
    if (pair.size() != 2)
      throw Error(Code::kMalformed, "found " + std::to_string(pair.size()) + " numbers, expected two", at);
    value = {pair[0], pair[1]};
  }
  template <class T>
  static void read(const Json& json, const std::string& at, std::optional<T>& value) {
    T found{};
    if (!json.is_null()) read(json, at, found);
    value = json.is_null() ? std::nullopt : std::optional<T>(std::move(found));
  }
  template <class T>
  static void read(const Json& json, const std::string& at, std::vector<T>& list) {
    list.clear();
    for (const Json& item : to_list(json, at)) {
      // Lists of plain numbers are long: the path of an item is made where it is needed, and before the list grows.
      const bool plain = std::same_as<T, double> && item.is_number();
      const std::string item_at = plain ? at : path_of(at, list.size());
      read(item, item_at, list.emplace_back());
    }
  }
  // A series, not a list of optional numbers: what is no finite number is a gap in the line.
  static void read(const Json& json, const std::string& at, ResultSeries::Numbers& list) {
    list.clear();
    for (const Json& item : to_list(json, at)) {
      const bool known = item.is_number() && std::isfinite(item.as_number());
      list.push_back(known ? std::optional(item.as_number()) : std::nullopt);
    }
  }
  template <class T>
    requires std::is_class_v<T>
  static void read(const Json& json, const std::string& at, T& value) {
    Reader reader(json, at);
    list_fields(reader, value);
  }

 private:
  Reader(const Json& json, const std::string& at) : in_(json, at) {}
  Fields in_;
};

// Lists of a player have one value a point, or none at all.
void check_lengths(const ResultPlayer& player, std::size_t points, const std::string& at) {
  const ResultSeries& of = player.series;
  for (const auto& [name, found] :
       {std::pair{"loss", of.loss.size()}, std::pair{"money", of.money.size()}, std::pair{"regret", of.regret.size()},
        std::pair{"bound", of.bound.size()}, std::pair{"rate", of.rate.size()}, std::pair{"regime", of.regime.size()},
        std::pair{"calls", of.calls.size()}, std::pair{"depths", of.depths.size()},
        std::pair{"action", of.action.size()}}) {
    if (found != 0 && found != points)
      throw Error(Code::kMalformed, "found " + std::to_string(found) + " points, expected " + std::to_string(points),
                  path_of(at + ".series", name));
  }
  if (!player.judgement || !player.judgement->path) return;
  const ResultJudgement::Path& path = *player.judgement->path;
  if (path.range.size() != path.round.size() || path.blocks.size() != path.round.size())
    throw Error(Code::kMalformed, "found lists of different lengths, expected one range for each round",
                at + ".judgement.path");
}

void check_lengths(const ResultPortfolio& of, std::size_t points) {  // one value a point
  const auto check = [&](std::size_t found, const std::string& at) {
    if (found == points) return;
    throw Error(Code::kMalformed, "found " + std::to_string(found) + " points, expected " + std::to_string(points),
                "portfolio." + at);
  };
  check(of.certain_path.size(), "certain_path");
  check(of.drawn_path.size(), "drawn_path");
  if (of.strategies.empty() || !of.strategies.front().weight)
    throw Error(Code::kMalformed, "found no strategy that is played, expected today's decision at least",
                "portfolio.strategies");
  for (std::size_t k = 0; k < of.strategies.size(); ++k) {
    if (of.strategies[k].weight) check(of.strategies[k].share.size(), path_of("strategies", k) + ".share");
  }
}

}  // namespace

const ResultPlayer* ComparisonResult::player(const std::string& name) const {
  for (const ResultPlayer& one : players) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

void ComparisonResult::take_money_facts(const Json& summary) {
  if (const Json* found = summary.find("as_logged")) as_logged = *found;
  if (const Json* found = summary.find("hidden")) hidden = *found;
}

Json doubts_json(const std::vector<StatedDoubt>& doubts) { return Writer::of(doubts); }
Json result_json(const ComparisonResult& result) { return Writer::of(result); }

ComparisonResult read_result(const Json& json) {
  ComparisonResult result;
  Reader::read(json, "", result);
  for (std::size_t i = 0; i < result.players.size(); ++i)
    check_lengths(result.players[i], result.points.round.size(), path_of("players", i));
  if (result.portfolio) check_lengths(*result.portfolio, result.points.round.size());
  return result;
}

}  // namespace hannan::detail
