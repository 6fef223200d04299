// Any lines as a session of the pipe. Each has one line for an answer: ok, or an error with its code, a message and a
// place, never kInternal. Errors change nothing: the session without the refused lines has the same answers.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drip.hpp"
#include "hannan/core/error.hpp"
#include "hannan/runtime/pipe.hpp"
#include "small.hpp"

namespace hannan::detail {
namespace {

using fuzz::require;

constexpr std::size_t kMostLines = 24;

// What makes something is to be small; so is what a limit or a number of actions is given by.
bool is_let_through(std::string_view line) {
  try {
    const Json request = parse_json(line);
    if (fuzz::starts_programs(request)) return false;
    const Json* op = request.find("op");
    return (op && (*op == Json("bound") || *op == Json("loss") || *op == Json("observe"))) || fuzz::is_small(request);
  } catch (const Error&) {
    return true;
  }
}

bool is_ok(const std::string& text) {
  require(text.find('\n') == std::string::npos);
  const Json answer = parse_json(text);
  if (answer.at("ok").as_bool()) return true;
  const Json& error = answer.at("error");
  require(answer.size() == 2 && error.size() == 3);
  require(!error.at("message").as_string().empty() && error.at("at").is_string());
  require(error.at("code").as_string() != code_name(Code::kInternal));
  return false;
}

void check(std::string_view text) {
  Pipe pipe;
  std::vector<std::string> taken, answers;
  for (std::size_t i = 0; i < kMostLines && !text.empty(); ++i) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!is_let_through(line)) continue;
    std::string answer = pipe.answer_line(line);
    if (!is_ok(answer)) continue;
    taken.emplace_back(line);
    answers.push_back(std::move(answer));
  }
  Pipe again;
  for (std::size_t i = 0; i < taken.size(); ++i) require(again.answer_line(taken[i]) == answers[i]);
}

}  // namespace
}  // namespace hannan::detail

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hannan::detail::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
