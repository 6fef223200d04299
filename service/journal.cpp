// Lines are written under a lock, after a look whether they fit, so that no thread of the service waits for a reader.
#include "service/journal.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>

#include "hannan/core/error.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::string_view kNames[] = {"error", "warning", "info"};

std::string time_text() {
  using namespace std::chrono;
  const auto now = system_clock::now();
  const auto milliseconds = duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(system_clock::to_time_t(now)), milliseconds);
}

}  // namespace

Level level_of(const std::string& name) {
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i]) return static_cast<Level>(i);
  }
  throw Error(Code::kUnknownName, "found \"" + name + "\", expected error, warning or info", "--log-level");
}

void Journal::write(Level level, std::string_view event, const Json& what) const {
  if (!takes(level)) return;
  Json line = Json::object(
      {{"time", time_text()}, {"level", kNames[static_cast<std::size_t>(level)]}, {"event", std::string(event)}});
  for (const auto& [name, value] : what.as_object()) line.set(name, value);
  const std::lock_guard lock(mutex_);
  if (dropped_ > 0) {
    if (!put(fmt::format("{{\"time\":\"{}\",\"level\":\"warning\",\"event\":\"lines dropped\",\"count\":{}}}",
                         time_text(), dropped_))) {
      ++dropped_;
      ++all_dropped_;
      return;
    }
    dropped_ = 0;
  }
  if (put(dump(line))) return;
  ++dropped_;
  ++all_dropped_;
}

// A pipe that poll() calls writable takes PIPE_BUF bytes at once; files and terminals always do.
bool Journal::put(const std::string& line) const {
  pollfd to{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  if (line.size() >= PIPE_BUF || ::poll(&to, 1, 0) <= 0 || (to.revents & POLLOUT) == 0) return false;
  const std::string text = line + "\n";
  return ::write(STDERR_FILENO, text.data(), text.size()) >= 0;
}

std::string request_name(const std::string& given) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_';
  };
  if (!given.empty() && given.size() <= 64 && std::all_of(given.begin(), given.end(), plain)) return given;
  static const std::uint64_t start = std::random_device()() * (std::uint64_t{1} << 32U);
  static std::atomic<std::uint64_t> next = 0;
  return fmt::format("{:016x}", start + next++);
}

}  // namespace hannan::detail::service
