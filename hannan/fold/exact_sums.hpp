// Sums that lose nothing: parts of a log may be summed anywhere and in any order, and the total is the same bits.
//
// A sum is kept as a few doubles whose exact sum it is (Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997).
// What it is written as does not depend on how it came about: the double nearest to it, then the double nearest to what
// is left, and so on until nothing is left. The first two are the value and the carry of core/long_sums.hpp wherever
// those are exact, that is unless the terms of one sum reach over more than 106 bits.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace hannan::detail {

// One sum of any doubles that stay finite.
class ExactSum {
 public:
  void add(double term);
  // The nearest double, of two equally near ones the even one.
  double rounded() const;
  // As it is written; none for 0.
  std::vector<double> written() const;

 private:
  std::vector<double> parts_;  // not overlapping, the least first, none 0
};

// Many sums side by side: two doubles each, and a third only where two do not suffice. A term costs 18 additions.
class ExactSums {
 public:
  explicit ExactSums(std::size_t size = 0) : values_(size, 0.0), carries_(size, 0.0) {}

  std::size_t size() const { return values_.size(); }
  void add(std::size_t at, double term);
  // One term to each of the sums from `first` on.
  void add(std::size_t first, std::span<const double> terms);
  // Sum by sum; both have the same size.
  void add(const ExactSums& other);

  double value(std::size_t at) const;  // rounded once
  double carry(std::size_t at) const;  // what is left, rounded once
  std::vector<double> written(std::size_t at) const;

 private:
  void add_block(std::size_t first, std::span<const double> terms);
  bool two_suffice(std::size_t at) const { return rests_.empty() || !rests_.contains(at); }
  ExactSum whole(std::size_t at) const;

  std::vector<double> values_, carries_;  // the value is the sum of both, rounded
  std::map<std::size_t, ExactSum> rests_;
  std::vector<double> lost_;  // a buffer
};

}  // namespace hannan::detail
