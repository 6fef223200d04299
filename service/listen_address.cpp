// HOST:PORT of --listen; an IPv6 address stands in brackets. The last colon parts the two.
#include "service/listen_address.hpp"

#include "hannan/core/error.hpp"

namespace hannan::detail::service {

HostAndPort split_address(const std::string& listen) {
  const std::size_t colon = listen.rfind(':');
  std::string host = colon == std::string::npos ? "" : listen.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  unsigned long port = 65536;
  if (colon != std::string::npos && colon + 1 < listen.size() &&
      listen.find_first_not_of("0123456789", colon + 1) == std::string::npos && listen.size() - colon <= 6)
    port = std::stoul(listen.substr(colon + 1));
  if (host.empty() || port > 65535)
    throw Error(Code::kUsage, "found \"" + listen + "\", expected HOST:PORT or unix:PATH", "--listen");
  return {host == "localhost" ? "127.0.0.1" : host, static_cast<unsigned short>(port)};
}

}  // namespace hannan::detail::service
