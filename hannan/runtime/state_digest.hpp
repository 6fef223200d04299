// A saved state carries a digest of itself, so that a changed digit is refused instead of played on.
//
// The digest is over the content and not over the bytes: fields may be put in another order and numbers written
// another way ("0.50"), as JSON tools do, but no value may change. It guards against damage, not against forgery.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "hannan/core/archive.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {

// The state with its digest as the last field; one that it has already is made anew.
Json sealed(const Json& state);

// The digest of `rest` with one more field, which is archived. `archive` is called more than once
// (io/digest_archive.hpp).
std::string digest_with(const Json& rest, std::string_view name, const std::function<void(Archive&)>& archive);

// Throws kBadState where the state has a digest that is not its own. States of version 0.2 and before have none.
void check_digest(const Json& state);

// What every reader of a state asks first, before it makes the problem: that it is an object with problem, learner and
// state, unchanged, of this version, and with no field that states do not have. Throws kBadState and the errors of
// Fields, at "state".
void check_state(const Json& state);

}  // namespace hannan::detail
