// hannan serve: its flags; the program hannan-serve does the rest.
#include "flags.hpp"
#include "serve_flags.hpp"

namespace hannan::detail::cli {

void define_serve(Command& command) {
  add_serve_flags(command);
  command.program = "hannan-serve";
}

}  // namespace hannan::detail::cli
