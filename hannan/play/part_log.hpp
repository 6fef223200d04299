// A log with a control group (docs/partial.md): JSON lines {"look":true,"share":0.05,"outcome":Y} of rounds that were
// seen in full, and {"look":false,"share":0.05}, with "rounds": n for so many at once, of the others. It teaches a
// learner with share `logged`, whose decisions were never played.
#pragma once

#include <cstdint>
#include <string>

#include "hannan/runtime/part_learner.hpp"

namespace hannan::detail {

// Tells the learner every line; returns how many there were. A line that is refused throws with its place in the file.
std::uint64_t play_log(PartLearner& learner, const std::string& path);

}  // namespace hannan::detail
