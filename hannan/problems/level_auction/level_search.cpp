// The model behind the branch-and-bound search for level auctions; level_search.hpp has the decomposition that it uses.
// Thresholds are addressed by coordinate c = bidder * s + j, j = 0..s-1 from here on; a position d in 0..m-s stands for
// the value z = d + j + 1, so values stay in 1..m. Bids and levels are whole numbers in 0..m and 0..s.
//
// Invariants: bounds are never above the value of a completion (majorise), leaves are exact (respond, LevelPair), so a
// finished search returns the smallest minimiser. Cost: respond O(T (n + s) + n s m), bound O(T n + n s (m-s)^2 + n
// m^2).
#include "hannan/problems/level_auction/level_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hannan/core/interruption.hpp"
#include "hannan/oracles/chain_program.hpp"
#include "hannan/oracles/grid_answer.hpp"

namespace hannan::detail {

LevelModel::LevelModel(const LevelRule& rule, const Evidence<LevelHistory>& evidence)
    : rule_(rule), tables_(evidence.data.tables), now_(rule.n() + 1), pair_(rule), first_(evidence.data.first) {
  const auto take = [&](const Tally<BidReach>& tally, double scale) {
    for (const auto& [y, weight] : tally) {
      weight_ += scale * weight;
      if (weight != 0) profiles_.push_back({scale * weight, y.units});
    }
  };
  take(evidence.data.tally, 1.0);
  if (evidence.scale != 0) {
    take(evidence.noise.tally, evidence.scale);
    for (std::size_t i = 0; i < tables_.size(); ++i) tables_[i] += evidence.scale * evidence.noise.tables[i];
  }
  level_.resize(rule.n() * (static_cast<std::size_t>(rule.levels) + 1));
  steps_.resize(rule.s() * (static_cast<std::size_t>(rule.levels) + 1));
  own_.resize(steps_.size());
  costs_.assign(rule.s(), std::vector<double>(rule.choices()));
  if (!first_.empty() && evidence.scale >= 0) bound_lists(evidence);
}

bool LevelModel::feasible(const std::vector<int>& full) const {
  for (std::size_t c = 0; c < full.size(); ++c) {
    if (c % rule_.s() != 0 && full[c] < full[c - 1]) return false;
  }
  return true;
}

double LevelModel::value(const std::vector<int>& full) {
  if (!feasible(full)) return kInfinity;
  std::vector<int> action = full;
  double tables = 0;
  for (std::size_t c = 0; c < full.size(); ++c) {
    action[c] += static_cast<int>(c % rule_.s()) + 1;
    tables += noise(c, full[c]);
  }
  double revenue = 0;  // in units of 1/m: exact for whole weights
  for (const auto& profile : profiles_) revenue += profile.weight * rule_.revenue(action, profile.reach);
  return weight_ - revenue / rule_.levels + tables;
}

// The rival pays threshold number paid <= its level <= s: if it stands before the bidder it wins against level l as
// long as its own level is at least l, and paid <= l; if behind, its level is above l, and paid <= l + 1. So the index
// paid - 1 stays within the rival's s thresholds for every l < needed, the only levels at which price is asked.
// One profile's part in steps_, own_ and base_. now_ holds the levels of the others.
void LevelModel::respond_to(const LevelProfile& profile, std::size_t bidder, const std::vector<int>& full) {
  now_[bidder] = 0;
  const auto [winner, number] = LevelRule::sale(now_);
  int before = 0, after = 0;
  for (std::size_t i = 0; i < bidder; ++i) before = std::max(before, now_[i]);
  for (std::size_t i = bidder + 1; i < now_.size(); ++i) after = std::max(after, now_[i]);
  const int needed = std::max({1, 1 + before, after});  // the level at which the bidder wins
  // R(l): while it loses at level l, the rival pays at least the threshold that beats l.
  const int lift = winner > static_cast<int>(bidder) ? 1 : 0;
  const auto price = [&, rival = winner, least = number](int level) {
    if (rival < 0) return 0;
    const int paid = std::max(least, level + (level > 0 ? lift : 0));
    if (rival == rule_.bidders) return LevelRule::phantom(paid);
    return full[static_cast<std::size_t>(rival) * rule_.s() + static_cast<std::size_t>(paid) - 1] + paid;
  };
  int last = price(0);
  base_ += profile.weight * last;
  const int y = profile.reach[bidder];
  // Level j is reached by bids from threshold j on: what it changes is booked at the bid, and respond() sums over all
  // bids that reach a threshold. If needed > s the bidder never wins here and only pushes the rival's price.
  for (int j = 1; j <= std::min(needed, rule_.thresholds); ++j) {
    const std::size_t cell = at(static_cast<std::size_t>(j) - 1, y);
    if (j == needed) {
      steps_[cell] -= profile.weight * last;
      own_[cell] += profile.weight;
    } else {
      const int next = price(j);
      steps_[cell] += profile.weight * (next - last);
      last = next;
    }
  }
}

void LevelModel::respond(const std::vector<int>& full, std::size_t bidder) {
  const std::size_t s = rule_.s();
  std::vector<int> others = full;
  std::fill_n(others.begin() + static_cast<std::ptrdiff_t>(bidder * s), s, -1);
  // The -1 in the bidder's own place tells bidders apart, so equal lists mean the same bidder and the same rivals.
  if (others == responded_) return;
  std::fill(level_.begin(), level_.end(), 0);
  double noises = 0;
  for (std::size_t c = 0; c < full.size(); ++c) {
    if (c / s == bidder) continue;
    noises += noise(c, full[c]);
    for (int y = full[c] + static_cast<int>(c % s) + 1; y <= rule_.levels; ++y) ++level_[at(c / s, y)];
  }
  std::fill(steps_.begin(), steps_.end(), 0.0);
  std::fill(own_.begin(), own_.end(), 0.0);
  base_ = 0;
  for (const auto& profile : profiles_) {
    for (std::size_t i = 0; i < rule_.n(); ++i) now_[i] = level_[at(i, profile.reach[i])];
    now_.back() = rule_.phantom_level(profile.reach.back());
    respond_to(profile, bidder, full);
  }
  base_ = weight_ - base_ / rule_.levels + noises;
  for (std::size_t j = 0; j < s; ++j) {
    double step = 0, own = 0;  // of all bids that reach z
    for (int z = rule_.levels; z > static_cast<int>(j); --z) {
      step += steps_[at(j, z)];
      own += own_[at(j, z)];
      // A bid above the highest value of threshold j, m-s+1+j, has no position of its own and counts for all of them.
      const int d = z - static_cast<int>(j) - 1;
      if (d < static_cast<int>(rule_.choices())) {
        costs_[j][static_cast<std::size_t>(d)] = noise(bidder * s + j, d) - (step + z * own) / rule_.levels;
      }
    }
  }
  responded_ = std::move(others);
}

void LevelModel::line(const std::vector<int>& full, std::size_t c, std::span<double> out) {
  const std::size_t s = rule_.s(), bidder = c / s;
  std::fill(out.begin(), out.end(), kInfinity);
  std::vector<int> probe = full;
  // Positions between those of the neighbours in the same list; outside of them the list would fall.
  const int low = c % s == 0 ? 0 : full[c - 1];
  const int high = c % s + 1 == s ? static_cast<int>(out.size()) - 1 : full[c + 1];
  probe[c] = low;
  if (low > high || !feasible(probe)) return;
  respond(full, bidder);
  double others = base_;
  for (std::size_t j = 0; j < s; ++j) {
    if (bidder * s + j != c) others += costs_[j][static_cast<std::size_t>(full[bidder * s + j])];
  }
  for (int d = low; d <= high; ++d)
    out[static_cast<std::size_t>(d)] = others + costs_[c % s][static_cast<std::size_t>(d)];
}

// What the profiles earn at most, as rests of one bidder each: rev <= r + (t - r)^+, where r is the highest
// threshold that a fixed bidder reaches or the second highest free bid, and t the highest threshold of
// the highest free bidder that its bid reaches. Negative weights earn nothing.
double LevelModel::majorise(const std::vector<int>& partial) {
  const std::size_t s = rule_.s();
  responded_.clear();  // level_ holds prices here
  rests_.assign(rule_.n(), {});
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < rule_.n(); ++i) {
    const auto begin = partial.begin() + static_cast<std::ptrdiff_t>(i * s);
    if (std::find(begin, begin + static_cast<std::ptrdiff_t>(s), -1) != begin + static_cast<std::ptrdiff_t>(s)) {
      open.push_back(i);
      continue;
    }
    // j = number of the bidder's thresholds at or below y; begin[j - 1] + j is the value of the last of them.
    for (int y = 0, j = 0; y <= rule_.levels; ++y) {
      while (j < rule_.thresholds && begin[j] + j + 1 <= y) ++j;
      level_[at(i, y)] = j == 0 ? 0 : begin[j - 1] + j;
    }
  }
  double revenue = 0;
  for (const auto& profile : profiles_) {
    if (profile.weight < 0) continue;
    const int phantom = rule_.phantom_level(profile.reach.back());
    int paid = phantom == 0 ? 0 : LevelRule::phantom(phantom);
    std::size_t next_open = 0, highest = rule_.n();
    int first = 0;
    for (std::size_t i = 0; i < rule_.n(); ++i) {
      if (next_open == open.size() || open[next_open] != i) {
        paid = std::max(paid, level_[at(i, profile.reach[i])]);
        continue;
      }
      ++next_open;
      if (profile.reach[i] > first) {
        paid = std::max(paid, first);
        first = profile.reach[i];
        highest = i;
      } else {
        paid = std::max(paid, profile.reach[i]);
      }
    }
    revenue += profile.weight * paid;
    if (first > paid) rests_[highest].push_back({first, paid, profile.weight});
  }
  return weight_ - revenue / rule_.levels;
}

