// The answer to outcomes that were accepted: as a value, which has a place in other answers, and as text.
#pragma once

#include <string>

#include "service/host.hpp"

namespace hannan::detail::service {

enum class Shown { kSums, kEach };    // kEach: the round and the loss of each outcome too
enum class Repeatable { kYes, kNo };  // kNo: not all of them had an id
Json accepted_json(const Accepted::Part& part, Shown shown);
std::string accepted_text(const Accepted::Part& part, Shown shown, Repeatable repeatable);

}  // namespace hannan::detail::service
