// A file, a pipe or standard input as it arrives: a read returns what there is, so that a question is answered
// before the next one is asked, and an interrupt (interrupt.hpp) ends a read that waits.
#pragma once

#include <memory>
#include <string>

#include "hannan/io/bytes.hpp"

namespace hannan::detail::cli {

// "-" is standard input. kCannotRead when the file cannot be opened or read; kWorkLimit when the read was interrupted.
std::unique_ptr<ByteSource> live_input(const std::string& path);
// "stdin" for "-": the name that messages use.
std::string input_name(const std::string& path);
// Can the path be read only once: standard input, a pipe, a socket or a terminal?
bool read_once(const std::string& path);

}  // namespace hannan::detail::cli
