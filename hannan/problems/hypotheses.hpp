// A class of classifiers of m known points, behind one face: what they say, how they are written, and an
// exact search for the least weighted error.
//
// A classifier has a code, a whole number; codes are in order and ties go to the smallest.
//   listed      up to 10^6 classifiers that differ on the points: codes 0..K-1 are places in the list, and
//               walk() serves every question about all of them (hypothesis_walk.hpp)
//   not listed  boxes and trees on many points: codes are mixed-radix numbers, equal classifiers are not
//               merged, and search() finds the best one without listing them
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/json.hpp"
#include "hannan/problems/hypothesis_walk.hpp"

namespace hannan {

class Hypotheses {
 public:
  using Errors = HypothesisWalk::Errors;  // the error of h: constant + sum of gain where h says 1
  struct Best {
    std::uint64_t code;  // the smallest of the best, up to tie_window
    double value;
    double floor;        // the least value of all
  };

  virtual ~Hypotheses() = default;
  virtual std::size_t points() const = 0;
  virtual const HypothesisWalk* walk() const = 0;  // null where not listed
  virtual double ln_size() const = 0;              // where not listed, an upper bound
  virtual bool says(std::uint64_t code, std::size_t point) const = 0;
  // The first codes in order.
  virtual std::vector<std::uint64_t> first(std::uint64_t limit) const = 0;
  virtual Best search(const Errors& errors) const = 0;  // only where not listed
  virtual Json json(std::uint64_t code) const = 0;
  // The code of the classifier that agrees with the object on the points; kBadAction if there is none.
  virtual std::uint64_t parse(const Json& json, std::string_view path) const = 0;
};

using HypothesesPtr = std::shared_ptr<const Hypotheses>;
using Points = std::vector<std::vector<double>>;  // m rows of one length

// Names of the classes that make_hypotheses knows.
inline constexpr std::string_view kThresholds = "thresholds", kStumps = "stumps", kRectangles = "rectangles",
                                  kHalfplanes = "halfplanes", kTrees = "trees2";

// Errors name `path`, the place of the points: too many of them, or of another dimension.
HypothesesPtr make_hypotheses(std::string_view name, const Points& points, const std::string& path);
// K rows of 0/1 as given, equal ones kept.
HypothesesPtr tabled_hypotheses(const std::vector<std::vector<double>>& rows);

// The five, one file each (thresholds are stumps of one feature and one direction).
enum class Directions { kOne, kBoth };
HypothesesPtr stump_hypotheses(const Points& points, Directions directions);
HypothesesPtr halfplane_hypotheses(const Points& points);
enum class Listing { kWhereFew, kNever };
HypothesesPtr box_hypotheses(const Points& points, Listing listing = Listing::kWhereFew);
HypothesesPtr tree_hypotheses(const Points& points, Listing listing = Listing::kWhereFew);

}  // namespace hannan
