// What the routes of the API share.
#pragma once

#include <cstdint>
#include <string>

#include "service/api.hpp"
#include "service/json_values.hpp"

namespace hannan::detail::service {

// Marks a request that a node passed on, so that it is passed on once.
inline constexpr const char* kForwarded = "x-hannan-forwarded";

std::uint64_t whole(const std::string& text, std::uint64_t most, const std::string& at);  // kOutOfRange otherwise
std::string quoted(const std::string& name);                                              // as an ETag
bool names_tag(const std::string& header, const std::string& tag);  // If-None-Match: a list of tags, or *
std::string unquoted(std::string tag);                              // without quotes and a weak mark
std::string header_text(std::string text);                          // what a quoted text of a header may not hold: '
std::string idempotency_key(const Request& request);                // at most 128 bytes; empty: there is none
// The body of PUT .../state, which may be the state alone, as {"state": ..} with slots, cap and what else PUT of a
// learner takes besides problem and learner.
Json state_body(const Json& body);
std::string quarantine_reason(const Request& request);       // the body may say why
void add_warning(Reply& reply, const std::string& warning);  // several are one list, each once

}  // namespace hannan::detail::service
