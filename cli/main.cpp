// hannan: the command line program. One file per command; all.hpp lists them.
#include <cstddef>  // names the C library
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "entry.hpp"
#include "program.hpp"

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // What a search gave back is there for the next one. By itself the C library hands it to the system after each, where
  // it is more than 128 KB, and asks for it again: thousands of small searches took up to twice as long.
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // or the first line would stop it from rising by itself, up to this
#endif
  return hannan::detail::cli::run_main(hannan::detail::cli::make_program, {argv, argv + argc});
}
