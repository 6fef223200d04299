// A noise law and a key make a draw: the noise of round t is a function of (key, purpose, t) alone.
//
// The same key gives the same noise, whatever else was drawn before or beside it.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "hannan/core/draw.hpp"
#include "hannan/core/keyed_random.hpp"
#include "hannan/core/noise.hpp"

namespace hannan {

// Laws that fill every column with sign +1; one-sided laws on another hedge sign take their own draw.
template <NoiseLaw Z>
Draw seeded(Z law, Key key, Purpose purpose = Purpose::kNoise) {
  return {[law = std::move(law), key, purpose](std::uint64_t round, std::span<double> alpha) {
    law.draw(KeyedRandom(key, purpose, round), alpha, {});
  }};
}

}  // namespace hannan
