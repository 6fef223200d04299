// What all connections of a server share; only http_server.cpp includes it, by http_session.hpp.
#pragma once

#include <atomic>
#include <cstddef>

#include "service/http_server.hpp"

namespace hannan::detail::service {

struct Shared {
  HttpLimits limits;
  HttpServer::Handler handler;
  std::atomic<std::size_t> open = 0;
  std::atomic<bool> stopping = false;
};

}  // namespace hannan::detail::service
