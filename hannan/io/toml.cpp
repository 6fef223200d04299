// TOML to JSON, with the line of every part. The library sorts keys; they are put back in the order of the file by
// their places. Paths are those of our errors, "tables[1].learners", so that a complaint finds its line.
#include "hannan/io/toml.hpp"

#include <cmath>
#include <utility>

// All of the library inside this one file: nothing to link, and no type of it gets out.
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "hannan/core/error.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/fields.hpp"

namespace hannan::detail {
namespace {

class Reader {
 public:
  explicit Reader(TomlDocument& document) : document_(document) {}

  // Notes the line of every part under its path, for errors that are found later.
  Json read(const toml::node& node, const std::string& path) {
    document_.lines.emplace(path, node.source().begin.line);
    if (const auto* table = node.as_table()) return object(*table, path);
    if (const auto* list = node.as_array()) {
      Json items = Json::array();
      for (std::size_t i = 0; i < list->size(); ++i) items.push_back(read(*list->get(i), path_of(path, i)));
      return items;
    }
    if (const auto* text = node.as_string()) return Json(text->get());
    if (const auto* truth = node.as_boolean()) return Json(truth->get());
    if (const auto* number = node.as_floating_point()) {
      if (std::isnan(number->get())) refuse(Code::kNotANumber, "found nan, expected a number", path);
      return Json(number->get());
    }
    if (const auto* number = node.as_integer()) {
      const std::int64_t whole = number->get();
      if (whole > kAnyInteger.hi || whole < kAnyInteger.lo) {
        refuse(Code::kOutOfRange, "found " + std::to_string(whole) + ", expected at most 2^53 in absolute value", path);
      }
      return Json(whole);
    }
    refuse(Code::kWrongType, "found a date or time, expected a number, text, a list or a table", path);
  }

 private:
  // The library sorts its keys; a reader expects them as they were written.
  Json object(const toml::table& table, const std::string& path) {
    std::map<std::pair<std::size_t, std::size_t>, std::string> in_order;
    for (const auto& [key, unused] : table)
      in_order.emplace(std::pair(key.source().begin.line, key.source().begin.column), key.str());
    Json fields = Json::object();
    for (const auto& [place, key] : in_order) {
      const std::string below = path_of(path, key);
      document_.lines.emplace(below, place.first);
      fields.set(key, read(*table.get(key), below));
    }
    return fields;
  }

  [[noreturn]] void refuse(Code code, const std::string& message, const std::string& path) const {
    throw Error(code, message, document_.where(path) + ": " + path);
  }

  TomlDocument& document_;
};

}  // namespace

std::string TomlDocument::where(std::string_view path) const {
  // The line of a path that is not in the document is that of the nearest part around it.
  for (;;) {
    if (const auto found = lines.find(path); found != lines.end() && !path.empty())
      return name + ":" + std::to_string(found->second);
    const auto cut = path.find_last_of(".[");
    if (cut == std::string_view::npos) return name;
    path = path.substr(0, cut);
  }
}

TomlDocument parse_toml(std::string_view text, const std::string& name) {
  TomlDocument document{.name = name, .value = Json::object(), .lines = {}};
  try {
    const toml::table table = toml::parse(text, name);
    document.value = Reader(document).read(table, "");
  } catch (const toml::parse_error& e) {
    throw Error(Code::kMalformed, std::string(e.description()),
                name + ":" + std::to_string(e.source().begin.line) + ":" + std::to_string(e.source().begin.column));
  }
  return document;
}

TomlDocument read_toml(const std::string& path) {
  // A plan is written by hand: 16 MiB is no plan.
  constexpr std::size_t kMost = std::size_t{1} << 24;
  const auto source = bytes_of_file(path);
  std::string text;
  char block[1 << 14];
  while (const std::size_t got = source->read(block, sizeof block)) {
    text.append(block, got);
    if (text.size() > kMost) throw Error(Code::kTooLarge, "found more than 16 MiB, expected a plan", path);
  }
  return parse_toml(text, path);
}

}  // namespace hannan::detail
