// Rounds in order of time, told by their lags (run.hpp). Streams (horizon, level) share nothing, so they are played one
// after the other.
#include "hannan/forecasts/run.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "hannan/core/error.hpp"
#include "hannan/forecasts/quantiles.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kKeptRounds = 400;  // of weights that a page shows
constexpr std::uint64_t kEarlierRound = static_cast<std::uint64_t>(-1);

}  // namespace

std::string key_of(const ForecastTable& table, std::size_t row) {
  std::string key;
  for (std::size_t c = 0; c < table.key_names.size(); ++c) key += table.keys[row * table.key_names.size() + c] + '\n';
  return key;
}

CombinerPlan plan_of(const ForecastTable& table, const ForecastTerms& terms) {
  CombinerPlan plan{.models = table.models, .columns = table.columns, .by = table.by, .loss = terms.loss};
  plan.patience = terms.patience ? terms.patience : std::max<std::uint64_t>(kDefaultPatience, terms.lag);
  for (const std::uint64_t h : table.horizon) {
    if (!terms.patience) plan.patience = std::max(plan.patience, h);
  }
  if (terms.lag < 1 || plan.patience < terms.lag)
    throw Error(Code::kOutOfRange,
                "found a lag of " + std::to_string(terms.lag) + " and a patience of " + std::to_string(plan.patience) +
                    " rounds, expected 1 <= lag <= patience",
                "--patience");
  std::vector<std::string> members = terms.members.empty() ? default_members() : terms.members;
  if (!terms.today.empty()) members.push_back("today:" + terms.today);
  set_members(plan, members, "--members");
  return plan;
}

ForecastRun::ForecastRun(const ForecastTable& table, const ForecastTerms& terms) : table_(table), terms_(terms) {
  make_streams();
}

ForecastStream ForecastRun::make_stream(std::uint64_t horizon, std::size_t level) const {
  CombinerPlan plan = plan_of(table_, terms_);
  if (!table_.levels.empty()) {
    plan.loss = {.kind = ForecastLoss::Kind::kPinball, .level = table_.levels[level]};
  }
  ForecastStream made;
  made.horizon = horizon;
  made.level = level;
  made.combiner = std::make_unique<Combiner>(std::move(plan));
  return made;
}

void ForecastRun::make_streams() {
  const std::set<std::uint64_t> horizons = table_.horizon.empty()
                                               ? std::set<std::uint64_t>{0}
                                               : std::set<std::uint64_t>(table_.horizon.begin(), table_.horizon.end());
  for (const std::uint64_t horizon : horizons) {
    for (std::size_t level = 0; level < table_.depth(); ++level) {
      const bool there = std::ranges::any_of(
          streams_, [&](const ForecastStream& stream) { return stream.horizon == horizon && stream.level == level; });
      if (!there) streams_.push_back(make_stream(horizon, level));
    }
  }
}

void ForecastRun::tell(ForecastStream& stream, ForecastStream::Waiting& round) {
  for (std::size_t i = 0; i < round.y.size(); ++i) {
    if (!std::isnan(round.y[i]) || round.never[i]) tell_row(stream, round, i);
  }
}

void ForecastRun::tell_row(ForecastStream& stream, ForecastStream::Waiting& round, std::size_t i) {
  const CombinerRound* const open = stream.combiner->open_round(round.id);
  if (open && open->rows[i] != CombinerRound::Row::kOpen) return;  // told before the run was saved
  try {
    stream.combiner->tell(round.id, i, round.y[i]);
    if (recording_ == Recording::kLines)
      stream.record.push_back(dump(
          Json::object({{"come", round.id}, {"row", i}, {"y", std::isnan(round.y[i]) ? Json() : Json(round.y[i])}})));
  } catch (const Error& e) {
    if (e.code() != Code::kOutOfRange) throw;  // after patience: counted by the combiner
  }
  if (round.rows[i] == kEarlierRow || std::isnan(round.y[i]) || !terms_.loss.counts(round.y[i])) return;
  const auto at = static_cast<std::size_t>(&stream - streams_.data());
  baselines_[at].tell(table_.forecasts(round.rows[i], stream.level).first(table_.models.size()), round.y[i],
                      table_.weight.empty() ? 1 : table_.weight[round.rows[i]]);
}

