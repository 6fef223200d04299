// The errors that only the service has, and the HTTP status of every error (docs/errors.md, docs/service.md).
#pragma once

#include "hannan/core/error.hpp"

namespace hannan::detail::service {

inline constexpr Code kOtherBody{801};        // the name is taken by a learner with another configuration
inline constexpr Code kIdConflict{802};       // the id of an outcome was used with other content
inline constexpr Code kOldGeneration{803};    // a decision of an earlier generation
inline constexpr Code kUnknownDecision{805};  // a decision that was never made
inline constexpr Code kTrimmed{806};          // a decision or round that is no longer kept
inline constexpr Code kNotCurrent{807};       // If-Match names a decision that is not the current one
inline constexpr Code kOtherNode{808};        // another node has the learner
inline constexpr Code kNoToken{810};          // no token, or an unknown one
inline constexpr Code kNotAllowed{811};       // the token does not allow this
inline constexpr Code kOtherOrigin{812};      // a web page of another origin wants to change something
inline constexpr Code kQueueFull{820};        // too many outcomes of this learner wait
inline constexpr Code kNotReady{821};         // starting, stopping, or the log cannot be written
inline constexpr Code kTooFast{823};          // more requests a second than a token may send
inline constexpr Code kNoMemory{822};         // more than the memory or number of learners allowed

int http_status(Code code);

}  // namespace hannan::detail::service
