// Values in headers and queries: whole numbers with a limit, entity tags (quoted, weak, lists, "*"), warnings.
#include "service/route_values.hpp"

#include <algorithm>
#include <charconv>

#include "hannan/core/error.hpp"

namespace hannan::detail::service {

std::uint64_t whole(const std::string& text, std::uint64_t most, const std::string& at) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > most)
    throw Error(Code::kOutOfRange, "found \"" + text + "\", expected a whole number up to " + std::to_string(most), at);
  return value;
}

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

bool names_tag(const std::string& header, const std::string& tag) {
  for (std::size_t at = 0; at < header.size();) {
    const std::size_t end = std::min(header.find(',', at), header.size());
    std::string one = header.substr(at, end - at);
    std::erase(one, ' ');
    if (one == "*" || unquoted(one) == tag) return true;
    at = end + 1;
  }
  return false;
}

std::string unquoted(std::string tag) {
  if (tag.starts_with("W/")) tag.erase(0, 2);
  if (tag.size() >= 2 && tag.front() == '"' && tag.back() == '"') tag = tag.substr(1, tag.size() - 2);
  return tag;
}

std::string header_text(std::string text) {
  for (char& c : text) {
    if (c < ' ' || c > '~' || c == '"' || c == '\\') c = '\'';
  }
  return text;
}

std::string idempotency_key(const Request& request) {
  std::string key = request.header("idempotency-key");
  if (key.size() > 128)
    throw Error(Code::kOutOfRange, "found a key of more than 128 bytes, expected a shorter one", "Idempotency-Key");
  return key;
}

void add_warning(Reply& reply, const std::string& warning) {
  for (auto& [name, value] : reply.headers) {
    if (name != "Warning") continue;
    if (value.find(warning) == std::string::npos) value += ", " + warning;
    return;
  }
  reply.headers.emplace_back("Warning", warning);
}

Json state_body(const Json& body) {
  return body.is_object() && body.find("version") ? Json::object({{"state", body}}) : body;
}

std::string quarantine_reason(const Request& request) {
  if (request.body.empty()) return "by hand";
  const Json body = parse_json(request.body);
  Fields in(body, "");
  std::string why = in.word("why", "by hand");
  in.done();
  return why;
}

}  // namespace hannan::detail::service
