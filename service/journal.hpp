// What the operator reads: one JSON object a line on standard error, {"time","level","event",...}. Neither outcomes nor
// tokens are in it. A reader that does not keep up never makes the service wait: lines that find no space in the pipe
// are dropped, and the next one that does says how many.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
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
  // Any thread; a line is written whole, up to 4,096 bytes, or not at all. Fields are those of `what`, an object.
  void write(Level level, std::string_view event, const Json& what) const;
  std::uint64_t dropped() const { return all_dropped_; }  // lines since the start

 private:
  bool put(const std::string& line) const;

  Level most_;
  mutable std::mutex mutex_;
  mutable std::uint64_t dropped_ = 0;  // lines since the last that was written
  mutable std::atomic<std::uint64_t> all_dropped_ = 0;
};

// The name of a request in logs and errors: what its client calls it (X-Request-Id, up to 64 letters, digits and -._),
// or a new one.
std::string request_name(const std::string& given);

}  // namespace hannan::detail::service