// Those that came before this round, in their order. Rounds of the table are numbered as they are forecast, so that the
// one of a row is found by halving.
void ForecastRun::tell_in_order(ForecastStream& stream, std::size_t round) {
  for (; next_told_ < table_.told.size() && table_.told[next_told_].before <= round; ++next_told_) {
    const std::size_t row = table_.told[next_told_].row;
    if (stream.horizon != 0 && table_.horizon[row] != stream.horizon) continue;
    const auto of =
        std::ranges::lower_bound(stream.waiting, time_[table_.round[row]], {}, &ForecastStream::Waiting::time);
    if (of == stream.waiting.end()) continue;
    const auto i = std::ranges::find(of->rows, row);
    if (i != of->rows.end()) tell_row(stream, *of, static_cast<std::size_t>(i - of->rows.begin()));
  }
}

void ForecastRun::tell_until(ForecastStream& stream, std::uint64_t limit) {
  while (stream.told < stream.waiting.size() && stream.waiting[stream.told].time + lag_of(stream) <= limit) {
    // Rows that are still open have no actual yet: they wait, and what comes behind them is told.
    tell(stream, stream.waiting[stream.told]);
    ++stream.told;
  }
}

// Rounds that an earlier table had keep their places; the others come behind them.
void ForecastRun::place_rounds() {
  const std::size_t rounds = table_.round_names.size();
  std::vector<unsigned char> earlier(rounds, 0);
  if (!table_.round_times.empty() && last_time_) {
    for (std::size_t r = 0; r < rounds; ++r) earlier[r] = table_.round_times[r] <= *last_time_ ? 1 : 0;
  } else if (!table_.key_names.empty()) {
    std::set<std::string> waiting;
    for (const ForecastStream& stream : streams_) {
      for (const auto& round : stream.waiting) waiting.insert(round.keys.begin(), round.keys.end());
    }
    for (std::size_t i = 0; i < table_.rows() && !waiting.empty(); ++i) {
      if (waiting.contains(key_of(table_, i))) earlier[table_.round[i]] = 1;
    }
  }
  std::uint64_t next = times_before_;
  for (std::size_t r = 0; r < rounds; ++r) time_.push_back(earlier[r] ? kEarlierRound : next++);
  times_before_ = next;
  if (!table_.round_times.empty())
    last_time_ = last_time_ ? std::max(*last_time_, table_.round_times.back()) : table_.round_times.back();
}

// A row that an earlier table had: its actual, where it has come now.
void ForecastRun::take_known(ForecastStream& stream, std::size_t row) {
  ++known_before;
  const std::string key = key_of(table_, row);
  for (ForecastStream::Waiting& round : stream.waiting) {
    for (std::size_t i = 0; i < round.keys.size(); ++i) {
      if (round.keys[i] != key || !std::isnan(round.y[i]) || round.never[i]) continue;
      round.y[i] = table_.y[row];
      return;
    }
  }
}

void ForecastRun::play_stream(ForecastStream& stream, std::vector<std::size_t>& rows) {
  const std::size_t m = plan().members.size(), depth = table_.depth(), by = table_.by.size();
  std::ranges::sort(rows, {}, [&](std::size_t i) { return std::pair(table_.round[i], i); });
  // Actuals of earlier rows first: they are told by their lag below.
  std::erase_if(rows, [&](std::size_t i) {
    if (time_[table_.round[i]] != kEarlierRound) return false;
    take_known(stream, i);
    return true;
  });
  stream.told = next_told_ = 0;
  const bool in_order = !table_.told.empty();
  std::vector<ForecastRow> asked;
  std::vector<double> total(table_.width() + 1);
  ForecastBaselines& rivals = baselines_[static_cast<std::size_t>(&stream - streams_.data())];
  for (std::size_t n = 0; n < rows.size();) {
    const std::size_t round = table_.round[rows[n]];
    const std::uint64_t time = time_[round];
    if (in_order) {
      tell_in_order(stream, round);
    } else {
      tell_until(stream, time);
    }
    std::size_t end = n;
    asked.clear();
    if (stream.spare.empty()) stream.spare.emplace_back();
    ForecastStream::Waiting wait = std::move(stream.spare.back());
    stream.spare.pop_back();
    wait.time = time;
    wait.keys.clear();
    wait.y.clear();
    wait.never.clear();
    wait.rows.clear();
    for (; end < rows.size() && table_.round[rows[end]] == round; ++end) {
      const std::size_t i = rows[end];
      asked.push_back({.x = table_.forecasts(i, stream.level),
                       .weight = table_.weight.empty() ? 1 : table_.weight[i],
                       .by = {table_.values.data() + i * by, by}});
      wait.y.push_back(table_.y[i]);
      wait.never.push_back(std::isnan(table_.y[i]) && (in_order || round + 1 < last_given_) ? 1 : 0);
      wait.rows.push_back(i);
    }
    const CombinerRound& made = stream.combiner->forecast(asked);
    wait.id = made.id;
    if (recording_ != Recording::kNot) record_round(stream, made, wait);
    for (std::size_t a = 0; n < end; ++n, ++a) {
      const std::size_t i = rows[n], at = i * depth + stream.level;
      published[at] = made.published[a];
      std::copy_n(made.members.data() + a * m, m, members.data() + at * m);
      forecast[i] = 1;
      if (made.rows[a] == CombinerRound::Row::kEmpty) continue;
      const auto rival = rivals.forecast(table_.forecasts(i, stream.level).first(table_.models.size()));
      baselines[at * 3] = rival.trimmed;
      baselines[at * 3 + 1] = rival.last_best;
      baselines[at * 3 + 2] = rival.inverse_error;
      if (kept_[round] == 0) continue;
      stream.combiner->total_weights(made, a, total);
      RoundWeights& kept = weights[kept_[round] - 1];
      for (std::size_t k = 0; k < total.size(); ++k) kept.total[k] += total[k];
      kept_counts_[kept_[round] - 1] += 1;
    }
    stream.waiting.push_back(std::move(wait));
    // Rounds that have settled are waited for no longer.
    if (stream.told > 64 && stream.told * 2 > stream.waiting.size()) {
      std::size_t done = 0;
      while (done < stream.told && !stream.combiner->open_round(stream.waiting[done].id)) ++done;
      const auto settled = stream.waiting.begin() + static_cast<std::ptrdiff_t>(done);
      std::move(stream.waiting.begin(), settled, std::back_inserter(stream.spare));
      stream.waiting.erase(stream.waiting.begin(), settled);
      stream.told -= done;
    }
  }
  // What is known before the round after the last one.
  if (in_order) {
    tell_in_order(stream, table_.round_names.size());
  } else {
    tell_until(stream, times_before_);
  }
}

