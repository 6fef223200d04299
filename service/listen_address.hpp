// "127.0.0.1:8080", "[::1]:8080" or "localhost:8080" in its parts.
#pragma once

#include <string>

namespace hannan::detail::service {

struct HostAndPort {
  std::string host;
  unsigned short port = 0;
};
HostAndPort split_address(const std::string& listen);  // throws kUsage

}  // namespace hannan::detail::service
