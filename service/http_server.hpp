// The network: connections of HTTP/1.1 over TCP or a Unix socket, with limits on time and size. What a request means
// is the handler's business.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "service/http_message.hpp"

namespace hannan::detail::service {

struct HttpLimits {
  std::size_t connections = 1024;
  std::uint64_t body = 8U << 20U;
  std::uint32_t header = 16U << 10U;
  int idle_seconds = 60, header_seconds = 10, body_seconds = 30;
  unsigned threads = 2;
};

class HttpServer {
 public:
  using Handler = std::function<void(Request, Respond)>;
  // `listen` is "127.0.0.1:8080", "[::1]:8080" or "unix:/run/hannan.sock"; port 0 takes a free one. Throws kUsage where
  // it is none of these, kCannotWrite where it is taken.
  HttpServer(const std::string& listen, HttpLimits limits, Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::string address() const;  // "127.0.0.1:8080", with the port that was taken
  bool loopback() const;        // only this machine can reach it
  void start();                 // serves on threads of its own
  // No new connection is taken, those at rest are closed, and requests under way get so long to be answered.
  void stop(std::chrono::steady_clock::time_point end);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hannan::detail::service
