// A TOML document as JSON, with the line of every value: for files that people write.
//
// Dates and times have no JSON and are refused; integers keep to 2^53 as everywhere. A path is the one that
// fields.hpp puts into its complaints ("learners[2].set.c"), so a complaint about a value finds its line.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "hannan/io/json.hpp"

namespace hannan::detail {

struct TomlDocument {
  std::string name;
  Json value = Json::object();
  std::map<std::string, std::size_t, std::less<>> lines;  // path -> line, from 1

  // "plan.toml:12", the line of the longest part of the path that is in the document; the name alone where none is.
  std::string where(std::string_view path) const;
};

// kMalformed with the line where it is no TOML; `name` is for messages.
TomlDocument parse_toml(std::string_view text, const std::string& name);
// kCannotRead, and kTooLarge beyond 16 MiB.
TomlDocument read_toml(const std::string& path);

}  // namespace hannan::detail
