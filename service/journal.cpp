#include "service/journal.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
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
  const std::string text = dump(line) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);  // one call: the stream's lock keeps lines whole
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