// gains_(z, y) = what one bidder's rests with bids z..y earn if z is the highest threshold reached.
void LevelModel::cumulate_rests(std::size_t bidder) {
  const std::size_t size = static_cast<std::size_t>(rule_.levels) + 1;
  std::vector<double> weight(size * size, 0.0);  // [bid][price], then over all prices below z
  for (const auto& [bid, price, amount] : rests_[bidder]) {
    weight[static_cast<std::size_t>(bid) * size + static_cast<std::size_t>(price)] += amount;
  }
  gains_.assign(size * size, 0.0);
  // z <= y < size = m + 1, and z - 1 >= 0: a rest is priced below its bid, so price m never occurs.
  for (std::size_t y = 1; y < size; ++y) {
    double count = 0, gain = 0;  // gain(z) = sum over prices r < z of weight * (z - r)
    for (std::size_t z = 1; z <= y; ++z) {
      count += weight[y * size + z - 1];
      gain += count;
      gains_[z * size + y] = (y > z ? gains_[z * size + y - 1] : 0.0) + gain / rule_.levels;
    }
  }
}

void LevelModel::bound(const std::vector<int>& partial, BoundTable& bounds) {
  const std::size_t s = rule_.s(), d_max = rule_.choices(), size = static_cast<std::size_t>(rule_.levels) + 1;
  double total = majorise(partial);
  // Per bidder the least cost of its lists with threshold j at d, noise and rests together. What stands
  // before d and what stands behind it are minimised apart; neighbours z < z' share the bids z..z'-1.
  std::vector<double> head(coordinates() * d_max), tail(head.size()), least(rule_.n());
  const auto own = [&](std::size_t c, std::size_t d) {
    return partial[c] < 0 || partial[c] == static_cast<int>(d) ? tables_[c * d_max + d] : kInfinity;
  };
  for (std::size_t i = 0; i < rule_.n(); ++i) {
    cumulate_rests(i);
    for (std::size_t j = 0; j < s; ++j) {
      // Threshold j at position d has the value d + j + 1, the one before it at e the value e + j: they share the bids
      // e+j .. d+j. Backwards, threshold s-1-j at d has the value d + s - j and its successor at e takes over at e + s
      // - j + 1. All row and column numbers are at most (m-s) + s = m < size.
      const std::size_t c = i * s + j, r = i * s + s - 1 - j;  // head forwards, tail backwards
      for (std::size_t d = 0; d < d_max; ++d) {
        double before = j == 0 ? 0 : kInfinity, behind = j == 0 ? -gains_[(d + s) * size + size - 1] : kInfinity;
        for (std::size_t e = 0; j > 0 && e <= d; ++e) {
          before = std::min(before, head[(c - 1) * d_max + e] - gains_[(e + j) * size + d + j]);
        }
        for (std::size_t e = d; j > 0 && e < d_max; ++e) {
          behind = std::min(behind, tail[(r + 1) * d_max + e] - gains_[(d + s - j) * size + e + s - j]);
        }
        head[c * d_max + d] = before + own(c, d);
        tail[r * d_max + d] = behind + own(r, d);
      }
    }
    const double* first = tail.data() + i * s * d_max;
    least[i] = *std::min_element(first, first + d_max);
    total += least[i];
  }
  // Bidders are fixed in order: only the first open one is told apart, the others get the node's bound.
  std::size_t open = 0;
  while (partial[open] >= 0) ++open;
  for (std::size_t c = 0; c < coordinates(); ++c) {
    if (partial[c] >= 0) continue;
    for (std::size_t d = 0; d < d_max; ++d) {
      // A forbidden position is infinite in all three terms: infinity - infinity is the NaN that becomes infinity
      // again.
      const double list = head[c * d_max + d] + tail[c * d_max + d] - own(c, d);
      bounds[c][d] = c / s == open / s ? total - least[c / s] + (std::isnan(list) ? kInfinity : list) : total;
    }
  }
  if (open < s && !list_bounds_.empty()) raise_to_lists(partial, bounds);
}

