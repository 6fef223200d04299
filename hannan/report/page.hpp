// One HTML file out of the data of a report and the embedded parts: no network, no other file.
#pragma once

#include <string>

#include "hannan/io/json.hpp"

namespace hannan::detail {

// The data of a page: {"report","program","title","sections"}.
Json page_data(const std::string& title, Json sections);

// Data stand in a script element of type application/json with every < escaped, so no name in them can end it;
// page.js writes them as text only. The policy in the page forbids every request and every script but ours.
std::string page_of(const Json& data, const std::string& title);

}  // namespace hannan::detail
