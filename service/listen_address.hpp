// The address of --listen ("127.0.0.1:8080", "[::1]:8080", "localhost:8080" or "unix:PATH") and the names that go with
// it: those by which clients reach the service.
#pragma once

#include <string>
#include <vector>

namespace hannan::detail::service {

struct HostAndPort {
  std::string host;
  unsigned short port = 0;
};
HostAndPort split_address(const std::string& listen);  // throws kUsage

// The names of --host, in lower case, and those of the address that it listens to, where that is this machine's own:
// any page that a browser on it shows could reach it. Other addresses need tokens, which no page has. Empty: every
// name.
std::vector<std::string> known_hosts(const std::string& listen, const std::vector<std::string>& given);

// Where other nodes send clients of this one's learners: --url, or the address itself; "" where that is a local socket.
// Throws kUsage.
std::string node_url(const std::string& given, const std::string& listen, const std::string& address);

}  // namespace hannan::detail::service
