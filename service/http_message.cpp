// Requests and targets as plain values, without Boost. A path is split and decoded part by part, so that an encoded
// slash stays inside its part; "." and "..", empty parts, malformed escapes and NUL are refused and never interpreted.
#include "service/http_message.hpp"

namespace hannan::detail::service {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

enum class Plus { kSpace, kPlus };

// Percent escapes; a plus is a blank in queries alone.
std::optional<std::string> decoded(std::string_view text, Plus plus) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      // %00 would end strings of C libraries early.
      if (high < 0 || low < 0 || (high == 0 && low == 0)) return std::nullopt;
      out += static_cast<char>(static_cast<unsigned char>(high * 16 + low));
      i += 2;
    } else {
      out += text[i] == '+' && plus == Plus::kSpace ? ' ' : text[i];
    }
  }
  return out;
}

}  // namespace

std::string Request::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

std::string Target::value(const std::string& name, const std::string& fallback) const {
  const auto found = query.find(name);
  return found == query.end() ? fallback : found->second;
}

std::optional<Target> parse_target(std::string_view text) {
  if (text.empty() || text[0] != '/') return std::nullopt;
  Target target;
  const std::size_t mark = text.find('?');
  std::string_view path = text.substr(0, mark);
  path.remove_prefix(1);
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    const auto part = decoded(path.substr(0, end), Plus::kPlus);
    if (!part || part->empty() || *part == "." || *part == "..") return std::nullopt;
    target.path.push_back(*part);
    if (end == std::string_view::npos) break;
    path.remove_prefix(end + 1);
  }
  if (mark == std::string_view::npos) return target;
  std::string_view query = text.substr(mark + 1);
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    const std::size_t equals = pair.find('=');
    const auto name = decoded(pair.substr(0, equals), Plus::kSpace);
    const auto value =
        equals == std::string_view::npos ? std::string() : decoded(pair.substr(equals + 1), Plus::kSpace);
    if (!name || !value) return std::nullopt;
    target.query[*name] = *value;
    if (end == std::string_view::npos) break;
    query.remove_prefix(end + 1);
  }
  return target;
}

std::string percent_encoded(std::string_view text) {
  static constexpr std::string_view kPlain = "-._~";
  std::string out;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += "0123456789ABCDEF"[byte >> 4U];
    out += "0123456789ABCDEF"[byte & 15U];
  }
  return out;
}

std::optional<BodyStream::Chunk> made_chunk(BodyStream& source) {
  try {
    return source.next();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace hannan::detail::service
