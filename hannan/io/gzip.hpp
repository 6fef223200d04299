// Packs text as gzip, and reads whether a client takes it. bytes.hpp unpacks.
#pragma once

#include <cstddef>
#include <string>

namespace hannan::detail {

// The text is handed to zlib in pieces, whose sizes it counts in 32 bits; the bytes are the same for any piece.
inline constexpr std::size_t kMostGzipPiece = std::size_t{1} << 30;
std::string gzipped(const std::string& text, std::size_t piece = kMostGzipPiece);
bool accepts_gzip(const std::string& accept_encoding);  // the value of this header of HTTP

}  // namespace hannan::detail
