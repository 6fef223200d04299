// hannan: the command line program. One file per command; all.hpp lists them.
#include "entry.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
  return hannan::detail::cli::run_main(hannan::detail::cli::make_program, {argv, argv + argc});
}
