// hannan: the command line program. One file per command; all.hpp lists them.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/core/near_name.hpp"
#include "hannan/core/printable.hpp"
#include "parse.hpp"
#include "program.hpp"
#include "standard_output.hpp"

namespace {

int guarded(const std::function<int()>& command) {
  try {
    return command();
  } catch (const hannan::Error& e) {
    return hannan::detail::cli::report_error(e);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "hannan: H208: there is not enough memory for this\n");
    return 3;
  } catch (const std::system_error& e) {  // of printing, mostly: finish_output() reports it
    if (!hannan::detail::cli::flush_output()) return 0;
    return hannan::detail::cli::report_error(hannan::Error(hannan::Code::kInternal, e.what()));
  }
}

int run_program(int argc, const char* const* argv) {
  using hannan::detail::cli::Parsed;
  const auto says = [&](std::string_view word) { return std::find(argv + 1, argv + argc, word) != argv + argc; };
  const bool all = says("--help-all");
  auto program = hannan::detail::cli::make_program([&](std::string_view name) { return all || says(name); });
  std::string names;
  std::vector<std::string> listed;
  bool known = argc < 2 || argv[1][0] == '-';
  for (const auto& command : program.commands) {
    if (command.is_listed()) {
      names += (names.empty() ? "" : ", ") + command.name;
      listed.push_back(command.name);
    }
    known = known || command.name == argv[1];
  }
  if (!known) {
    std::fprintf(stderr, "hannan: H100: found the command \"%s\", expected one of %s%s\n",
                 hannan::detail::printable(argv[1]).c_str(), names.c_str(),
                 hannan::detail::near_hint(argv[1], listed).c_str());
    return 2;
  }
  const Parsed parsed = hannan::detail::cli::parse(program, argc, argv);
  switch (parsed.what) {
    case Parsed::What::kPrint:
      std::fputs(parsed.text.c_str(), stdout);
      return 0;
    case Parsed::What::kWrong:
      std::fprintf(stderr, "hannan: H100: %s; hannan COMMAND --help shows usage and examples\n",
                   hannan::detail::printable(parsed.text).c_str());
      return 2;
    case Parsed::What::kRun:
      break;
  }
  return parsed.command->run();
}

}  // namespace

int main(int argc, char** argv) {
  hannan::detail::cli::outlive_readers();
  return hannan::detail::cli::finish_output(guarded([&] { return run_program(argc, argv); }));
}
