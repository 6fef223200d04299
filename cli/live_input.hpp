// Standard input as it arrives: a read returns what there is, so that a question is answered before
// the next one is asked.
#pragma once

#include <memory>

#include "hannan/io/bytes.hpp"

namespace hannan::cli {

std::unique_ptr<ByteSource> live_standard_input();

}  // namespace hannan::cli
