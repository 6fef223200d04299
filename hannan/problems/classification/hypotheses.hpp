// A class of classifiers of m known points, behind one interface: what they say, how they are written, and an
// exact search for the least weighted error.
//
// A classifier has a code, a whole number; codes are in order and ties go to the smallest.
//   listed      up to 10^6 classifiers that differ on the points: codes 0..K-1 are places in the list, and
//               walk() and values() serve every question about all of them (hypothesis_walk.hpp)
//   not listed  boxes and trees on many points: codes are mixed-radix numbers, equal classifiers are not
//               merged, and search() finds the best ones without listing them, or a good one with a floor
//
// The error of h is constant + the sum of gain over the points where h says 1. Some classes need not look at
// every point in every call: they keep sums of the gains (per value of a feature, per pair of values), which
// are linear in the gains, so that data and noise have sums of their own and a new label changes few of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/core/evidence.hpp"
#include "hannan/problems/classification/classifier_rule.hpp"
#include "hannan/problems/classification/hypothesis_walk.hpp"
#include "hannan/problems/classification/point_table.hpp"

namespace hannan::detail {

class Hypotheses {
 public:
  struct Errors {
    std::span<const double> gain;  // per point, data + scale * noise
    double constant = 0;
    std::span<const double> data;  // the sums of either, where the class keeps them
    std::span<const double> noise;
    double scale = 0;          // 0: the noise is not looked at
    std::span<double> buffer;  // sums() numbers to write in
    double sum(std::size_t i) const { return scale == 0 ? data[i] : data[i] + scale * noise[i]; }
  };

  virtual ~Hypotheses() = default;
  virtual std::size_t points() const = 0;
  virtual const HypothesisWalk* walk() const = 0;  // null where not listed
  virtual double ln_size() const = 0;              // where not listed, an upper bound
  virtual bool says(std::uint64_t code, std::size_t point) const = 0;
  virtual bool allows(std::uint64_t code) const = 0;  // is it the code of a classifier?
  // The first codes in order.
  virtual std::vector<std::uint64_t> first(std::uint64_t limit) const = 0;

  virtual std::size_t sums() const { return 0; }  // how many numbers the class keeps
  virtual void add_point(std::size_t /*point*/, double /*gain*/, std::span<double> /*sums*/) const {}
  // The same for all points; sums are zero before.
  virtual void add_points(std::span<const double> /*gain*/, std::span<double> /*sums*/) const {}

  // The error of every hypothesis; only where listed.
  virtual void values(const Errors& errors, std::span<double> out) const {
    walk()->values({errors.gain, errors.constant}, out);
  }
  // The choice and up to `keep` best; only where not listed. A class may show fewer: rest says what it left out.
  virtual Answer<std::uint64_t> search(const Errors& errors, std::size_t keep) const = 0;

  // How the classifier is written; find(describe(code)) agrees with it on the points.
  virtual ClassifierRule describe(std::uint64_t code) const = 0;
  // The code of the classifier that agrees with the rule on the points; none where the class has no such.
  virtual std::optional<std::uint64_t> find(const ClassifierRule& rule) const = 0;
};

using HypothesesPtr = std::shared_ptr<const Hypotheses>;

// Names of the classes that make_hypotheses knows, and of the votes, which need more than points.
inline constexpr std::string_view kThresholds = "thresholds", kStumps = "stumps", kRectangles = "rectangles",
                                  kHalfplanes = "halfplanes", kTrees = "trees2", kDeepTrees = "trees3",
                                  kVotes = "votes";

// kUnknownName where there is no such class. Other errors name `path`, the place of the points: too many of them, of
// another dimension, or categories where the class takes numbers alone.
HypothesesPtr make_hypotheses(std::string_view name, const PointTable& points, const std::string& path);
// K rows of 0/1 as given, equal ones kept.
HypothesesPtr tabled_hypotheses(const std::vector<std::vector<double>>& rows);

// The votes of the first 0, 1, 2, ... of these stumps; kOutOfRange at "votes" where there are too many or one of no
// column.
HypothesesPtr vote_hypotheses(const PointTable& points, const std::vector<WeightedStumpRule>& votes);

// The six, one file each (thresholds are stumps of one feature and one direction).
enum class Directions { kOne, kBoth };
HypothesesPtr stump_hypotheses(const PointTable& points, Directions directions);
HypothesesPtr halfplane_hypotheses(const Points& points);
enum class Listing { kWhereFew, kNever };
HypothesesPtr box_hypotheses(const Points& points, Listing listing = Listing::kWhereFew);
// Trees not listed are searched by sums over pairs of values, or, where these would be too many, root by root.
enum class TreeSearch { kByCost, kPairs, kRoots };
HypothesesPtr tree_hypotheses(const PointTable& points, Listing listing = Listing::kWhereFew,
                              TreeSearch search = TreeSearch::kByCost);
// Whether either search of the trees is affordable.
bool trees_fit(const PointTable& points);
// Trees of depth 3 (deep_tree_search.hpp): exact where a call costs at most `work` steps, else the best that so many
// find, with a floor.
inline constexpr double kDeepTreeWork = 1e8;  // below a second
HypothesesPtr deep_tree_hypotheses(const PointTable& points, Listing listing = Listing::kWhereFew,
                                   double work = kDeepTreeWork);
// Whether a call is affordable and the trees have codes.
bool deep_trees_fit(const PointTable& points);

}  // namespace hannan::detail
