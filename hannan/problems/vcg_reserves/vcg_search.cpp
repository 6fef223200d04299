// The model of one evidence for the search value by value: exact values, exact lines, and the averaged bounds whose
// proof is in vcg_search.hpp. Position d is reserve d + 1 throughout; kPresent (0) and kAbsent stand for a bidder who
// always stays and one who always leaves. Invariant of bound(): every row entry is a maximum of valid bounds, so more
// rounds only raise it. Costs are in the header.
#include "hannan/problems/vcg_reserves/vcg_search.hpp"

#include <algorithm>

namespace hannan::detail {

ReserveModel::ReserveModel(const Parts& parts) : parts_(parts) {
  const auto n = static_cast<std::size_t>(parts.bidders);
  const auto m = static_cast<std::size_t>(parts.auction.levels);
  const ReservePrices* prices = parts.auction.prices;
  for (std::size_t i = 0; i < n; ++i) {
    tables_.emplace_back(prices ? (*prices)[i].size() : m, 0.0);
    curves_.emplace_back(static_cast<int>(tables_[i].size()), prices ? &(*prices)[i] : nullptr);
  }
  averages_ = tables_;
  guide_.assign(n, kPresent);
  reserves_ = possible_ = certain_ = guide_;
  row_.resize(m);
}

// Bids of all profiles stand in one array, profile after profile: a bound walks through memory in order.
void ReserveModel::add(const RankedBids& ranked, double weight) {
  total_weight_ += weight * ranked.offset;
  if (weight == 0 || ranked.empty()) return;
  profiles_.push_back({.weight = weight * ranked.scale / parts_.normaliser,
                       .first = bids_.size(),
                       .size = ranked.size(),
                       .floor = ranked.floor,
                       .shift = ranked.shift,
                       .several = ranked.several});
  bids_.insert(bids_.end(), ranked.begin(), ranked.end());
  candidates_.resize(std::max(candidates_.size(), ranked.size()));
}

void ReserveModel::add_table(std::size_t bidder, std::span<const double> values, double scale) {
  for (std::size_t d = 0; d < values.size(); ++d) tables_[bidder][d] += scale * values[d];
}

// The best seen so far is the guide of later bounds: the majorants are tight there.
void ReserveModel::notice(const std::vector<int>& full, double value) {
  if (value >= best_seen_) return;
  best_seen_ = value;
  for (std::size_t i = 0; i < full.size(); ++i) guide_[i] = full[i] + 1;
}

// O(bids looked at) for each profile. Every full action that is valued may become the guide.
double ReserveModel::value(const std::vector<int>& full) {
  double sum = 0;
  for (std::size_t i = 0; i < full.size(); ++i) {
    reserves_[i] = full[i] + 1;
    sum += tables_[i][static_cast<std::size_t>(full[i])];
  }
  double earned = 0;
  for (const auto& p : profiles_) earned += p.weight * revenue(bids_of(p), reserves_, parts_.auction);
  sum += total_weight_ - earned;
  notice(full, sum);
  return sum;
}

// All reserves of one bidder: where a profile's revenue is the closed response of the reserve (respond), its steps are
// added to a curve in O(1) and read once, O(profiles + m).
void ReserveModel::line(const std::vector<int>& full, std::size_t bidder, std::span<double> out) {
  double others = total_weight_;
  for (std::size_t i = 0; i < full.size(); ++i) {
    reserves_[i] = full[i] + 1;
    if (i != bidder) others += tables_[i][static_cast<std::size_t>(full[i])];
  }
  ResponseCurve& sum = curves_[bidder];  // no bound is under way
  sum.clear();
  bool tabled = false;  // are there profiles without such a response?
  for (const auto& p : profiles_) {
    if (has_response(bids_of(p), parts_.auction)) {
      sum.add(respond(bids_of(p), reserves_, parts_.auction, static_cast<int>(bidder)), p.weight);
    } else {
      tabled = true;
    }
  }
  sum.read(out);
  // Several bids of one bidder with several units: no closed response, so every reserve is priced, O(m) revenues a
  // profile.
  for (std::size_t d = 0; tabled && d < out.size(); ++d) {
    reserves_[bidder] = static_cast<int>(d) + 1;
    for (const auto& p : profiles_) {
      if (!has_response(bids_of(p), parts_.auction))
        out[d] += p.weight * revenue(bids_of(p), reserves_, parts_.auction);
    }
  }
  std::size_t least = 0;
  for (std::size_t d = 0; d < out.size(); ++d) {
    out[d] = others + tables_[bidder][d] - out[d];
    if (out[d] < out[least]) least = d;
  }
  if (out[least] < best_seen_) {
    std::vector<int> seen = full;
    seen[bidder] = static_cast<int>(least);
    notice(seen, out[least]);
  }
}

// Rounds of averages: majorants at the guide, averaged with those before; the minimisers of the averages are the next
// guide, as in fictitious play. Each round's bound is valid, so rows take the largest. It ends early where the node can
// be pruned.
void ReserveModel::bound(const std::vector<int>& partial, BoundTable& bounds) {
  const std::size_t n = partial.size();
  double fixed = total_weight_;
  std::vector<int> guide = guide_;
  for (std::size_t i = 0; i < n; ++i) {
    possible_[i] = partial[i] < 0 ? kPresent : partial[i] + 1;
    certain_[i] = partial[i] < 0 ? kAbsent : partial[i] + 1;
    if (partial[i] < 0) {
      std::fill(averages_[i].begin(), averages_[i].end(), 0.0);
      std::fill(bounds[i].begin(), bounds[i].end(), -kInfinity);
    } else {
      fixed += tables_[i][static_cast<std::size_t>(partial[i])];
    }
  }
  const auto decided = std::count_if(partial.begin(), partial.end(), [](int d) { return d >= 0; });
  // 24 and 6: chosen, see `guides` in the header. The averages after k rounds weigh every guide with 1/k.
  const int rounds = guides * (decided == 0 ? 24 : decided == 1 ? 6 : 1);
  double constant = 0;  // average of constant_
  for (int round = 1; round <= rounds; ++round) {
    add_majorants(guide);
    const double share = 1.0 / round;
    constant += share * (constant_ - constant);
    double least_sum = fixed - constant;
    std::vector<double> least(n, 0.0);  // of every free bidder's table
    for (std::size_t i = 0; i < n; ++i) {
      if (partial[i] >= 0) continue;
      auto& average = averages_[i];
      curves_[i].read(std::span(row_).first(average.size()));
      double low = kInfinity;
      for (std::size_t d = 0; d < average.size(); ++d) {
        average[d] += share * (row_[d] - average[d]);
        const double entry = tables_[i][d] - average[d];
        if (entry < low) {
          low = entry;
          guide[i] = static_cast<int>(d) + 1;
        }
      }
      least[i] = low;
      least_sum += low;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (partial[i] >= 0) continue;
      const auto row = bounds[i];
      for (std::size_t d = 0; d < row.size(); ++d) {
        row[d] = std::max(row[d], least_sum - least[i] + tables_[i][d] - averages_[i][d]);
      }
    }
    if (least_sum > best_seen_ - rounding_slack(best_seen_)) return;  // good enough to prune by
  }
}

// constant_ and the curves of the free bidders become functions with constant + sum_c g_c(x_c) >= weighted revenue at
// all completions.
void ReserveModel::add_majorants(std::span<const int> guide) {
  constant_ = 0;
  for (std::size_t i = 0; i < possible_.size(); ++i) {
    if (possible_[i] == kPresent) curves_[i].clear();
  }
  for (const auto& p : profiles_) {
    if (p.weight < 0) {
      minorise(p);
    } else {
      majorise(p, guide);
    }
  }
}

// One profile of positive weight: the inequality of the header, its terms added to the curves of the free bidders and
// to constant_. Names as there: X is `price`, k_s is `last`, c_p is `raised`.
void ReserveModel::majorise(const Profile& p, std::span<const int> guide) {
  const auto units = static_cast<std::size_t>(parts_.auction.units);
  const auto index = [](const RankedBid& r) { return static_cast<std::size_t>(r.bidder); };
  const auto against = [&](const RankedBid& r) { return is_free(r) && guide[index(r)] > r.level; };
  const BidProfile profile = bids_of(p);
  auto& candidates = candidates_;
  // Invariant: candidates[0..count) are the bids that may stay, highest first; `kept` of them stay by the guide, and
  // the loop ends with f, the one right behind k_s. There are at most as many as the profile has bids, the size of
  // candidates_.
  std::size_t count = 0, kept = 0, free_on_top = 0;
  const RankedBid* free = nullptr;  // the last of those on top
  const RankedBid* last = nullptr;  // k_s
  const RankedBid* f = nullptr;
  for (const auto& r : profile.bids) {
    if (!may_stay(r)) continue;
    candidates[count++] = &r;
    if (is_free(r) && count <= units + 1) {
      ++free_on_top;
      free = &r;
    }
    if (last) {
      f = &r;
      break;
    }
    if (!against(r) && ++kept == units) last = &r;
  }
  if (free_on_top == 1) {
    curve(*free).add(respond(profile, possible_, parts_.auction, free->bidder), p.weight);
    return;
  }
  const double price = f ? f->bid : profile.floor;  // X
  const auto fixed_price = [&](const RankedBid& r) { return parts_.auction.price(r, possible_, profile.shift); };
  const double relief = last && !is_free(*last) ? std::max(fixed_price(*last) - price, 0.0) : 0.0;
  constant_ += p.weight * static_cast<double>(f ? units : std::min(units, count)) * price;
  std::size_t above = 0;  // kept ones so far
  for (std::size_t k = 0; k < count && candidates[k] != f; ++k) {
    const RankedBid& r = *candidates[k];
    if (against(r)) {
      // The (s+1)-th among the `above` kept before k, k itself and all behind: units - above further on. Between k and
      // k_s stand units - above kept ones, so at is at most k_s's index; where k_s does not exist it may be count or
      // more: the floor. above < units here, because the loop ends at f, right behind the units-th kept one.
      const std::size_t at = k + units - above;  // of c_k
      const double raised = at < count ? candidates[at]->bid : profile.floor;
      const int level = at < count ? candidates[at]->level : 0;
      curve(r).add({.excluded = 0,
                    .base = static_cast<double>(units) * (raised - price) - raised - relief,
                    .price = raised,
                    .price_level = parts_.auction.level_of(r.bidder, raised, profile.shift, level),
                    .own_level = r.level,
                    .shift = profile.shift},
                   p.weight);
      continue;
    }
    ++above;
    if (is_free(r)) {
      curve(r).add({.excluded = 0,
                    .base = -price,
                    .price = price,
                    .price_level = parts_.auction.level_of(r.bidder, price, profile.shift, f ? f->level : 0),
                    .own_level = r.level,
                    .shift = profile.shift},
                   p.weight);
    } else {
      constant_ += p.weight * std::max(fixed_price(r) - price, 0.0);
    }
  }
}

void ReserveModel::minorise(const Profile& p) {
  // q < 0: the fixed bidders and the highest free one alone earn no more than all together.
  for (const auto& r : bids_of(p).bids) {
    if (!is_free(r)) continue;
    curve(r).add(respond(bids_of(p), certain_, parts_.auction, r.bidder), p.weight);
    return;
  }
  constant_ += p.weight * revenue(bids_of(p), certain_, parts_.auction);
}

}  // namespace hannan::detail
