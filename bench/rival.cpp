// Runs a rival as a child process: one line of JSON in, one out, within a time limit. A rival that is missing or fails
// makes a row with a note and no ratio; it never ends the benchmark.
#include "bench/rival.hpp"

#include <filesystem>

#include "hannan/core/error.hpp"
#include "hannan/io/child_process.hpp"

namespace hannan::detail::bench {
namespace {

// For the shell: in single quotes only the quote itself means something.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

Json failed(const std::string& why) { return Json::object({{"error", why}}); }

}  // namespace

Json ask_rival(const Setting& setting, const RivalRequest& request) {
  const std::string path = setting.rivals + "/" + request.program;
  const bool script = path.ends_with(".py");
  if (!std::filesystem::exists(path)) return failed("no " + request.program + " here");
  if (script && setting.python.empty()) return failed("no python3 with NumPy here");
  try {
    ChildProcess child({.command = (script ? quoted(setting.python) + " -B " : std::string()) + quoted(path),
                        .seconds = request.seconds});
    return parse_json(child.exchange(dump(request.question)));
  } catch (const ChildFailure& e) {
    return failed(request.program + ": " + e.what());
  } catch (const Error& e) {
    return failed(request.program + ": " + e.what());
  }
}

// The one on the path may be a user's own, without the system's NumPy.
std::string find_python() {
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    try {
      ChildProcess child({.command = std::string(python) + " -c 'import numpy; print(input())'", .seconds = 20});
      if (child.exchange("here") == "here") return python;
    } catch (const ChildFailure&) {
      continue;  // the next one
    }
  }
  return {};
}

}  // namespace hannan::detail::bench
