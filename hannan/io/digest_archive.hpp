// The digest of a state while it is archived, without the state as one value.
//
// The digest (runtime/state_digest.hpp) is over the fields of every object in order of their names, which is not the
// order in which they are archived. So the state is archived once for each field of its outermost object, in order of
// their names, and the others are passed over; a list is digested element by element. Memory: one element of a list
// among the outermost fields, or the whole of any other such field.
#pragma once

#include <functional>

#include "hannan/core/archive.hpp"
#include "hannan/core/digest.hpp"

namespace hannan::detail {

// Adds the object that `archive` writes, each time in the same way, as state_digest.cpp adds a value.
void add_archived(Digest& digest, const std::function<void(Archive&)>& archive);

}  // namespace hannan::detail
