// See forecast_replay.hpp; formulas as in docs/theory-forecasts.md.
#include "hannan/verify/forecast_replay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hannan::detail {
namespace {

constexpr double kReplayRounding = 1e-12;

double most_of(const std::vector<double>& of) { return *std::ranges::max_element(of); }

// Phi_e(R) = max R + (1/e) ln(mean exp(e (R - max R))).
double potential(const std::vector<double>& R, double e) {
  const double most = most_of(R);
  if (std::isinf(e) || e == 0) return most;
  double sum = 0;
  for (const double one : R) sum += std::exp(e * (one - most));
  return most + std::log(sum / static_cast<double>(R.size())) / e;
}

}  // namespace

ForecastReplay::ForecastReplay(ReplaySetting setting)
    : member_totals(setting.members.size(), 0.0), setting_(std::move(setting)) {
  hedge("top", setting_.members.size());
  for (const std::string& member : setting_.members) {
    if (member == "single" || member == "mixture") hedge(member, setting_.models.size());
  }
}

ReplayHedge& ForecastReplay::hedge(const std::string& name, std::size_t size) {
  const auto [at, fresh] = hedges_.try_emplace(name);
  if (fresh) at->second.arrived = at->second.settled = std::vector<double>(size, 0.0);
  return at->second;
}

double ForecastReplay::rate(const ReplayHedge& of) const {
  return of.delta > 0 ? std::log(static_cast<double>(of.settled.size())) / of.delta
                      : std::numeric_limits<double>::infinity();
}

double ForecastReplay::value(double p, double y) const {
  const std::string& loss = setting_.loss;
  const double off = p - y;
  if (loss == "squared" || loss == "brier") return off * off;
  if (loss == "absolute") return std::abs(off);
  if (loss == "percentage") return std::abs(off) / std::abs(y);
  if (loss == "pinball") return off > 0 ? (1 - setting_.level) * off : -setting_.level * off;
  return -std::log(y > 0.5 ? p : 1 - p);
}

double ForecastReplay::slope(double p, double y) const {
  const std::string& loss = setting_.loss;
  const double off = p - y, sign = off > 0 ? 1 : off < 0 ? -1 : 0;
  if (loss == "squared" || loss == "brier") return 2 * off;
  if (loss == "absolute") return sign;
  if (loss == "percentage") return sign / std::abs(y);
  if (loss == "pinball") return off > 0 ? 1 - setting_.level : off < 0 ? -setting_.level : 0;
  return y > 0.5 ? -1 / p : 1 / (1 - p);
}

ForecastReplay::Box ForecastReplay::box(double y) const {
  if (setting_.loss == "pinball") return {-setting_.level, 1 - setting_.level};
  const double side = setting_.loss == "percentage" ? 1 / std::abs(y) : 1;
  return {-side, side};
}

// Over the models that delivered; x empty: all.
std::vector<double> ForecastReplay::weights(const ReplayHedge& of, const std::vector<double>& x) const {
  const auto there = [&](std::size_t k) { return x.empty() || !std::isnan(x[k]); };
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t k = 0; k < of.arrived.size(); ++k) most = there(k) ? std::max(most, of.arrived[k]) : most;
  const double e = rate(of);
  std::vector<double> made(of.arrived.size(), 0.0);
  for (std::size_t k = 0; k < made.size(); ++k) {
    if (!there(k)) continue;
    made[k] = std::isinf(e) ? (of.arrived[k] >= most - kReplayRounding * of.unit ? 1.0 : 0.0)
                            : std::exp(e * (of.arrived[k] - most));
    sum += made[k];
  }
  for (double& one : made) one /= sum;
  return made;
}

std::string ForecastReplay::hedge_of(std::size_t member, const ReplayRow& row) const {
  const std::string& name = setting_.members[member];
  if (name == "single" || name == "mixture") return name;
  if (!name.starts_with("mixture by ")) return {};
  const auto at = std::ranges::find(setting_.by, name.substr(11)) - setting_.by.begin();
  return "by " + std::to_string(at) + " " + row.by[static_cast<std::size_t>(at)];
}

