// What a page says of a run that saw a part of its rounds (docs/partial.md): what was seen, estimates called so,
// intervals against named actions and the limit. No regret, no best, no total that was not seen.
#pragma once

#include "hannan/io/json.hpp"

namespace hannan::detail {

// Is it the report of such a run?
bool is_in_part(const Json& report);
// Adds to `blocks`; the estimate whose mean bounds the mean regret is left out, being for JSON alone.
void write_part_blocks(Json& blocks, const Json& report);

}  // namespace hannan::detail
