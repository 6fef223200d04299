// What the operator reads: one JSON object a line on standard error, {"time","level","event",...}. Neither outcomes nor
// tokens are in it.
#pragma once

#include <string>
#include <string_view>

#include "hannan/io/json.hpp"

namespace hannan::detail::service {

enum class Level { kError, kWarning, kInfo };
Level level_of(const std::string& name);  // "error", "warning" or "info"; kUnknownName otherwise

class Journal {
 public:
  explicit Journal(Level most) : most_(most) {}

  bool takes(Level level) const { return level <= most_; }
  // Any thread; a line is written at once and whole. Fields are those of `what`, an object.
  void write(Level level, std::string_view event, const Json& what) const;

 private:
  Level most_;
};

// The name of a request in logs and errors: what its client calls it (X-Request-Id, up to 64 letters, digits and -._),
// or a new one.
std::string request_name(const std::string& given);

}  // namespace hannan::detail::service