void LevelModel::finish_one(const std::vector<int>& partial, LastBidder last, LeafSink& sink) {
  const std::size_t s = rule_.s(), bidder = last.bidder, keep = last.keep;
  respond(partial, bidder);
  auto costs = costs_;
  for (std::size_t j = 0; j < s; ++j) {
    const int fixed = partial[bidder * s + j];
    for (std::size_t d = 0; fixed >= 0 && d < costs[j].size(); ++d) {
      if (static_cast<int>(d) != fixed) costs[j][d] = kInfinity;
    }
  }
  const RisingWords words{.length = s, .values = rule_.choices()};
  const ChainProgram program(words, std::move(costs));
  std::vector<int> full = partial;
  const auto offer = [&](const std::vector<int>& word, double value) {
    std::copy(word.begin(), word.end(), full.begin() + static_cast<std::ptrdiff_t>(bidder * s));
    sink(full, value);
  };
  // The one beyond the `keep` best is not offered: its value bounds all that are left out.
  const auto best = program.best(keep + 1);
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (i == keep) {
      sink.rest(base_ + best[i].value);
    } else {
      offer(best[i].action, base_ + best[i].value);
    }
  }
  if (best.empty()) return;
  const auto first = program.first_within(program.least() + tie_window(base_ + program.least()));
  offer(first, base_ + program.value(first));
}

