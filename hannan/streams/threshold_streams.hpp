// Streams of losses for thresholds on m = K - 1 points: expert k says 1 on the points j >= k, and a round is one
// point with its label, so an expert's loss is 1 where it says the other label.
//
//   threshold-flips     a threshold drawn uniformly from 0..m is true; each round a uniform point with its true
//                       label, flipped in exactly `hits` uniformly drawn rounds
//   threshold-noise     the same, flipped in each round with probability `best`, which is then the true one's mean loss
//   threshold-sweep     at m evenly spread rounds, floor(i (T-1)/(m-1)) + 1, point i with label 0, in order; in
//                       other rounds no expert loses. The last threshold alone is always right, and the first ones
//                       look best.
//   threshold-midpoint  point m/2 every round, label 0 in odd rounds and 1 in even ones: halves the experts for ever
//
// The perturbation `thermometer` is the matrix of the paper for thresholds here (column j is the loss at point j with
// label 1), for which these outcomes have gamma = 1. Cost: O(K) a round.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "hannan/streams/loss_stream.hpp"

namespace hannan::detail {

// What a round of these streams is, for who plays it as a labelled point and not as a row of losses.
struct LabelledRound {
  std::uint64_t point;
  int label;
};

class LabelledStream : public LossStream {
 public:
  // A round without a point costs no expert anything: the sweep has such rounds.
  virtual std::optional<LabelledRound> labelled(std::uint64_t round) const = 0;
  virtual bool every_round_has_a_point() const { return true; }
};

// Each needs K >= 2, the sweep T >= m as well; kOutOfRange at "stream.<field>".
std::unique_ptr<LossStream> make_threshold_flips_stream(const StreamSpec& spec);
std::unique_ptr<LossStream> make_threshold_noise_stream(const StreamSpec& spec);
std::unique_ptr<LossStream> make_threshold_sweep_stream(const StreamSpec& spec);
std::unique_ptr<LossStream> make_threshold_midpoint_stream(const StreamSpec& spec);

}  // namespace hannan::detail