void ForecastReplay::forecast(ReplayRound& round) {
  const std::size_t n = rounds_.size(), K = setting_.models.size(), m = setting_.members.size();
  for (; !setting_.told_by_lines && next_told_ < n && rounds_[next_told_]->time + setting_.lag <= round.time;
       ++next_told_)
    tell(*rounds_[next_told_]);
  round.told = setting_.told_by_lines;  // what has come of it counts, whatever is missing
  while (first_open_ < n && first_open_ + setting_.patience < n) {
    close(*rounds_[first_open_]);
    settle();
  }
  const auto open_turn = [&](const std::string& name, std::size_t size) {
    if (round.turns.contains(name)) return;
    ReplayedTurn turn{.rate = rate(hedge(name, size)), .r = std::vector<double>(size, 0.0)};
    for (std::size_t u = first_open_; u < n; ++u) {
      const auto theirs = rounds_[u]->turns.find(name);
      if (rounds_[u]->arrived && theirs != rounds_[u]->turns.end()) turn.before += theirs->second.range;
    }
    round.turns.emplace(name, std::move(turn));
  };
  open_turn("top", m);
  for (const char* name : {"single", "mixture"}) {
    if (hedges_.contains(name)) open_turn(name, K);
  }
  round.v = weights(hedges_.at("top"), {});
  for (const char* name : {"top", "single", "mixture"}) {
    if (hedges_.contains(name)) round.deltas.push_back(hedges_.at(name).delta);
  }
  for (ReplayRow& row : round.rows) {
    std::vector<double> said;
    for (std::size_t k = 0; k < row.x.size(); ++k) {
      if (setting_.loss == "log" && !std::isnan(row.x[k]))
        row.x[k] = std::clamp(row.x[k], setting_.clip, 1 - setting_.clip);
      if (k < K && !std::isnan(row.x[k])) said.push_back(row.x[k]);
      // Further columns count where they are members.
      const bool member =
          k < K || std::ranges::find(setting_.members, setting_.columns[k - K]) != setting_.members.end() ||
          (k == setting_.today && std::ranges::find(setting_.members, "today") != setting_.members.end());
      if (member && !std::isnan(row.x[k])) row.reach = std::max(row.reach, std::abs(row.x[k]));
    }
    row.empty = said.empty();
    if (row.empty) continue;
    std::vector<double> models(row.x.begin(), row.x.begin() + static_cast<std::ptrdiff_t>(K));
    double mean = 0;
    for (const double x : said) mean += x / static_cast<double>(said.size());
    std::ranges::sort(said);
    for (std::size_t j = 0; j < m; ++j) {
      const std::string& name = setting_.members[j];
      double c = mean;
      if (const std::string of = hedge_of(j, row); !of.empty()) {
        open_turn(of, K);
        const std::vector<double> q = weights(hedges_.at(of), models);
        c = 0;
        for (std::size_t k = 0; k < K; ++k) c += q[k] > 0 ? q[k] * row.x[k] : 0;
        row.q[of] = q;
      } else if (name == "median") {
        const std::size_t half = said.size() / 2;
        c = said.size() % 2 ? said[half] : (said[half - 1] + said[half]) / 2;
      } else if (name != "mean") {
        const auto model = std::ranges::find(setting_.models, name), column = std::ranges::find(setting_.columns, name);
        const std::size_t at = name == "today" ? setting_.today
                               : model != setting_.models.end()
                                   ? static_cast<std::size_t>(model - setting_.models.begin())
                                   : K + static_cast<std::size_t>(column - setting_.columns.begin());
        if (!std::isnan(row.x[at])) c = row.x[at];
      }
      row.c.push_back(c);
      row.p += round.v[j] * c;
    }
  }
  round.place = n;
  rounds_.push_back(&round);
  if (std::ranges::all_of(round.rows, &ReplayRow::empty)) {
    arrive(round);
    settle();
  }
}

bool ForecastReplay::come(std::uint64_t number, std::size_t at, double y) {
  if (number == 0 || number > rounds_.size()) return false;
  ReplayRound& round = *rounds_[number - 1];
  if (round.arrived || at >= round.rows.size()) return false;
  ReplayRow& row = round.rows[at];
  if (row.empty || row.never || !std::isnan(row.y)) return false;
  row.y = y;
  row.never = std::isnan(y);
  tell(round);
  return true;
}

// All that is known of a round; it arrives when nothing is missing.
void ForecastReplay::tell(ReplayRound& round) {
  round.told = true;
  if (round.arrived) return;
  const bool whole = std::ranges::all_of(
      round.rows, [](const ReplayRow& row) { return row.empty || row.never || !std::isnan(row.y); });
  if (!whole) return;
  arrive(round);
  settle();
}

void ForecastReplay::close(ReplayRound& round) {
  // What the table has of it was told before, or comes too late: a row that was not told does not count.
  if (!round.told) {
    for (ReplayRow& row : round.rows) row.y = std::numeric_limits<double>::quiet_NaN();
  }
  if (!round.arrived) arrive(round);
}

