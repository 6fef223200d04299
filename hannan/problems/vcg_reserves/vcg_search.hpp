// Exact search for the best eager reserves: the model of one evidence for oracles/branch_bound.hpp.
//
// Minimises  W - sum_t q_t Rev_t(a) + sum_i g_i(a_i),  q_t = w_t scale_t / R, W = sum of w_t offset_t, any signs.
// The bound replaces every Rev_t by a sum of one-bidder tables that is never below it (above it, where
// q_t < 0), so the noise g enters exactly and all children of all free bidders are bounded at once.
//
// q > 0. Candidates: fixed bidders who stay and all free ones, b1 >= b2 >= ... A guide (a full action)
// says who probably leaves. Let k_1..k_s be the first s candidates that it keeps, P the free ones before
// k_s that it does not, X the bid right behind k_s. For p in P let c_p be the (s+1)-th bid among those kept
// before p, p, and all behind p: the price if p is the first to stay against the guide. Then
//   Rev <= s X + sum over k of (a_k - X)^+ [a_k <= h_k]
//            + sum over P of (s (c_p - X) + (z_p - c_p)^+ - (a_{k_s} - X)^+ (k_s fixed)) [z_p <= h_p].
// Proof: s c + sum over the top s of (a_i - c)^+ [a_i <= h_i] with c the (s+1)-th bid of any superset of
// those who stay is above Rev (lazy reserves). If no bidder of P stays, that is the first line. Else let p be
// the first who does and take c = c_p: k_s is not in the top s; c_q <= c_p for the later q of P; and
// c_q >= b_{k_s} >= a_{k_s}, so no term of P is below (z_q - c_q)^+.
// A guide that keeps every bidder gives the plain lazy-reserve bound. Where the top s+1 candidates hold one
// free bidder its exact response is used instead. Any average of bounds is a bound; the guides are the
// best action seen and then the maximisers of the averages so far (fictitious play between the search,
// which picks reserves, and the bound, which picks guides). Guides behind k_s as well were looser. All this is said
// of bids, whoever they belong to: a bidder may have several, and bids without a reserve are fixed.
// q < 0. Adding bidders never lowers revenue, so the fixed ones with the highest free one are below.
//
// Cost: bound O(T * candidates looked at + n m) a guide, line and value O(T * the same + m).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hannan/oracles/branch_bound.hpp"
#include "hannan/problems/vcg_reserves/vcg_profile.hpp"

namespace hannan::detail {

class ReserveModel {
 public:
  struct Parts {
    int bidders;
    Auction auction;
    double normaliser;
  };
  explicit ReserveModel(const Parts& parts);

  // The evidence, before the search.
  void add(const RankedBids& ranked, double weight);
  void add(std::span<const double> bids, double weight) { add(rank_bids(bids, parts_.auction.levels), weight); }
  void add_table(std::size_t bidder, std::span<const double> values, double scale);

  // A weighted profile and its bids, as other models of the same evidence need them.
  struct Profile {
    double weight;  // w scale / R
    std::size_t first, size;
    double floor, shift;
    bool several;
  };
  const std::vector<Profile>& profiles() const { return profiles_; }
  BidProfile bids_of(const Profile& p) const { return {{bids_.data() + p.first, p.size}, p.floor, p.shift, p.several}; }
  const Auction& auction() const { return parts_.auction; }
  double total_weight() const { return total_weight_; }
  std::span<const double> table(std::size_t bidder) const { return tables_[bidder]; }

  // BranchModel; position d is reserve d + 1.
  std::size_t coordinates() const { return tables_.size(); }
  std::size_t domain(std::size_t c) const { return tables_[c].size(); }
  double value(const std::vector<int>& full);
  void line(const std::vector<int>& full, std::size_t bidder, std::span<double> out);
  void bound(const std::vector<int>& partial, BoundTable& bounds);

  // Averaged per node at most: this many, 6 times as many where one bidder is fixed, 24 times at the root,
  // whose bound is the floor of a search that is cut short. Fewer cost nodes, more cost time.
  int guides = 4;

 private:
  void notice(const std::vector<int>& full, double value);
  void add_majorants(std::span<const int> guide);
  void majorise(const Profile& p, std::span<const int> guide);
  void minorise(const Profile& p);
  bool is_free(const RankedBid& r) const {
    return r.bidder != kNoReserve && possible_[static_cast<std::size_t>(r.bidder)] == kPresent;
  }
  bool may_stay(const RankedBid& r) const { return parts_.auction.stays(r, possible_); }
  ResponseCurve& curve(const RankedBid& r) { return curves_[static_cast<std::size_t>(r.bidder)]; }

  Parts parts_;
  std::vector<Profile> profiles_;
  std::vector<RankedBid> bids_;
  std::vector<std::vector<double>> tables_;  // g_i
  double total_weight_ = 0;                  // W

  double best_seen_ = kInfinity;
  std::vector<int> guide_;                     // reserves of the best action seen
  std::vector<int> reserves_;                  // scratch of value and line
  std::vector<int> possible_, certain_;        // a node's fixed reserves; free: kPresent, kAbsent
  std::vector<ResponseCurve> curves_;          // of the free bidders, revenue
  std::vector<std::vector<double>> averages_;  // of the free bidders, revenue over the guides
  std::vector<double> row_;
  std::vector<const RankedBid*> candidates_;  // scratch of majorise
  double constant_ = 0;                       // revenue of a node that no free bidder can change
};

}  // namespace hannan::detail
