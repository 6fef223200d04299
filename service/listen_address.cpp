// HOST:PORT of --listen; an IPv6 address stands in brackets. The last colon parts the two.
#include "service/listen_address.hpp"

#include "hannan/core/error.hpp"
#include "hannan/core/small_letters.hpp"

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

std::vector<std::string> known_hosts(const std::string& listen, const std::vector<std::string>& given) {
  std::vector<std::string> hosts;
  for (const auto& host : given) hosts.push_back(small_letters(host));
  if (listen.starts_with("unix:")) return hosts;  // none: no browser reaches it
  const std::string listens = split_address(listen).host;
  const bool own = listens == "localhost" || listens == "::1" || listens.starts_with("127.");
  if (!own && hosts.empty()) return hosts;
  hosts.insert(hosts.end(), {"localhost", "127.0.0.1", "[::1]", small_letters(listens)});
  return hosts;
}

std::string node_url(const std::string& given, const std::string& listen, const std::string& address) {
  if (given.empty()) return listen.starts_with("unix:") ? "" : "http://" + address;
  if (!given.starts_with("http://") && !given.starts_with("https://"))
    throw Error(Code::kUsage, "found \"" + given + "\", expected http:// or https://", "--url");
  return given.substr(0, given.find_last_not_of('/') + 1);
}

}  // namespace hannan::detail::service
