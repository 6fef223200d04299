// Commands in programs of their own, so that `hannan` need not be linked with what they alone need. This process
// becomes the other program: it keeps its id, its environment and its standard streams, and its exit status is that
// program's.
#pragma once

#include <string>
#include <vector>

namespace hannan::detail::cli {

// Looked for in the folder of the running program, behind links; in ../libexec/hannan and ../bin of that folder; on
// PATH. Throws where it is not found (kUnavailable) or found and cannot be started (kCannotRead).
[[noreturn]] void run_beside(const std::string& name, const std::vector<const char*>& arguments);

}  // namespace hannan::detail::cli
