// The state of a combiner: what has settled, and the rounds that are open with their forecasts, so that a run goes on
// as if it had never stopped. The plan (models, members, loss) is not in it: whoever loads it makes a combiner of the
// same plan first.
#include <algorithm>
#include <cmath>
#include <limits>

#include "hannan/forecasts/combiner.hpp"

namespace hannan::detail {
namespace {

// A state holds finite numbers: nothing delivered is written as this, which no forecast reaches.
constexpr double kNothing = 9e99;

void archive_gaps(Archive& a, const char* name, std::vector<double>& values, std::size_t size) {
  for (double& v : values) v = std::isnan(v) ? kNothing : v;
  if (a.reading()) values.assign(size, 0.0);
  a.field(name, values);
  for (double& v : values) v = v == kNothing ? kNotDelivered : v;
}

}  // namespace

void Combiner::archive_round(Archive& a, CombinerRound& round) const {
  const std::size_t m = plan_.members.size(), K = plan_.models.size();
  std::size_t size = round.size();
  a.count("id", round.id);
  a.count("size", size, std::uint64_t{1} << 32);
  std::vector<double> rows;
  for (const CombinerRound::Row row : round.rows) rows.push_back(static_cast<double>(row));
  if (a.reading()) rows.assign(size, 0.0);
  a.field("rows", rows, {0, 3});
  archive_gaps(a, "x", round.x, size * plan_.width());
  archive_gaps(a, "y", round.y, size);
  archive_gaps(a, "published", round.published, size);
  archive_gaps(a, "members", round.members, size * m);
  if (a.reading()) {
    round.reach.assign(size, 0.0);
    round.weight.assign(size, 0.0);
    round.mixing.assign(size * mixers_.size() * K, 0.0);
    round.top.assign(m, 0.0);
    round.rows.clear();
    round.open = 0;
    for (const double row : rows) {
      if (row != std::floor(row)) a.refuse("rows", "found a fraction, expected 0, 1, 2 or 3");
      round.rows.push_back(static_cast<CombinerRound::Row>(row));
      round.open += row == 0 ? 1 : 0;
    }
  }
  a.field("reach", round.reach, kSavedNonnegative);
  a.field("weight", round.weight, kSavedNonnegative);
  a.field("mixing", round.mixing, {0, 1});
  a.field("top", round.top, {0, 1});
  a.wholes("segment", round.segment, {0, 1e9}, {size * plan_.by.size(), size * plan_.by.size()});
  std::size_t arrived = round.arrived ? 1 : 0;
  a.count("arrived", arrived, 1);
  round.arrived = arrived == 1;
  a.count("counted", round.counted);
  a.field("loss", round.loss);
  if (!round.arrived) {  // nothing was told: what the place held before is no part of the state
    std::ranges::fill(round.member_loss, 0.0);
    std::ranges::fill(round.direct, 0.0);
  }
  round.member_loss.resize(m);
  round.direct.resize(K);
  a.field("member_loss", round.member_loss);
  a.field("direct", round.direct);
  const std::size_t turns = a.open_list("turns", round.used);
  if (a.reading()) {
    round.turns.assign(turns, {});
    round.used = turns;
  }
  for (std::size_t t = 0; t < round.used; ++t) {
    HedgeTurn& turn = round.turns[t];
    a.item();
    a.count("hedge", turn.hedge, hedges_.size() - 1);
    double rate = std::isinf(turn.rate) ? 0 : turn.rate;  // 0: infinite
    a.field("rate", rate, {0, 1.7e308});
    turn.rate = rate > 0 ? rate : std::numeric_limits<double>::infinity();
    a.field("before", turn.before, kSavedNonnegative);
    a.field("level", turn.level, kSavedNonnegative);
    a.field("range", turn.range, kSavedNonnegative);
    if (a.reading()) turn.regrets.assign(hedges_[turn.hedge].size(), 0.0);
    a.field("regrets", turn.regrets);
  }
  a.close_list();
  if (!a.reading()) return;
  for (const std::size_t turn : round.segment) {
    if (turn >= round.used) a.refuse("segment", "found a turn that is not there");
  }
  const std::size_t least = 1 + (single_ ? 1 : 0) + (mixture_ ? 1 : 0);
  bool fits = round.used >= least;
  for (std::size_t t = 0; fits && t < least; ++t) fits = round.turns[t].hedge == t;
  if (!fits) a.refuse("turns", "found other turns than those of the members");
  if (round.arrived != (round.open == 0)) a.refuse("arrived", "found another count of open rows");
}

void Combiner::archive(Archive& a) {
  a.count("next", next_);
  a.count("settled", settled_);
  a.count("rows", rows_);
  a.count("too_late", too_late_);
  a.count("never", never_);
  a.count("delay", delay_);
  total_.archive(a, "total", "total_carry");
  member_totals_.archive(a, "member_totals");
  direct_.archive(a, "direct");
  const std::size_t segments = a.open_list("segments", segments_.size());
  for (std::size_t i = 0; i < segments; ++i) {
    if (a.reading()) {
      segments_.push_back({0, "", hedges_.size()});
      hedges_.emplace_back(plan_.models.size());
    }
    a.item();
    a.count("column", segments_[i].column, plan_.by.empty() ? 0 : plan_.by.size() - 1);
    a.field("value", segments_[i].value);
    if (a.reading() &&
        (plan_.by.empty() ||
         !segment_hedges_.try_emplace({segments_[i].column, segments_[i].value}, segments_[i].hedge).second))
      a.refuse("value", "found a segment twice, or one without a column");
  }
  a.close_list();
  a.open_shaped_list("hedges", hedges_.size());
  for (RegretHedge& hedge : hedges_) {
    a.item();
    hedge.archive(a);
  }
  a.close_list();
  const std::size_t open = a.open_list("open", open_.size());
  for (std::size_t i = 0; i < open; ++i) {
    if (a.reading()) open_.open();
    a.item();
    archive_round(a, open_[i]);
    if (a.reading() && open_[i].id + (open - i) != next_) a.refuse("id", "found another number than its place has");
  }
  a.close_list();
  std::vector<double> given_up;
  for (const auto& [round, row] : given_up_) {
    given_up.push_back(static_cast<double>(round));
    given_up.push_back(static_cast<double>(row));
  }
  a.list("given_up", given_up, {0, 200'000}, {0, 0x1p52});
  if (!a.reading()) return;
  if (given_up.size() % 2 != 0) a.refuse("given_up", "found an odd count of numbers");
  for (std::size_t i = 0; i + 1 < given_up.size(); i += 2)
    given_up_.insert({static_cast<std::uint64_t>(given_up[i]), static_cast<std::uint64_t>(given_up[i + 1])});
  if (next_ != settled_ + open_.size() + 1)
    a.refuse("settled", "found another count than of the rounds before the open ones");
}

}  // namespace hannan::detail
