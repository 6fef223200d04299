// Packs text as gzip, and reads whether a client takes it. bytes.hpp unpacks.
#pragma once

#include <string>

namespace hannan::detail {

std::string gzipped(const std::string& text);
bool accepts_gzip(const std::string& accept_encoding);  // the value of this header of HTTP

}  // namespace hannan::detail
