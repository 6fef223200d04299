// Any lines as the record of a run: it holds, or there is an error that says at which line and why.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "drip.hpp"
#include "hannan/core/error.hpp"
#include "hannan/verify/verifier.hpp"
#include "small.hpp"

namespace hannan::detail {
namespace {

using fuzz::require;

// The first line says what problem is to be made.
bool is_let_through(std::string_view first) {
  try {
    const Json head = parse_json(first);
    const Json* problem = head.find("problem");
    return !fuzz::starts_programs(head) && (!problem || fuzz::is_small(*problem));
  } catch (const Error&) {
    return true;
  }
}

void check(std::string_view text) {
  if (!is_let_through(text.substr(0, text.find('\n')))) return;
  const LineSource lines = [&](std::string& line) {
    if (text.empty()) return false;
    line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return true;
  };
  try {
    const Verification result = verify_record(lines, "f");
    require(result.rounds > 0 && std::isfinite(result.total) && result.total >= 0 && !result.checked.empty());
  } catch (const Error& error) {
    require(error.at().starts_with("f") && error.code() != Code::kInternal && !error.message().empty());
  }
}

}  // namespace
}  // namespace hannan::detail

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hannan::detail::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
