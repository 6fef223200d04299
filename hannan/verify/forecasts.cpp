// See forecasts.hpp. Numbers agree within 1e-9 of their size, and of what they are differences of.
#include "hannan/verify/forecasts.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "hannan/core/error.hpp"
#include "hannan/core/text.hpp"
#include "hannan/verify/forecast_replay.hpp"

namespace hannan::detail {
namespace {

constexpr double kAgree = 1e-9;

class ForecastRecord {
 public:
  ForecastRecord(LineSource lines, const std::string& name) : lines_(std::move(lines), name) {}

  VerifiedForecasts verify() {
    VerifiedForecasts found;
    bool more = lines_.next();
    while (more) {
      one(found);
      more = !lines_.last() && lines_.next();
    }
    return found;
  }

 private:
  [[noreturn]] void refuse(const std::string& field, const std::string& what) const {
    throw Error(Code::kRejected, "\"" + field + "\": " + what, lines_.place());
  }
  const Json& at(const Json& of, const char* name) const {
    const Json* found = of.find(name);
    if (!found) refuse(name, "found nothing, expected a value");
    return *found;
  }
  double number(const Json& of, const std::string& field) const {
    if (of.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!of.is_number()) refuse(field, "found " + describe(of) + ", expected a number");
    return of.as_number();
  }
  std::uint64_t count(const Json& of, const char* name) const {
    const double found = number(at(of, name), name);
    if (!(found >= 0 && found <= 0x1p52 && found == std::floor(found))) refuse(name, "found no count");
    return static_cast<std::uint64_t>(found);
  }
  std::vector<double> numbers(const Json& of, const char* name, std::size_t size) const {
    const Json& list = at(of, name);
    if (!list.is_array() || list.size() != size)
      refuse(name, "found " + describe(list) + ", expected " + std::to_string(size) + " numbers");
    std::vector<double> made;
    for (const Json& each : list.as_array()) made.push_back(number(each, name));
    return made;
  }
  std::vector<std::string> names(const Json& of, const char* name) const {
    std::vector<std::string> made;
    const Json& list = at(of, name);
    if (!list.is_array()) refuse(name, "found " + describe(list) + ", expected a list of names");
    for (const Json& each : list.as_array()) {
      if (!each.is_string()) refuse(name, "found " + describe(each) + ", expected a name");
      made.push_back(each.as_string());
    }
    return made;
  }
  // `size`: of what the number is a difference of.
  void same(const std::string& field, double recorded, double computed, double size = 0) const {
    if (std::isnan(recorded) && std::isnan(computed)) return;
    if (std::abs(recorded - computed) <= kAgree * std::max({std::abs(recorded), std::abs(computed), size})) return;
    refuse(field, "found " + number_text(recorded) + ", computed " + number_text(computed));
  }
  void same(const std::string& field, const std::vector<double>& recorded, const std::vector<double>& computed,
            double size = 0) const {
    if (recorded.size() != computed.size()) refuse(field, "found another count of numbers");
    for (std::size_t i = 0; i < recorded.size(); ++i) same(field, recorded[i], computed[i], size);
  }

  ReplaySetting header() const {
    const Json& of = at(lines_.json(), "forecasts");
    ReplaySetting made{.models = names(of, "models"),
                       .columns = names(of, "columns"),
                       .members = names(of, "members"),
                       .by = names(of, "by")};
    const Json& loss = at(of, "loss");
    static constexpr const char* kLosses[] = {"squared", "absolute", "percentage", "pinball", "brier", "log"};
    if (!loss.is_string() || std::ranges::find(kLosses, loss.as_string()) == std::end(kLosses))
      refuse("loss", "found " + describe(loss) + ", which cannot be computed again");
    made.loss = loss.as_string();
    made.level = number(at(of, "level"), "level");
    made.clip = number(at(of, "clip"), "clip");
    made.lag = count(of, "lag");
    made.patience = count(of, "patience");
    made.today = count(of, "today");
    if (const Json* told = lines_.json().find("told")) {
      if (*told != Json("lines")) refuse("told", "found " + describe(*told) + ", expected \"lines\"");
      made.told_by_lines = true;
    }
    const std::size_t width = made.models.size() + made.columns.size();
    if (made.models.empty() || made.members.empty()) refuse("models", "found none, expected some");
    if (made.today >= width || made.lag < 1 || made.patience < made.lag)
      refuse("forecasts", "found a lag, patience or column out of range");
    if (!(made.level > 0 && made.level < 1 && made.clip > 0 && made.clip < 0.5))
      refuse("level", "found a level or clip out of range");
    for (const std::string& member : made.members) {
      const bool known =
          member == "mean" || member == "median" || member == "single" || member == "mixture" || member == "today" ||
          std::ranges::find(made.models, member) != made.models.end() ||
          std::ranges::find(made.columns, member) != made.columns.end() ||
          (member.starts_with("mixture by ") && std::ranges::find(made.by, member.substr(11)) != made.by.end());
      if (!known || std::ranges::count(made.members, member) != 1) refuse("members", "found \"" + member + "\"");
    }
    return made;
  }

