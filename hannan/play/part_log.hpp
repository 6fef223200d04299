// A log with a control group (docs/partial.md): JSON lines {"look":true,"share":0.05,"outcome":Y} of rounds that were
// seen in full, and {"look":false,"share":0.05}, with "rounds": n for so many at once, of the others. It teaches a
// learner with share `logged`, whose decisions were never played.
#pragma once

#include <memory>
#include <string>

#include "hannan/streams/source.hpp"

namespace hannan::detail {

// Reads it line by line: what the learner is told is Source::told(), and the learner reads it.
std::unique_ptr<Source> part_log_source(const std::string& path);

}  // namespace hannan::detail