void ForecastRun::play(Weights wanted) {
  const std::size_t rows = table_.rows(), depth = table_.depth(), rounds = table_.round_names.size();
  published.assign(rows * depth, kNotDelivered);
  members.assign(rows * depth * plan().members.size(), kNotDelivered);
  baselines.assign(rows * depth * 3, kNotDelivered);
  forecast.assign(rows, 0);
  kept_.assign(rounds, 0);
  for (std::size_t r = 0; r < rounds; ++r) {
    const bool keep = wanted == Weights::kAll || rounds <= kKeptRounds || r + 1 == rounds ||
                      r * kKeptRounds / rounds != (r + rounds - 1) % rounds * kKeptRounds / rounds;
    if (!keep) continue;
    weights.push_back({r, std::vector<double>(table_.width() + 1, 0.0)});
    kept_[r] = weights.size();
  }
  kept_counts_.assign(weights.size(), 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    if (!std::isnan(table_.y[i])) last_given_ = std::max(last_given_, table_.round[i] + 1);
  }
  if (terms_.loss.kind == ForecastLoss::Kind::kLog) {
    for (const double x : table_.x) clipped += x < terms_.loss.clip || x > 1 - terms_.loss.clip ? 1 : 0;
  }
  place_rounds();
  for (const ForecastStream& stream : streams_)
    baselines_.emplace_back(table_.models.size(), stream.combiner->plan().loss);
  for (ForecastStream& stream : streams_) {
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < rows; ++i) {
      if (stream.horizon == 0 || table_.horizon[i] == stream.horizon) mine.push_back(i);
    }
    play_stream(stream, mine);
  }
  for (std::size_t w = 0; w < weights.size(); ++w) {
    for (double& one : weights[w].total) one /= std::max(1.0, kept_counts_[w]);
  }
  std::erase_if(weights, [&](const RoundWeights& one) { return kept_counts_[kept_[one.round] - 1] == 0; });
  if (table_.levels.empty()) return;
  std::vector<double> row(depth);
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(published.data() + i * depth, depth, row.data());
    if (std::ranges::any_of(row, [](double v) { return std::isnan(v); }) || std::ranges::is_sorted(row)) continue;
    ++crossed;
    sort_levels(row);
    std::ranges::copy(row, published.begin() + static_cast<std::ptrdiff_t>(i * depth));
  }
}

void ForecastRun::finish() {
  for (ForecastStream& stream : streams_) {
    for (; table_.told.empty() && stream.told < stream.waiting.size(); ++stream.told)
      tell(stream, stream.waiting[stream.told]);
    stream.combiner->close_all();
    too_late += stream.combiner->too_late();
  }
}

}  // namespace hannan::detail
