// What connections of a server share, all of them or those of one thread; only http_server.cpp includes it, by
// http_session.hpp.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <deque>

#include "service/http_server.hpp"

namespace hannan::detail::service {

struct Shared {
  HttpLimits limits;
  HttpServer::Handler handler;
  std::atomic<std::size_t> open = 0;
  std::atomic<bool> stopping = false;
};

// An event loop, which one thread runs: callbacks of its connections never meet.
struct Loop {
  boost::asio::io_context context{1};
  // Large bodies are read a piece at a time, and pieces of all connections of the loop come no closer than this: who
  // sends without end leaves most of the thread's time to requests that are small.
  static constexpr auto kBetweenPieces = std::chrono::microseconds(150);
  std::chrono::steady_clock::time_point next_piece = {};
};
using Loops = std::deque<Loop>;

}  // namespace hannan::detail::service
