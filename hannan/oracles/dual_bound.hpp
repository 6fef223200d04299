// A lower bound of  constant + sum of own(c)[x_c] + sum of tables_g(x_g)  over a box, by messages (MPLP).
//
// Messages move parts of a table to its members' own numbers and change no sum: with g_gc(x) moved to member c,
//   total_c = own_c + sum of g_gc,   what is left of table g = table_g - sum over members c of g_gc.
// Updating group g gives each of its k members an equal share of what is known:
//   b_c = total_c - g_gc,   M_c(x) = min over x_g with x_c = x of table_g + sum over members of b,
//   total_c = M_c / k,  g_gc = total_c - b_c.
// The least entry left of the table is then exactly 0, so once every group was updated
//   bound = constant + sum of min total_c,
// and it never falls. For the assignments with x_c = x the same argument gives
//   constant + M_c(x) + sum of min total over the coordinates outside the group.
// Where no two coordinates share more than one group, and nothing left of any table is below 0, all groups of c count
// at once: the coordinates around c are least one by one,
//   constant + total_c(x) + sum over its groups of (M_c(x) - total_c(x)) + sum of min total over those in none of them.
// Near the messages' fixed point M_c = k total_c, so that with pairs of n coordinates a position that is d above the
// least total_c is 2 d above the bound by one group and n d by all.
// Minima do not depend on the order they are taken in, and all other steps are done number by number: the result has
// the same bits whatever vectors the machine has. A sweep costs one pass over all tables.
// Globerson, Jaakkola: Fixing max-product (NIPS 2007).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hannan/oracles/box_model.hpp"

namespace hannan::detail {

class DualBound {
 public:
  explicit DualBound(const BoxModel& model);

  // Begins with the messages as they are; all three must outlive the sweeps.
  void start(const BoxLists& box, std::span<const double> tables, std::span<double> messages);
  // Updates every group once and returns the bound of the box.
  double sweep();
  // After a sweep: raises the bounds of all positions to those by all groups, in the time of a sweep, and returns the
  // bound of the box that follows; -inf where two coordinates share several groups.
  double raise_levels();
  // No assignment with coordinate c at the d-th of its list is below this; -inf before raise_levels, or the second
  // sweep where two coordinates share several groups.
  double level(std::size_t c, std::size_t d) const { return levels_[starts_[c] + d]; }
  // Every coordinate where its total is least.
  std::vector<int> likeliest() const;

 private:
  // Where a group's table, its messages and its members' numbers are.
  struct Place {
    std::size_t table, message, size;  // size: all positions of all members
  };

  // rest_ and mins_ of a group.
  void measure(std::size_t group);
  void update(std::size_t group);
  void raise_by(std::size_t group);
  // The group's members one after another, each with its positions: visit(coordinate, numbers, places before it).
  template <class Visit>
  void for_members(std::size_t group, Visit&& visit);
  std::size_t size_of(std::size_t c) const { return starts_[c + 1] - starts_[c]; }

  const BoxModel& model_;
  const Groups& groups_;
  bool linear_ = true;                           // no two coordinates share more than one group
  std::vector<std::vector<std::size_t>> apart_;  // by coordinate, those it shares no group with
  const BoxLists* box_ = nullptr;
  std::span<const double> tables_;
  std::span<double> messages_;
  std::vector<Place> places_;                    // of the groups in this box
  std::vector<std::size_t> starts_;              // of the coordinates in the three below, and their end
  std::vector<double> totals_, levels_, stars_;  // a number for every position of every coordinate
  std::vector<double> least_;                    // of every total
  std::vector<double> rest_, mins_;              // b and M of the group under way, member by member
  std::vector<double> row_mins_;
  std::vector<std::size_t> block_;
  std::size_t sweeps_ = 0;
};

}  // namespace hannan::detail
