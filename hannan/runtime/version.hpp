// The version of the library, the program and the saved state they write.
#pragma once

#include <cstdint>

namespace hannan::detail {

inline constexpr const char* kVersion = "0.4.0";
inline constexpr std::uint64_t kStateVersion = 1;
// What `hannan bench --only signature` prints: two programs with the same one decide alike.
inline constexpr const char* kSignature = "5fc4b8ed493de08c";

}  // namespace hannan::detail
