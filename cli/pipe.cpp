// `hannan pipe`: a line in, a line out, flushed at once, until standard input ends (runtime/pipe.cpp).
#include <cstdio>
#include <memory>
#include <string>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/lines.hpp"
#include "hannan/oracles/search_threads.hpp"
#include "hannan/runtime/pipe.hpp"
#include "live_input.hpp"
#include "standard_output.hpp"
#include "threads_flag.hpp"

namespace hannan::detail::cli {
namespace {

int serve() {
  Pipe pipe;
  LineReader lines(live_input("-"), "stdin");
  std::string_view line;
  for (;;) {
    std::string answer;
    try {
      if (!lines.next(line)) return 0;
      answer = pipe.answer_line(line);
    } catch (const Error& e) {
      if (e.code() != Code::kTooLarge) throw;  // a line too long is passed over; what cannot be read ends the session
      answer = dump(error_answer(e));
    }
    answer += '\n';
    std::fwrite(answer.data(), 1, answer.size(), stdout);
    if (!flush_output()) return 0;  // which fails where the program ends
  }
}

}  // namespace

void define_pipe(Command& command) {
  auto most = std::make_shared<unsigned>(1);
  add_threads_flag(command, *most);
  command.notes = "Every request is one JSON object on one line, and so is every answer.";
  command.examples = {
      "printf '%s\\n' '{\"op\":\"problem\",\"as\":\"p\",\"kind\":\"experts\",\"params\":{\"experts\":3}}' \\\n"
      "    '{\"op\":\"learner\",\"as\":\"l\",\"in\":\"p\"}' '{\"op\":\"act\",\"in\":\"l\"}' \\\n"
      "    '{\"op\":\"observe\",\"in\":\"l\",\"outcome\":[0,1,0.5]}' | hannan pipe"};
  command.see = "All requests: docs/pipe.md.";
  command.run = [most] {
    const SearchThreads threads(*most);
    return serve();
  };
}

}  // namespace hannan::detail::cli