  void read_round(ReplayRound& round, const ReplaySetting& setting) const {
    const Json& line = lines_.json();
    round.time = count(line, "time");
    const Json& rows = at(line, "rows");
    if (!rows.is_array() || rows.size() == 0) refuse("rows", "found " + describe(rows) + ", expected rows");
    for (const Json& each : rows.as_array()) {
      ReplayRow row;
      row.x = numbers(each, "x", setting.models.size() + setting.columns.size());
      row.y = number(at(each, "y"), "y");
      if (const Json* weight = each.find("w")) row.weight = number(*weight, "w");
      if (!(row.weight > 0)) refuse("w", "found no weight above 0");
      if (const Json* never = each.find("never")) row.never = *never == Json(true);
      if (setting.told_by_lines && (row.never || !std::isnan(row.y)))
        refuse("y", "found an actual beside the forecast, expected a line of its own");
      if (row.never && !std::isnan(row.y)) refuse("never", "found an actual that never comes beside it");
      if (setting.loss == "log" || setting.loss == "brier") {
        if (!std::isnan(row.y) && row.y != 0 && row.y != 1) refuse("y", "found an actual other than 0 and 1");
        for (const double x : row.x) {
          if (x < 0 || x > 1) refuse("x", "found no probability");
        }
      }
      if (!setting.by.empty()) row.by = names(each, "by");
      if (row.by.size() != setting.by.size()) refuse("by", "found another count of values");
      round.rows.push_back(std::move(row));
    }
  }

  void come(ForecastReplay& replay) const {
    const Json& line = lines_.json();
    const double y = number(at(line, "y"), "y");
    const bool probability = replay.setting().loss == "log" || replay.setting().loss == "brier";
    if (probability && !std::isnan(y) && y != 0 && y != 1) refuse("y", "found an actual other than 0 and 1");
    if (!replay.come(count(line, "come"), count(line, "row"), y))
      refuse("come", "found the actual of a row that does not wait for one");
  }

  void check_round(const ReplayRound& round, std::uint64_t number_of_round, std::size_t gaps) const {
    const Json& line = lines_.json();
    if (count(line, "t") != number_of_round) refuse("t", "found another number than its place has");
    const std::size_t m = round.v.size();
    same("v", numbers(line, "v", m), round.v, 1e-3);
    same("Delta", numbers(line, "Delta", gaps), round.deltas);
    const std::vector<double> p = numbers(line, "p", round.rows.size());
    const Json& c = at(line, "c");
    if (!c.is_array() || c.size() != round.rows.size()) refuse("c", "found another count of rows");
    for (std::size_t i = 0; i < round.rows.size(); ++i) {
      const ReplayRow& row = round.rows[i];
      const double nothing = std::numeric_limits<double>::quiet_NaN();
      same("p", p[i], row.empty ? nothing : row.p, row.reach);
      if (!c[i].is_array() || c[i].size() != m) refuse("c", "found another count of members");
      for (std::size_t j = 0; j < m; ++j) same("c", number(c[i][j], "c"), row.empty ? nothing : row.c[j], row.reach);
    }
  }

  void check_hedge(const Json& of, const ReplayHedge& hedge, const std::string& name) const {
    same(name + ".R", numbers(of, "R", hedge.settled.size()), hedge.settled, hedge.size);
    same(name + ".Delta", number(at(of, "Delta"), "Delta"), hedge.delta);
  }

  // measured, proven, closed of one of the two statements about models.
  void check_limits(const Json& end, const ForecastReplay& replay, const std::string& hedge, const char* field) const {
    const auto& setting = replay.setting();
    const auto j = static_cast<std::size_t>(std::ranges::find(setting.members, hedge) - setting.members.begin());
    const ReplayHedge &of = replay.hedges().at(hedge), &top = replay.hedges().at("top");
    const double measured = replay.total - replay.member_totals[j] + *std::ranges::max_element(of.settled);
    const double proven = 2 * top.delta + 2 * of.delta, closed = replay.closed("top") + replay.closed(hedge);
    const double size = std::max(replay.total, closed);
    same(field, numbers(end, field, 3), {measured, proven, closed}, 1e-3 * size);
    const double slack = kAgree * size + 1e-11 * (top.unit + of.unit) * static_cast<double>(replay.counted + 1);
    if (measured > proven + slack || proven > closed + slack)
      refuse(field, "found a certificate that is not in order: measured <= proven <= closed");
  }

