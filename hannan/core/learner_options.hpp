// What a caller may choose about a learner and its account, whatever the problem: plain values, no cost.
#pragma once

namespace hannan {

// What the noise multiplier of `ada` and `flipflop` grows by in a round.
enum class GapRule {
  kMix,   // how much better x' is than x on everything it was chosen by (docs/theory-run.md, mix_gap)
  kLoss,  // f(x_t,y_t) - f(x'_t,y_t), the rule of version 0.2 (docs/theory.md, ada)
};

// When `flipflop` and `flipflop-hedge` change between their two parts: phi > 1, a > 0. The defaults give the least
// constant in the bound (docs/theory.md, flipflop).
struct FlipFlopConstants {
  double phi = 2.37;
  double a = 1.243;
};

// In which rounds the account looks for L*, the loss of the best fixed action: in every one (kEvery), in rounds 1, 2,
// 4, 8, ... (kPowers), or only when asked (kEnd). A look may cost a search.
enum class Track { kEvery, kPowers, kEnd };

}  // namespace hannan
