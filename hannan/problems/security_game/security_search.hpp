// Exact oracle for security-game beyond tables: branch and bound over the coverage vectors.
//
// History: one weight per type, whatever the number of rounds. The coverage of the last target follows
// from the others, so the search (oracles/branch_bound.hpp) has n - 1 coordinates.
//
// Bound: every type by itself, exactly. A type attacks target i covered by a only if a_j(c_j) <= a_i(a) + kTie
// for all j; a_j is linear in c_j, so this leaves an interval [A_j, B_j] of each coverage, and completions
// exist iff sum A <= r*m <= sum B. Target j may then stand at any d with
//   max(A_j, r*m - (sum B - B_j)) <= d <= min(B_j, r*m - (sum A - A_j)).
// Options (i, a) are taken from the defender's best on (worst, for a negative weight), each paints the
// still empty places (j, d) of its intervals, and the painted utilities are the type's bounds. For one
// type the bound is the truth. A node costs at most types * n^2 m log m and mostly far less, since
// painting stops when every place is painted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hannan/core/archive.hpp"
#include "hannan/core/evidence.hpp"
#include "hannan/oracles/branch_bound.hpp"
#include "hannan/oracles/warm_start.hpp"
#include "hannan/problems/security_game/security_game.hpp"

namespace hannan::detail {

class SecuritySearch {
 public:
  static constexpr bool kSigned = true;

  struct History {
    std::vector<double> weights;  // per type
    mutable WarmStart warm;       // a search remembers what it found
    void scale(double factor);
    void clear();
    void archive(Archive& a);
  };

  std::uint64_t nodes = SearchLimits{}.nodes;  // the work limit of a call

  History empty(const SecurityGame& p) const { return {.weights = std::vector<double>(p.types(), 0.0), .warm = {}}; }
  void add(const SecurityGame&, History& h, SecurityGame::Outcome y, double weight) const {
    h.weights[y] += weight;
    h.warm.advance();
  }
  Answer<SecurityGame::Action> best(const SecurityGame& p, Evidence<History> e, std::size_t keep) const;
};

class SecurityModel {
 public:
  SecurityModel(const SecurityGame& p, const Evidence<SecuritySearch::History>& e);
  std::size_t coordinates() const { return targets_ - 1; }
  std::size_t domain(std::size_t) const { return static_cast<std::size_t>(p_.levels()) + 1; }
  void bound(const std::vector<int>& partial, BoundTable& bounds);
  double value(const std::vector<int>& full) const;
  void line(const std::vector<int>& full, std::size_t c, std::span<double> out) const;
  // With the coverage of the last target; it may lie outside 0..m.
  std::vector<int> complete(const std::vector<int>& full) const;

 private:
  // Target attacked at a coverage, and what the defender gets.
  struct Option {
    std::size_t target;
    int coverage;
    double worth;
  };
  struct Weighed {
    std::size_t type;
    double weight;
    std::vector<Option> options;  // from the bound's best on
  };
  struct Range {
    int lo;
    int hi;
  };

  // Ranges of all coverages that the budget leaves; false: none.
  bool tighten(const std::vector<int>& partial);
  // What an option leaves of every range, or false where it cannot be.
  bool narrow(std::size_t type, const Option& option);
  void paint(const Weighed& w, const std::vector<int>& partial);

  const SecurityGame& p_;
  std::size_t targets_;
  std::vector<Weighed> weighed_;  // types of non-zero weight
  std::vector<Range> ranges_, left_;
  std::vector<double> worths_;  // painted utilities by coordinate and position
  std::vector<int> next_;       // next empty position at or behind a position, shortened on the way
};

}  // namespace hannan::detail
