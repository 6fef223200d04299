// Streams of one labelled point a round, as losses of all thresholds (threshold_streams.hpp). labelled(t) is a pure
// function of key and round but for the set of flipped rounds, which is drawn once. Cost: O(K) a round for the losses.
#include "hannan/streams/threshold_streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

__extension__ typedef unsigned __int128 Uint128;  // T times m may be 2^70

class ThresholdStream : public LabelledStream {
 public:
  explicit ThresholdStream(const StreamSpec& spec) : spec_(spec) {}
  std::size_t experts() const final { return spec_.experts; }
  std::uint64_t rounds() const final { return spec_.rounds; }

  // Expert k says 1 exactly on points >= k; a round without a point costs no expert anything.
  void losses(std::uint64_t round, std::span<double> out) final {
    assert(round >= 1 && round <= spec_.rounds && out.size() == spec_.experts);
    const auto seen = labelled(round);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = seen && (seen->point >= k ? 1 : 0) != seen->label ? 1 : 0;
  }

 protected:
  std::uint64_t points() const { return spec_.experts - 1; }
  KeyedRandom draws(std::uint64_t round) const { return KeyedRandom(spec_.key, Purpose::kStream, round); }

  const StreamSpec spec_;
};

// A uniform point a round, labelled by a threshold that is drawn once. Points from the threshold on have the label 1.
class RandomPoints : public ThresholdStream {
 public:
  explicit RandomPoints(const StreamSpec& spec) : ThresholdStream(spec), truth_(draws(0).below(0, spec.experts)) {}

 protected:
  virtual bool flipped(std::uint64_t round) const = 0;

 public:
  std::optional<LabelledRound> labelled(std::uint64_t round) const final {
    const std::uint64_t point = draws(round).below(0, points());
    const bool label = point >= truth_;
    return LabelledRound{point, label != flipped(round) ? 1 : 0};
  }

 private:
  std::uint64_t truth_;
};

class FlipsStream final : public RandomPoints {
 public:
  explicit FlipsStream(const StreamSpec& spec) : RandomPoints(spec) {
    // Floyd: every set of `hits` rounds is equally likely.
    for (std::uint64_t j = 0; j < spec.hits; ++j) {
      const std::uint64_t top = spec.rounds - spec.hits + 1 + j;
      if (!flips_.insert(1 + draws(0).below(1 + j, top)).second) flips_.insert(top);
    }
  }

 private:
  bool flipped(std::uint64_t round) const override { return flips_.contains(round); }
  std::set<std::uint64_t> flips_;
};

// Each label is flipped with the probability `best`, by a draw of its own.
class NoiseStream final : public RandomPoints {
 public:
  using RandomPoints::RandomPoints;

 private:
  bool flipped(std::uint64_t round) const override { return draws(round).uniform(1) < spec_.best; }
};

class SweepStream final : public ThresholdStream {
 public:
  using ThresholdStream::ThresholdStream;

  bool random() const override { return false; }
  bool every_round_has_a_point() const override { return false; }
  std::optional<LabelledRound> labelled(std::uint64_t round) const override {
    if (points() == 1) return round == 1 ? std::optional(LabelledRound{0, 0}) : std::nullopt;
    // As in ordered_streams.cpp with m points for n hits. made() and the check of rounds have T >= m >= 2 here, so
    // neither span nor steps is 0.
    // The first point not before this round; its round is floor(i (T-1) / (m-1)) + 1.
    const Uint128 span = spec_.rounds - 1, steps = points() - 1;
    const Uint128 i = ((round - 1) * steps + span - 1) / span;
    return i * span / steps == round - 1 ? std::optional(LabelledRound{static_cast<std::uint64_t>(i), 0})
                                         : std::nullopt;
  }
};

class MidpointStream final : public ThresholdStream {
 public:
  using ThresholdStream::ThresholdStream;

  bool random() const override { return false; }
  std::optional<LabelledRound> labelled(std::uint64_t round) const override {
    return LabelledRound{points() / 2, round % 2 == 0 ? 1 : 0};
  }
};

template <class S>
// A stream of the class S, once there is at least one point.
std::unique_ptr<LossStream> made(const StreamSpec& spec) {
  if (spec.experts < 2)
    throw Error(
        Code::kOutOfRange,
        fmt::format("found {}, expected at least 2: a point and the thresholds on both sides of it", spec.experts),
        "stream.experts");
  return std::make_unique<S>(spec);
}

}  // namespace

std::unique_ptr<LossStream> make_threshold_flips_stream(const StreamSpec& spec) {
  if (spec.hits > spec.rounds)
    throw Error(Code::kOutOfRange, fmt::format("found {}, expected at most the {} rounds", spec.hits, spec.rounds),
                "stream.hits");
  return made<FlipsStream>(spec);
}

std::unique_ptr<LossStream> make_threshold_noise_stream(const StreamSpec& spec) {
  if (!(spec.best >= 0 && spec.best <= 1))
    throw Error(Code::kOutOfRange, fmt::format("found {}, expected a probability", spec.best), "stream.best");
  return made<NoiseStream>(spec);
}

std::unique_ptr<LossStream> make_threshold_sweep_stream(const StreamSpec& spec) {
  if (spec.experts >= 2 && spec.rounds < spec.experts - 1) {
    throw Error(Code::kOutOfRange,
                fmt::format("found {}, expected at least {}, a round for each point", spec.rounds, spec.experts - 1),
                "stream.rounds");
  }
  return made<SweepStream>(spec);
}

std::unique_ptr<LossStream> make_threshold_midpoint_stream(const StreamSpec& spec) {
  return made<MidpointStream>(spec);
}

}  // namespace hannan::detail
