// The answer to outcomes that were accepted.
#pragma once

#include "service/host.hpp"

namespace hannan::detail::service {

enum class Shown { kSums, kEach };  // kEach: the round and the loss of each outcome too
Json accepted_json(const Accepted::Part& part, Shown shown);

}  // namespace hannan::detail::service
