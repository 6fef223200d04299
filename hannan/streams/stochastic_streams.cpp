// A round is a function of (key, round): K uniforms, each compared with its mean. Nothing is kept but what was drawn
// once.
#include "hannan/streams/stochastic_streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <set>
#include <vector>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

void check_means(const StreamSpec& spec) {
  // Negated, so that NaN is refused too.
  if (!(spec.others >= 0 && spec.others <= 1))
    throw Error(Code::kOutOfRange, fmt::format("others: found {}, expected a mean in [0,1]", spec.others),
                "stream.others");
  if (!(spec.best >= 0 && spec.best <= spec.others))
    throw Error(Code::kOutOfRange,
                fmt::format("best: found {}, expected a mean in [0, others = {}]", spec.best, spec.others),
                "stream.best");
}

// Column and round layout of the header: round 0 holds what is drawn once.
KeyedRandom drawn_once(const StreamSpec& spec) { return KeyedRandom(spec.key, Purpose::kStream, 0); }

class BernoulliStream : public LossStream {
 public:
  explicit BernoulliStream(const StreamSpec& spec) : spec_(spec) {}
  std::size_t experts() const final { return spec_.experts; }
  std::uint64_t rounds() const final { return spec_.rounds; }

 protected:
  void fill_uniform(std::uint64_t round, std::span<double> out) const {
    assert(round >= 1 && round <= spec_.rounds && out.size() == spec_.experts);
    KeyedRandom(spec_.key, Purpose::kStream, round).fill_uniform(out);
  }

  const StreamSpec spec_;
};

// A loss is 1 where the uniform number is below the mean: the same numbers with another mean give a stream that is
// larger in every place, which makes comparisons of streams sharp.
class IidStream final : public BernoulliStream {
 public:
  explicit IidStream(const StreamSpec& spec) : BernoulliStream(spec), good_(drawn_once(spec).below(0, spec.experts)) {}

  void losses(std::uint64_t round, std::span<double> out) override {
    fill_uniform(round, out);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = out[k] < (k == good_ ? spec_.best : spec_.others);
  }

 private:
  std::uint64_t good_;
};

// The good expert's losses are exactly `hits`, so that L* is known beforehand.
class SmallLossStream final : public BernoulliStream {
 public:
  explicit SmallLossStream(const StreamSpec& spec)
      : BernoulliStream(spec), good_(drawn_once(spec).below(0, spec.experts)), rates_(spec.experts) {
    const KeyedRandom once = drawn_once(spec);
    once.fill_uniform(rates_, 1);
    for (double& q : rates_) q = 0.05 + 0.45 * q;
    // Floyd: for top = T-n+1 .. T take a uniform round up to top, or top itself if that one is taken.
    // Every set of n rounds is equally likely.
    std::set<std::uint64_t> chosen;
    for (std::uint64_t j = 0; j < spec.hits; ++j) {
      // top is at least 1, as hits <= rounds, and never in the set before its step, as all earlier draws are below it.
      const std::uint64_t top = spec.rounds - spec.hits + 1 + j;
      if (!chosen.insert(1 + once.below(spec.experts + 1 + j, top)).second) chosen.insert(top);
    }
    hit_rounds_.assign(chosen.begin(), chosen.end());
  }

  void losses(std::uint64_t round, std::span<double> out) override {
    fill_uniform(round, out);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = out[k] < rates_[k];
    out[good_] = std::ranges::binary_search(hit_rounds_, round);
  }

 private:
  std::uint64_t good_;
  std::vector<double> rates_;
  std::vector<std::uint64_t> hit_rounds_;  // increasing
};

class DriftStream final : public BernoulliStream {
 public:
  explicit DriftStream(const StreamSpec& spec) : BernoulliStream(spec) {}

  void losses(std::uint64_t round, std::span<double> out) override {
    fill_uniform(round, out);
    // `period` rounds a crossfade: the share of the coming expert is 0 in the first of them and 1 - 1/period in the
    // last.
    const std::uint64_t regime = (round - 1) / spec_.period;
    const double next_share = static_cast<double>((round - 1) % spec_.period) / static_cast<double>(spec_.period);
    const std::uint64_t leaving = good(regime);
    const std::uint64_t coming = good(regime + 1);
    for (std::size_t k = 0; k < out.size(); ++k) {
      double share = 0;
      if (k == leaving) share += 1 - next_share;
      if (k == coming) share += next_share;
      // share = 1 must give `best` to the last bit: 0.5 - (0.5 - 0.4) is not 0.4.
      out[k] = out[k] < (share * spec_.best + (1 - share) * spec_.others);
    }
  }

 private:
  std::uint64_t good(std::uint64_t regime) const { return drawn_once(spec_).below(regime, spec_.experts); }
};

}  // namespace

std::unique_ptr<LossStream> make_iid_stream(const StreamSpec& spec) {
  check_means(spec);
  return std::make_unique<IidStream>(spec);
}

std::unique_ptr<LossStream> make_small_loss_stream(const StreamSpec& spec) {
  if (spec.hits > spec.rounds)
    throw Error(Code::kOutOfRange,
                fmt::format("hits: found {}, expected at most the {} rounds", spec.hits, spec.rounds), "stream.hits");
  return std::make_unique<SmallLossStream>(spec);
}

std::unique_ptr<LossStream> make_drift_stream(const StreamSpec& spec) {
  check_means(spec);
  if (spec.period == 0) throw Error(Code::kOutOfRange, "period: found 0, expected at least 1 round", "stream.period");
  return std::make_unique<DriftStream>(spec);
}

}  // namespace hannan::detail
