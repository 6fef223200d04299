// Standard output is written, or the program fails and says why: a full disk behind `>` is an error of every command.
#pragma once

#include "hannan/core/error.hpp"

namespace hannan::detail::cli {

// 128 + SIGPIPE: what a shell shows of a program whose reader has gone, as in `hannan run ... | head -1`.
inline constexpr int kReaderGone = 141;

// Writing to a reader that has gone, or beyond the limit on the size of files, fails from here on, instead of ending
// the program before it has saved its work.
void outlive_readers();
// Passes on what was printed so far; false once standard output cannot be written.
bool flush_output();
// Prints an error, except that of writing to a reader that has gone; the status to leave with.
int report_error(const Error& error);
// The status to leave with: `status`, unless standard output could not be written. Then kReaderGone without a
// message where its reader has gone, otherwise that of H209, which is printed.
int finish_output(int status);

}  // namespace hannan::detail::cli
