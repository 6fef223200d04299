// Forecasts of a round and the bookkeeping of rounds; what a round tells the AdaHedges is in combiner_told.cpp.
#include "hannan/forecasts/combiner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/core/error.hpp"
#include "hannan/core/exponentials.hpp"
#include "hannan/core/text.hpp"
#include "hannan/forecasts/lanes.hpp"
#include "hannan/forecasts/median.hpp"

namespace hannan::detail {
namespace {

using Kind = ForecastMember::Kind;
// Rows whose actual is too late are remembered to be told from a second actual; more are a second one.
constexpr std::size_t kMostGivenUp = 100'000;

bool takes_actual(const ForecastLoss& loss, double y) {
  return std::isnan(y) || (std::abs(y) <= kLargestForecast && (!loss.of_probabilities() || y == 0 || y == 1));
}

}  // namespace

void check_actual(const ForecastLoss& loss, double y, const std::string& at) {
  if (takes_actual(loss, y)) return;
  throw Error(
      Code::kLossRange,
      "found the actual " + number_text(y) + ", expected " +
          (std::abs(y) <= kLargestForecast ? "0 or 1: the loss is that of a probability" : "a number within 1e30 of 0"),
      at);
}

Combiner::Combiner(CombinerPlan plan)
    : plan_(std::move(plan)), member_totals_(plan_.members.size()), direct_(plan_.models.size()) {
  const std::size_t K = plan_.models.size(), m = plan_.members.size();
  hedges_.emplace_back(m);
  for (const Kind kind : {Kind::kSingle, Kind::kMixture}) {
    if (!plan_.member(kind)) continue;
    (kind == Kind::kSingle ? single_ : mixture_) = hedges_.size();
    hedges_.emplace_back(K);
  }
  for (std::size_t j = 0; j < m; ++j) {
    if (plan_.members[j].mixes()) mixers_.push_back(j);
  }
  awake_.resize(K);
  powers_.resize(m + (hedges_.size() - 1) * K);
}

void Combiner::check_row(const ForecastRow& row) const {
  const bool probability = plan_.loss.of_probabilities();
  const double least = probability ? 0 : -kLargestForecast, most = probability ? 1 : kLargestForecast;
  // Counted first, so that it becomes vectors; what is wrong is looked for where something is. NaN is not outside.
  std::size_t outside = 0;
  for (const double x : row.x) outside += static_cast<std::size_t>(x < least) | static_cast<std::size_t>(x > most);
  for (std::size_t k = 0; outside > 0 && k < row.x.size(); ++k) {
    const double x = row.x[k];
    if (!(x < least || x > most)) continue;
    const std::string& name = k < plan_.models.size() ? plan_.models[k] : plan_.columns[k - plan_.models.size()];
    throw Error(Code::kLossRange,
                "found the forecast " + number_text(x) + " of " + name + ", expected " +
                    (probability ? "a probability in [0,1]" : "a number within 1e30 of 0"),
                "round " + std::to_string(next_));
  }
  if (!(row.weight > 0 && row.weight <= kLargestForecast))
    throw Error(Code::kOutOfRange, "found the weight " + number_text(row.weight) + ", expected a number above 0",
                "round " + std::to_string(next_));
}

std::size_t Combiner::segment_turn(CombinerRound& round, std::size_t column, const std::string& value) {
  const auto [at, fresh] = segment_hedges_.try_emplace({column, value}, hedges_.size());
  if (fresh) {
    segments_.push_back({column, value, hedges_.size()});
    hedges_.emplace_back(plan_.models.size());
  }
  for (std::size_t turn = 0; turn < round.used; ++turn) {
    if (round.turns[turn].hedge == at->second) return turn;
  }
  round.new_turn(at->second, hedges_[at->second]);
  return round.used - 1;
}

// The members of a row and their mean by the weights of top. Everything published lies between the least and the
// largest of the forecasts that it is made of; rounding does not take it outside.
void Combiner::forecast_row(CombinerRound& round, std::size_t i) {
  const std::size_t K = plan_.models.size(), width = plan_.width(), m = plan_.members.size();
  const double* const x = round.x.data() + i * width;
  double* const c = round.members.data() + i * m;
  scratch_.clear();
  if (all_delivered({x, K})) {
    scratch_.assign(x, x + K);
  } else {
    for (std::size_t k = 0; k < K; ++k) {
      awake_[k] = std::isnan(x[k]) ? 0 : 1;
      if (awake_[k] > 0) scratch_.push_back(x[k]);
    }
  }
  const std::size_t count = scratch_.size();  // models that delivered
  if (count == 0) {
    round.rows[i] = CombinerRound::Row::kEmpty;
    std::fill(c, c + m, kNotDelivered);
    std::fill_n(round.mixing.data() + i * mixers_.size() * K, mixers_.size() * K, 0.0);
    round.published[i] = kNotDelivered;
    return;
  }
  const double sum = sum_in_order(scratch_);
  const auto [low, high] = least_and_largest(scratch_);
  double reach = std::max(std::abs(low), std::abs(high));
  const std::span<const double> awake = count == K ? std::span<const double>() : std::span<const double>(awake_);
  const double mean = std::clamp(sum / static_cast<double>(count), low, high);
  std::size_t mixer = 0;
  double published = 0, all_low = low, all_high = high;
  for (std::size_t j = 0; j < m; ++j) {
    const ForecastMember& member = plan_.members[j];
    if (member.mixes()) {
      const std::span<double> q(round.mixing.data() + (i * mixers_.size() + mixer++) * K, K);
      const bool segment = member.kind == Kind::kMixtureBy;
      RegretHedge& hedge = segment ? hedges_[round.turns[round.segment[i * plan_.by.size() + member.place]].hedge]
                                   : hedges_[member.kind == Kind::kSingle ? single_ : mixture_];
      if (segment || count < K) {
        hedge.weigh(awake, q);
      } else {
        std::copy_n(
            powers_.begin() + static_cast<std::ptrdiff_t>(member.kind == Kind::kSingle ? m : powers_.size() - K), K,
            q.begin());
      }
      double mixed = 0;
      if (count == K) {
        mixed = dot_in_order(q, x);
      } else {
        for (std::size_t k = 0; k < K; ++k) mixed += q[k] > 0 ? q[k] * x[k] : 0;
      }
      c[j] = std::clamp(mixed, low, high);
    } else if (member.kind == Kind::kMedian) {
      c[j] = median_of(scratch_);  // the order of scratch_ means nothing from here on
    } else if (member.kind == Kind::kColumn && !std::isnan(x[member.place])) {
      c[j] = x[member.place];
      reach = std::max(reach, std::abs(c[j]));
      all_low = std::min(all_low, c[j]);
      all_high = std::max(all_high, c[j]);
    } else {
      c[j] = mean;
    }
    published += round.top[j] * c[j];
  }
  round.published[i] = std::clamp(published, all_low, all_high);
  round.reach[i] = reach;
  ++round.open;
}

// The weights of top, single and mixture with every model there, one behind the other in powers_: one call for all
// exponentials.
void Combiner::weigh_all(CombinerRound& round) {
  const std::size_t K = plan_.models.size(), m = plan_.members.size();
  const std::size_t count = 1 + (single_ ? 1 : 0) + (mixture_ ? 1 : 0);
  const auto part = [&](std::size_t hedge) {
    return hedge == 0 ? std::span(powers_).first(m)
                      : std::span(powers_).subspan(hedge == single_ ? m : powers_.size() - K, K);
  };
  for (std::size_t hedge = 0; hedge < count; ++hedge) {
    round.new_turn(hedge, hedges_[hedge]);
    hedges_[hedge].weight_exponents(part(hedge));
  }
  portable_exp_of_bounded(powers_);  // none is above 0
  for (std::size_t hedge = 0; hedge < count; ++hedge) hedges_[hedge].make_weights(part(hedge));
  std::ranges::copy(part(0), round.top.begin());
}

const CombinerRound& Combiner::forecast(std::span<const ForecastRow> rows) {
  for (const ForecastRow& row : rows) check_row(row);
  end_patience();
  CombinerRound& round = open_.open();
  const std::size_t n = rows.size(), width = plan_.width();
  round.begin(n, {.width = width,
                  .members = plan_.members.size(),
                  .mixing = mixers_.size() * plan_.models.size(),
                  .models = plan_.models.size()});
  round.id = next_++;
  for (std::size_t i = 0; i < n; ++i) {
    round.rows[i] = CombinerRound::Row::kOpen;
    round.y[i] = kNotDelivered;
    round.reach[i] = 0;
    round.weight[i] = rows[i].weight;
    std::ranges::copy(rows[i].x, round.x.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  if (plan_.loss.kind == ForecastLoss::Kind::kLog) {
    for (double& x : round.x) x = plan_.loss.taken(x);
  }
  weigh_all(round);
  for (const ForecastRow& row : rows) {
    for (std::size_t b = 0; b < plan_.by.size(); ++b) round.segment.push_back(segment_turn(round, b, row.by[b]));
  }
  for (std::size_t i = 0; i < n; ++i) forecast_row(round, i);
  if (round.open == 0) arrive(round);  // no row has a forecast: nothing is waited for
  settle_ready();
  return round;  // also where it has settled at once: its place is as it was until the next round
}

void Combiner::total_weights(const CombinerRound& round, std::size_t row, std::span<double> weights) const {
  const std::size_t K = plan_.models.size(), width = plan_.width();
  std::ranges::fill(weights, 0.0);
  if (round.rows[row] == CombinerRound::Row::kEmpty) return;
  const double* const x = round.x.data() + row * width;
  double count = 0;
  for (std::size_t k = 0; k < K; ++k) count += std::isnan(x[k]) ? 0 : 1;
  std::size_t mixer = 0;
  for (std::size_t j = 0; j < plan_.members.size(); ++j) {
    const ForecastMember& member = plan_.members[j];
    const double v = round.top[j];
    if (member.mixes()) {
      const double* const q = round.mixing.data() + (row * mixers_.size() + mixer++) * K;
      for (std::size_t k = 0; k < K; ++k) weights[k] += v * q[k];
    } else if (member.kind == Kind::kMedian) {
      weights[width] += v;
    } else if (member.kind == Kind::kColumn && !std::isnan(x[member.place])) {
      weights[member.place] += v;
    } else {
      for (std::size_t k = 0; k < K; ++k) weights[k] += std::isnan(x[k]) ? 0 : v / count;
    }
  }
}

const CombinerRound* Combiner::open_round(std::uint64_t id) const {
  if (open_.empty() || id < open_.front().id || id > open_.back().id) return nullptr;
  return &open_[static_cast<std::size_t>(id - open_.front().id)];  // they are numbered without gaps
}

// Segments follow the AdaHedges that all rounds have.
const std::string& Combiner::segment_value(const CombinerRound& round, std::size_t n) const {
  const std::size_t first = 1 + (single_ ? 1 : 0) + (mixture_ ? 1 : 0);
  return segments_[round.turns[round.segment[n]].hedge - first].value;
}

CombinerRound& Combiner::find_open(std::uint64_t id, std::size_t row) {
  if (CombinerRound* const open = find_quickly(id, row)) return *open;
  const std::string at = "round " + std::to_string(id);
  if (id == 0 || id >= next_)
    throw Error(Code::kOutOfRange,
                "found an actual for a round that was not forecast, expected one of 1 to " + std::to_string(next_ - 1),
                at);
  const CombinerRound* const round = open_round(id);
  if (!round && given_up_.erase({id, row}) > 0) {
    ++too_late_;
    throw Error(Code::kOutOfRange,
                "found an actual after " + std::to_string(plan_.patience) + " rounds: round " + std::to_string(id) +
                    " was settled without its actual; --patience waits longer",
                at);
  }
  if (!round)
    throw Error(Code::kOutOfRange,
                "found a second actual, or one of a round without a forecast, expected one for each row", at);
  if (row >= round->size())
    throw Error(Code::kOutOfRange,
                "found row " + std::to_string(row) + ", expected one of 0 to " + std::to_string(round->size() - 1), at);
  throw Error(Code::kOutOfRange, "found a second actual of row " + std::to_string(row) + ", expected one", at);
}

// A row that waits for its actual, or has no forecast and waits for none.
CombinerRound* Combiner::find_quickly(std::uint64_t id, std::size_t row) {
  if (open_.empty() || id < open_.front().id || id > open_.back().id) return nullptr;
  CombinerRound& round = open_[static_cast<std::size_t>(id - open_.front().id)];
  if (row >= round.size()) return nullptr;
  const CombinerRound::Row standing = round.rows[row];
  return standing == CombinerRound::Row::kOpen || standing == CombinerRound::Row::kEmpty ? &round : nullptr;
}

void Combiner::tell(std::uint64_t id, std::size_t row, double y) {
  if (!takes_actual(plan_.loss, y)) check_actual(plan_.loss, y, "round " + std::to_string(id));
  CombinerRound& round = find_open(id, row);
  if (round.rows[row] == CombinerRound::Row::kEmpty) return;
  const bool counts = !std::isnan(y) && plan_.loss.counts(y);
  round.rows[row] = counts ? CombinerRound::Row::kCome : CombinerRound::Row::kNever;
  round.y[row] = y;
  if (--round.open > 0) return;
  try {
    arrive(round);
  } catch (...) {  // of a loss of the user's own: the round waits as before
    round.rows[row] = CombinerRound::Row::kOpen;
    round.y[row] = kNotDelivered;
    ++round.open;
    throw;
  }
  settle_ready();
}

// Without what has not come.
void Combiner::close(CombinerRound& round) {
  for (std::size_t i = 0; i < round.size(); ++i) {
    if (round.rows[i] != CombinerRound::Row::kOpen) continue;
    round.rows[i] = CombinerRound::Row::kNever;
    given_up_.insert({round.id, i});
    if (given_up_.size() > kMostGivenUp) given_up_.erase(given_up_.begin());
  }
  round.open = 0;
  if (!round.arrived) arrive(round);
}

void Combiner::end_patience() {
  while (!open_.empty() && open_.front().id + plan_.patience < next_) {
    close(open_.front());
    settle_ready();
  }
}

void Combiner::close_all() {
  while (!open_.empty()) {
    close(open_.front());
    settle_ready();
  }
}

}  // namespace hannan::detail
