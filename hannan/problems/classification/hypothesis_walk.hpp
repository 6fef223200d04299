// A list of classifiers of m points as one walk: each differs from the one before by a few flipped points.
//
// Thresholds, stumps and the rest are listed so that neighbours differ little, and then the weighted
// error of all K of them costs one pass over the flips, not K m: with gain_i the error added by saying 1
// at point i, the next value is the last one plus or minus the gains of the flipped points. The running
// sum carries its rounding along (Neumaier), so a value does not depend on how long the walk was.
//
// Classifiers that agree on all points are one hypothesis: the walk keeps the first. Equality is decided
// by a 128-bit xor of one random word per point; among 10^6 sets two differing ones share it with
// chance below 2^-88.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace hannan::detail {

// The points that a set says 1 on, as one number pair.
struct SetPrint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  void flip(std::size_t point);
  friend bool operator==(const SetPrint&, const SetPrint&) = default;
};

class HypothesisWalk {
 public:
  static constexpr std::size_t kMostHypotheses = 1'000'000;
  static constexpr std::size_t kMostFlips = 20'000'000;
  enum class Equals { kMerged, kKept };

  // Starts at the classifier that says 0 everywhere, which is not yet a hypothesis.
  explicit HypothesisWalk(std::size_t points, Equals equals = Equals::kMerged);

  void flip(std::size_t point);
  // Goes to the classifier that says says(i) at point i.
  template <class Says>
  void go(Says&& says) {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      if (says(i) != (now_[i] != 0)) flip(i);
    }
  }
  // The present classifier joins the list; false if an equal one stands there.
  bool stop();
  bool too_long() const { return starts_.size() > kMostHypotheses || flips_.size() > kMostFlips; }
  // What is needed for building only is given up.
  void finish();

  std::size_t size() const { return starts_.size(); }
  std::size_t points() const { return now_.size(); }
  std::size_t flips() const { return flips_.size(); }
  std::optional<std::uint64_t> find(const SetPrint& print) const;     // not with Equals::kKept
  std::optional<std::uint64_t> here() const { return find(print_); }  // the hypothesis equal to the present classifier
  // out[k] = constant + sum of gain over the points where hypothesis k says 1. O(flips).
  struct Errors {
    std::span<const double> gain;
    double constant;
  };
  void values(const Errors& errors, std::span<double> out) const;

 private:
  struct PrintHash {
    std::size_t operator()(const SetPrint& p) const { return static_cast<std::size_t>(p.low); }
  };

  Equals equals_;
  std::vector<char> now_;               // what the present classifier says
  std::vector<char> kept_;              // what the last hypothesis says
  std::vector<std::uint32_t> touched_;  // points flipped since, some an even number of times
  SetPrint print_;
  std::vector<std::size_t> starts_;  // where in flips_ hypothesis k begins
  std::vector<std::uint32_t> flips_;
  std::unordered_map<SetPrint, std::uint32_t, PrintHash> index_;
};

}  // namespace hannan::detail
