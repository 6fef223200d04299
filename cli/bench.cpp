// hannan bench: its flags; the program hannan-bench does the rest.
#include "bench_flags.hpp"
#include "flags.hpp"

namespace hannan::detail::cli {

void define_bench(Command& command) {
  add_bench_flags(command);
  command.program = "hannan-bench";
}

}  // namespace hannan::detail::cli