bool LevelModel::finish(const std::vector<int>& partial, std::size_t keep, double cut, LeafSink& sink) {
  const std::size_t s = rule_.s();
  std::vector<std::size_t> open;
  double constant = weight_;
  for (std::size_t i = 0; i < rule_.n(); ++i) {
    const auto begin = partial.begin() + static_cast<std::ptrdiff_t>(i * s);
    if (std::find(begin, begin + static_cast<std::ptrdiff_t>(s), -1) != begin + static_cast<std::ptrdiff_t>(s)) {
      open.push_back(i);
    } else {
      for (std::size_t j = 0; j < s; ++j) constant += noise(i * s + j, partial[i * s + j]);
    }
  }
  if (open.size() == 1) {
    finish_one(partial, {.bidder = open[0], .keep = keep}, sink);
    return true;
  }
  if (open.size() != 2 || !LevelPair::affordable(rule_)) return false;
  pair_.solve({.profiles = profiles_,
               .tables = tables_,
               .constant = constant,
               .partial = partial,
               .first = open[0],
               .second = open[1],
               .keep = keep,
               .cut = cut},
              sink);
  // With the first bidder fixed and nothing else, pair_.least() is the least evidence under its list: kept for later
  // rounds.
  const std::span<const int> own(partial.data(), s);
  const bool others_free =
      std::all_of(partial.begin() + static_cast<std::ptrdiff_t>(s), partial.end(), [](int d) { return d < 0; });
  if (!first_.empty() && open[0] == 1 && others_free) found_.emplace_back(first_.lists().index_of(own), pair_.least());
  return true;
}

