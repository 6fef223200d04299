// Parts of a line of OpenRTB by the names that exchanges use for them: request and response, alone or side by side.
#include "hannan/bidlog/openrtb_text.hpp"

namespace hannan::detail {
namespace {

const Json* either(const Json& json, std::string_view one, std::string_view other) {
  const Json* found = json.find(one);
  return found ? found : json.find(other);
}

}  // namespace

OpenRtbLine parts_of_line(const Json& json) {
  OpenRtbLine line{either(json, "request", "bidrequest"), either(json, "response", "bidresponse")};
  if (!line.request && !line.response)
    (json.find("seatbid") || json.find("nbr") ? line.response : line.request) = &json;
  return line;
}

std::string text_of(const Json* value) {
  if (value && value->is_array() && value->size() > 0) value = &(*value)[0];
  if (!value) return {};
  if (value->is_string()) return value->as_string();
  return value->is_number() ? number_text(value->as_number()) : std::string();
}

std::string text_at(const Json& request, std::string_view path, const Json* imp) {
  const Json* at = &request;
  for (bool first = true; at; first = false) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    if (at->is_array()) at = at->size() > 0 ? &(*at)[0] : nullptr;
    at = !at || !at->is_object() ? nullptr : first && imp && name == "imp" ? imp : at->find(name);
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  if (at && at->is_array()) at = at->size() > 0 ? &(*at)[0] : nullptr;
  if (at && at->is_bool()) return at->as_bool() ? "true" : "false";
  return text_of(at);
}

}  // namespace hannan::detail
