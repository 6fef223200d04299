// Contexts and laws of simulated segments, each a function of (key, round). A law is a number; two different laws use
// different runs of the same seed, so their draws never meet (run + law * kGolden, an odd multiplier, is one-to-one).
#include "hannan/streams/simulated_segments.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

constexpr std::array<SegmentFact, 4> kSegmentKinds{{
    {"void", "the columns say nothing"},
    {"matter", "every finest segment has a law of its own"},
    {"mixed", "every other value of the first column has a law of its own, further columns say nothing"},
    {"drifting", "as matter, and all laws change after every --period rounds"},
}};

// A run of the seed that no learner and no stream plays: its draws are those of contexts and laws.
constexpr std::uint64_t kContextRun = std::uint64_t{1} << 61;
// Draws of laws come from columns beyond those of contexts.
constexpr std::uint64_t kLaws = std::uint64_t{1} << 32;
constexpr std::uint64_t kLasting = std::uint64_t{1} << 40;
// 2^64 divided by the golden ratio: keeps numbers that follow each other apart.
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;
constexpr std::uint64_t kMostFan = 1'000'000;

}  // namespace

std::span<const SegmentFact> segment_kinds() { return kSegmentKinds; }

SimulatedSegments::SimulatedSegments(SegmentSpec spec) : spec_(std::move(spec)), context_(spec_.by.size()) {
  spec_.key.run += kContextRun;
  if (spec_.by.empty() || spec_.by.size() > kMostColumns) {
    throw Error(Code::kOutOfRange,
                "found " + std::to_string(spec_.by.size()) + " columns, expected 1 to " + std::to_string(kMostColumns),
                "by");
  }
  for (std::size_t i = 0; i < spec_.by.size(); ++i) {
    const auto first =
        static_cast<std::size_t>(std::find(spec_.by.begin(), spec_.by.end(), spec_.by[i]) - spec_.by.begin());
    // drawn_[i] is the place in values_ of column i: a column that stands in two orders is drawn once. values_ never
    // has more entries than columns were seen, so the place exists when it is used.
    drawn_.push_back(first < i ? drawn_[first] : values_.size());
    if (first == i) values_.push_back(0);
  }
  if (spec_.fan == 0 || spec_.fan > kMostFan)
    throw Error(Code::kOutOfRange, "found " + std::to_string(spec_.fan) + ", expected 1 to " + std::to_string(kMostFan),
                "fan");
  if (spec_.period == 0) throw Error(Code::kOutOfRange, "found 0, expected at least 1", "period");
  std::string names;
  for (std::size_t i = 0; i < kSegmentKinds.size(); ++i) {
    names += (i ? ", " : "") + std::string(kSegmentKinds[i].name);
    if (kSegmentKinds[i].name != spec_.kind) continue;
    kind_ = static_cast<Kind>(i);
    return;
  }
  throw Error(Code::kUnknownName, "found \"" + spec_.kind + "\", expected one of " + names, "segments");
}

void SimulatedSegments::round(std::uint64_t number) {
  const KeyedRandom random(spec_.key, Purpose::kStream, number);
  std::uint64_t finest = 0;  // the number of the segment; distinct as long as it is below 2^64
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i] = random.below(i, spec_.fan);
    finest = finest * spec_.fan + values_[i];
  }
  const std::uint64_t first = values_[0];
  for (std::size_t i = 0; i < context_.size(); ++i)
    context_[i] = spec_.by[i] + " " + std::to_string(values_[drawn_[i]] + 1);
  switch (kind_) {
    case Kind::kVoid:
      law_ = 0;
      break;
    case Kind::kMatter:
      law_ = finest + 1;
      break;
    case Kind::kMixed:
      law_ = first % 2 == 1 ? first + 1 : 0;
      break;
    case Kind::kDrifting:
      law_ = finest + 1 + (number - 1) / spec_.period * kGolden;
      break;
  }
}

// A law is a run of its own, so that laws share no draw. Columns: kLaws - 1 for the turn, kLaws + place for factors,
// kLasting + place for lasting numbers; places are far below 2^32.
KeyedRandom SimulatedSegments::draws_of_law() const {
  return {Key{.seed = spec_.key.seed, .run = spec_.key.run + law_ * kGolden}, Purpose::kAdversary, 1};
}

std::uint64_t SimulatedSegments::turn(std::uint64_t n) const {
  return law_ == 0 ? 0 : draws_of_law().below(kLaws - 1, n);
}

// In [1/4, 1]: chosen so that segments differ clearly and no value leaves [0,1].
double SimulatedSegments::scale(std::uint64_t place) const {
  return law_ == 0 ? 1 : 0.25 + 0.75 * draws_of_law().uniform(kLaws + place);
}

double SimulatedSegments::lasting(std::uint64_t place, double common) const {
  return law_ == 0 ? common : draws_of_law().uniform(kLasting + place);
}

}  // namespace hannan::detail