void LevelModel::descend(std::vector<int>& full) {
  const std::size_t s = rule_.s();
  const RisingWords words{.length = s, .values = rule_.choices()};
  double last = kInfinity;
  // idle = bidders in a row, the current one included, whose response improved nothing; the value falls by more than
  // rounding at every other step, so the descent ends.
  for (std::size_t idle = 0, i = 0; idle < rule_.n(); i = (i + 1) % rule_.n()) {
    interruption_point();
    respond(full, i);
    const ChainProgram program(words, costs_);
    const double now = base_ + program.least();
    ++idle;
    if (now >= last - rounding_slack(last)) continue;
    last = now;
    idle = 1;
    const auto word = program.first_within(program.least());
    std::copy(word.begin(), word.end(), full.begin() + static_cast<std::ptrdiff_t>(i * s));
  }
}

std::vector<std::vector<int>> LevelModel::hints(std::size_t starts) {
  std::vector<std::vector<int>> all;
  const std::size_t s = rule_.s();
  for (std::size_t k = 0; k < starts; ++k) {
    std::vector<int> full(coordinates(), 0);
    // Spread by multiples of the golden ratio, then put in order; the first start is all lowest.
    for (std::size_t c = 0; c < full.size(); ++c) {
      const double turn = 0.6180339887498949 * static_cast<double>(k * (2 * c + 1));
      full[c] = static_cast<int>((turn - std::floor(turn)) * static_cast<double>(rule_.choices()));
    }
    for (std::size_t i = 0; i < rule_.n(); ++i) {
      std::sort(full.begin() + static_cast<std::ptrdiff_t>(i * s),
                full.begin() + static_cast<std::ptrdiff_t>((i + 1) * s));
    }
    descend(full);
    if (std::find(all.begin(), all.end(), full) == all.end()) all.push_back(std::move(full));
  }
  return all;
}

std::uint64_t LevelModel::affordable_nodes(double most_work) const {
  double work = static_cast<double>(profiles_.size()) * rule_.bidders +
                static_cast<double>(rule_.bidders) * (1 + rule_.thresholds) * rule_.levels * rule_.levels;
  if (LevelPair::affordable(rule_)) work += LevelPair::work(rule_, profiles_.size());
  // Chosen: 20 nodes are visited however expensive they are, so that a floor is proven; the upper end is a search of
  // cheap nodes that would not end soon.
  return static_cast<std::uint64_t>(std::clamp(most_work / work, 20.0, 200'000.0));
}

Answer<LevelAuction::Action> LevelOracle::best(const LevelAuction& p, Evidence<History> e, std::size_t keep) const {
  LevelModel model(p.rule(), e);
  const std::size_t n = p.rule().n();
  // The root itself is then solved by finish(), and starting points would be wasted work.
  const bool outright = n == 1 || (n == 2 && LevelPair::affordable(p.rule()));
  SearchRequest request{
      .keep = keep, .limits = {.nodes = nodes > 0 ? nodes : model.affordable_nodes(kMostWork)}, .hints = {}};
  if (!outright) request.hints = model.hints(n + 2);
  const SearchResult result = branch_bound(model, request);
  model.leave_bounds(e);
  return answer_of(result, keep, [&](std::vector<int> positions) {
    for (std::size_t c = 0; c < positions.size(); ++c) positions[c] += static_cast<int>(c % p.rule().s()) + 1;
    return positions;
  });
}

}  // namespace hannan::detail
