#include <cstdio>
#include <memory>
#include <string>

#include "command.hpp"

namespace hannan::detail::cli {
namespace {

struct @Type@Flags {
  std::string part;
};

// Prints the problems whose name holds the given part.
int print_problems(const @Type@Flags& flags) {
  for (const auto& kind : problem_kinds()) {
    const std::string name(kind.name);
    if (name.find(flags.part) != std::string::npos) std::puts(name.c_str());
  }
  return 0;
}

}  // namespace

void define_@file@(Command& command) {
  auto flags = std::make_shared<@Type@Flags>();
  command.add("--part", &flags->part, "only names that hold this text");
  command.examples = {"hannan @name@ --part game"};
  command.run = [flags] { return print_problems(*flags); };
}

}  // namespace hannan::detail::cli