  void check_hindsight(const Json& end, const ForecastReplay& replay, VerifiedForecasts& found) const {
    const Json& hindsight = at(end, "hindsight");
    const auto& setting = replay.setting();
    const std::size_t K = setting.models.size();
    const std::vector<double> u = numbers(hindsight, "u", K);
    double sum = 0;
    for (const double one_weight : u) {
      if (!(one_weight >= 0)) refuse("u", "found a weight below 0");
      sum += one_weight;
    }
    if (std::abs(sum - 1) > kAgree) refuse("u", "found weights that do not sum to 1");
    const auto at_member = std::ranges::find(setting.members, "mixture");
    const auto j =
        at_member == setting.members.end() ? 0 : static_cast<std::size_t>(at_member - setting.members.begin());
    const Json* dual = hindsight.find("dual");
    double value = 0, base = 0, size = 0;
    std::vector<double> pulls(K, 0.0);
    std::size_t n = 0;
    for (const ReplayRound* round : replay.rounds()) {
      for (const ReplayRow& row : round->rows) {
        if (row.empty || std::isnan(row.y) || !replay.counts(row.y)) continue;
        double mixed = 0;
        const auto filled = [&](std::size_t k) { return std::isnan(row.x[k]) ? row.c[j] : row.x[k]; };
        for (std::size_t k = 0; k < K; ++k) mixed += u[k] * filled(k);
        value += row.weight * replay.value(mixed, row.y);
        double g = 0;
        if (dual) {
          if (!dual->is_array() || n >= dual->size()) refuse("dual", "found fewer slopes than rows");
          const auto [low, high] = replay.box(row.y);
          g = number((*dual)[n], "dual");
          const double reach = kAgree * row.weight * (high - low);
          if (!(g >= row.weight * low - reach && g <= row.weight * high + reach))
            refuse("dual", "found a slope outside its box");
        } else {
          g = row.weight * replay.slope(mixed, row.y);
          base += row.weight * replay.value(mixed, row.y) - g * (mixed - row.y);
        }
        for (std::size_t k = 0; k < K; ++k) {
          pulls[k] += g * (filled(k) - row.y);
          size += std::abs(g * (filled(k) - row.y));
        }
        ++n;
      }
    }
    if (dual && dual->size() != n) refuse("dual", "found more slopes than rows");
    same("value", number(at(hindsight, "value"), "value"), value);
    found.value += value;
    const Json& floor = at(hindsight, "floor");
    if (floor.is_null()) return;
    const double computed = base + *std::ranges::min_element(pulls), recorded = number(floor, "floor");
    // A search may have seen a better floor than that of its last point; a higher one than can be computed is refused,
    // and so is one that is lower.
    same("floor", recorded, std::min(computed, value), 1e-3 * size);
    if (recorded > value + kAgree * std::max(std::abs(value), 1e-3 * size))
      refuse("floor", "found a floor above the value");
    found.floor += recorded;
  }

  void one(VerifiedForecasts& found) {
    ForecastReplay replay(header());
    const ReplaySetting& setting = replay.setting();
    std::deque<ReplayRound> rounds;
    std::uint64_t last_time = 0;
    for (;;) {
      if (lines_.last() || !lines_.next()) refuse("end", "found no end, expected one behind the rounds");
      if (lines_.json().find("end")) break;
      if (setting.told_by_lines && lines_.json().find("come")) {
        come(replay);
        continue;
      }
      rounds.emplace_back();
      read_round(rounds.back(), setting);
      if (rounds.size() > 1 && rounds.back().time <= last_time) refuse("time", "found a time that does not increase");
      last_time = rounds.back().time;
      replay.forecast(rounds.back());
      check_round(rounds.back(), rounds.size(), replay.rounds().back()->deltas.size());
    }
    replay.finish();
    const Json& end = at(lines_.json(), "end");
    if (count(end, "rounds") != rounds.size()) refuse("rounds", "found another count of rounds");
    if (count(end, "rows") != replay.counted) refuse("rows", "found another count of rows");
    if (names(end, "models") != setting.models) refuse("models", "found other names than in the header");
    same("total", number(at(end, "total"), "total"), replay.total);
    same("members", numbers(end, "members", setting.members.size()), replay.member_totals);
    const Json& segments = at(end, "segments");
    std::size_t known = 0;
    for (const auto& [name, hedge] : replay.hedges()) {
      if (!name.starts_with("by ")) {
        check_hedge(at(end, name.c_str()), hedge, name);
        continue;
      }
      ++known;
      bool seen = false;
      for (const Json& each : segments.as_array()) {
        if ("by " + std::to_string(count(each, "column")) + " " + at(each, "value").as_string() != name) continue;
        check_hedge(each, hedge, name);
        seen = true;
      }
      if (!seen) refuse("segments", "found none of \"" + name.substr(3) + "\"");
    }
    if (segments.size() != known) refuse("segments", "found another count of segments");
    if (replay.hedges().contains("mixture")) check_limits(end, replay, "mixture", "convex");
    if (replay.hedges().contains("single")) check_limits(end, replay, "single", "single_limits");
    if (replay.counted > 0) check_hindsight(end, replay, found);
    ++found.combiners;
    found.rounds += rounds.size();
    found.rows += replay.counted;
    found.total += replay.total;
  }

  RecordLines lines_;
};

}  // namespace

bool is_forecast_record(const std::string& line) {
  try {
    const Json json = parse_json(line);
    return json.find("record") && json.find("forecasts");
  } catch (const Error&) {
    return false;
  }
}

VerifiedForecasts verify_forecasts(LineSource lines, const std::string& name) {
  return ForecastRecord(std::move(lines), name).verify();
}

}  // namespace hannan::detail