void ForecastReplay::add_row(ReplayRound& round, const ReplayRow& row) {
  const std::size_t K = setting_.models.size();
  const bool least = setting_.loss != "log";
  const auto pull = [&](double at) {
    return least && std::abs(at - row.y) <= kReplayRounding * row.reach ? 0.0 : row.weight * slope(at, row.y);
  };
  ReplayedTurn& top = round.turns.at("top");
  const double g = pull(row.p);
  top.level += std::abs(g) * row.reach;
  round.loss += row.weight * value(row.p, row.y);
  for (std::size_t j = 0; j < row.c.size(); ++j) {
    top.r[j] += g * (row.p - row.c[j]);
    round.member_loss[j] += row.weight * value(row.c[j], row.y);
    const std::string of = hedge_of(j, row);
    if (of.empty()) continue;
    ReplayedTurn& turn = round.turns.at(of);
    if (of == "single") {
      double mean = 0, largest = 0;
      for (std::size_t k = 0; k < K; ++k) {
        if (std::isnan(row.x[k])) continue;
        mean += row.q.at(of)[k] * value(row.x[k], row.y);
        largest = std::max(largest, std::abs(value(row.x[k], row.y)));
      }
      turn.level += row.weight * largest;
      for (std::size_t k = 0; k < K; ++k)
        turn.r[k] += std::isnan(row.x[k]) ? 0 : row.weight * (mean - value(row.x[k], row.y));
      continue;
    }
    const double mine = pull(row.c[j]);
    turn.level += std::abs(mine) * row.reach;
    for (std::size_t k = 0; k < K; ++k) turn.r[k] += std::isnan(row.x[k]) ? 0 : mine * (row.c[j] - row.x[k]);
  }
}

void ForecastReplay::arrive(ReplayRound& round) {
  round.member_loss.assign(setting_.members.size(), 0.0);
  for (const ReplayRow& row : round.rows) {
    if (row.empty || std::isnan(row.y) || !counts(row.y)) continue;
    add_row(round, row);
    ++counted;
  }
  const std::size_t at = round.place;
  for (auto& [name, turn] : round.turns) {
    turn.range = most_of(turn.r) - *std::ranges::min_element(turn.r);
    if (turn.range <= kReplayRounding * turn.level) {
      std::ranges::fill(turn.r, 0.0);
      turn.range = 0;
    }
    ReplayHedge& of = hedges_.at(name);
    of.unit = std::max(of.unit, turn.level);
    for (std::size_t k = 0; k < turn.r.size(); ++k) of.arrived[k] += turn.r[k];
    for (std::size_t later = at + 1; later < rounds_.size(); ++later) {
      const auto theirs = rounds_[later]->turns.find(name);
      if (theirs != rounds_[later]->turns.end()) theirs->second.before += turn.range;
    }
  }
  round.arrived = true;
  delay = std::max<std::uint64_t>(delay, rounds_.size() - 1 - at);
}

void ForecastReplay::settle() {
  for (; first_open_ < rounds_.size() && rounds_[first_open_]->arrived; ++first_open_) {
    const ReplayRound& round = *rounds_[first_open_];
    for (const auto& [name, turn] : round.turns) {
      ReplayHedge& of = hedges_.at(name);
      const double before = potential(of.settled, turn.rate);
      for (std::size_t k = 0; k < turn.r.size(); ++k) of.settled[k] += turn.r[k];
      of.delta += std::max(0.0, potential(of.settled, turn.rate) - before);
      of.size = std::max(of.size, turn.range);
      of.squares += turn.range * (turn.range + 2 * turn.before);
    }
    total += round.loss;
    for (std::size_t j = 0; j < member_totals.size(); ++j) member_totals[j] += round.member_loss[j];
  }
}

void ForecastReplay::finish() {
  for (; !setting_.told_by_lines && next_told_ < rounds_.size(); ++next_told_) tell(*rounds_[next_told_]);
  while (first_open_ < rounds_.size()) {
    close(*rounds_[first_open_]);
    settle();
  }
}

double ForecastReplay::closed(const std::string& name) const {
  const ReplayHedge& of = hedges_.at(name);
  return std::sqrt(std::log(static_cast<double>(of.settled.size())) * of.squares) +
         2 * (2 * static_cast<double>(delay) + 1) * of.size;
}

}  // namespace hannan::detail
