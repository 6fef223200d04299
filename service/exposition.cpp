// Numbers are written so that they are read back as the same number: a sum of seconds must grow by its smallest parts
// however large it is.
#include "service/exposition.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hannan::detail::service {
namespace {

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

}  // namespace

std::string Exposition::label(std::string_view name, std::string_view value) {
  std::string text = std::string(name) + "=\"";
  for (const char c : value) {
    if (c == '\\' || c == '"') text += '\\';
    c == '\n' ? text += "\\n" : text += c;
  }
  return text + '"';
}

Exposition& Exposition::family(const Family& family) {
  constexpr const char* kTypes[] = {"counter", "gauge", "histogram"};
  name_ = family.name;
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", family.name, family.help, family.name,
                       kTypes[static_cast<std::size_t>(family.type)]);
  return *this;
}

Exposition& Exposition::sample(double value, std::string_view labels, std::string_view suffix) {
  text_ += name_;
  text_ += suffix;
  if (!labels.empty()) text_ += fmt::format("{{{}}}", labels);
  text_ += ' ';
  text_ += number_text(value);
  text_ += '\n';
  return *this;
}

}  // namespace hannan::detail::service
