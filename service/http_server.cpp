// The server: one listener, a few event loops with a thread each, and sessions that stay on one loop and own themselves
// while a callback waits (http_session.hpp). A loop of its own needs no locks between its callbacks and wakes no other
// thread. stop() ends the listener and idle sessions, waits up to the grace for those at work, then stops the loops and
// joins. The handler is called on a thread of the server and may answer from any thread.
#include "service/http_server.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "service/http_listener.hpp"
#include "service/listen_address.hpp"

namespace hannan::detail::service {
namespace {

// A socket that a killed server left is in the way; nothing else is removed.
void remove_socket(asio::io_context& context, const std::string& path) {
  const std::string at = "--listen unix:" + path;
  struct stat found = {};
  if (::lstat(path.c_str(), &found) != 0) return;
  if (!S_ISSOCK(found.st_mode))
    throw Error(Code::kCannotWrite, "found a file that is no socket, expected a name that is free", at);
  asio::local::stream_protocol::socket probe(context);
  ErrorCode refused;
  if (!probe.connect(asio::local::stream_protocol::endpoint(path), refused))
    throw Error(Code::kCannotWrite, "found a socket that a running program listens to, expected a free one", at);
  ::unlink(path.c_str());
}

// Until the server stops. What a connection throws, where memory is short, ends that connection alone.
void serve(asio::io_context& loop) {
  for (;;) {
    try {
      loop.run();
      return;
    } catch (const std::exception&) {
      continue;
    }
  }
}

}  // namespace

// Declared in the order in which they are needed; destroyed the other way round, threads first (stop() has joined
// them).
class HttpServer::Parts {
 public:
  explicit Parts(unsigned count) {
    for (unsigned i = 0; i < count; ++i) work.emplace_back(loops.emplace_back().context.get_executor());
  }
  Loops loops;
  std::vector<asio::executor_work_guard<Executor>> work;  // of each loop
  std::shared_ptr<Shared> shared = std::make_shared<Shared>();
  std::unique_ptr<AnyListener> listener;
  std::vector<std::thread> threads;
  std::string socket_path;
};

HttpServer::HttpServer(const std::string& listen, HttpLimits limits, Handler handler)
    : parts_(std::make_unique<Parts>(limits.threads)) {
  parts_->shared->limits = limits;
  parts_->shared->handler = std::move(handler);
  try {
    if (listen.starts_with("unix:")) {
      parts_->socket_path = listen.substr(5);
      if (parts_->socket_path.empty())
        throw Error(Code::kUsage, "found no path after unix:, expected one, such as unix:hannan.sock", "--listen");
      remove_socket(parts_->loops.front().context, parts_->socket_path);
      parts_->listener = std::make_unique<Listener<asio::local::stream_protocol>>(
          parts_->loops, asio::local::stream_protocol::endpoint(parts_->socket_path), parts_->shared);
      return;
    }
    const auto [host, port] = split_address(listen);
    ErrorCode bad;
    const auto address = asio::ip::make_address(host, bad);
    if (bad) throw Error(Code::kUsage, "found \"" + host + "\", expected an IP address, or localhost", "--listen");
    parts_->listener = std::make_unique<Listener<asio::ip::tcp>>(parts_->loops, asio::ip::tcp::endpoint(address, port),
                                                                 parts_->shared);
  } catch (const boost::system::system_error& e) {
    throw Error(Code::kCannotWrite, std::string("found ") + e.code().message() + ", expected an address that is free",
                "--listen " + listen);
  }
}

HttpServer::~HttpServer() { stop(std::chrono::steady_clock::now()); }

std::string HttpServer::address() const { return parts_->listener->address(); }
bool HttpServer::loopback() const { return parts_->listener->loopback(); }

// From here on the handler is called, on as many threads as there are.
void HttpServer::start() {
  parts_->listener->start();
  for (auto& loop : parts_->loops) parts_->threads.emplace_back([&loop] { serve(loop.context); });
}

void HttpServer::stop(std::chrono::steady_clock::time_point end) {
  if (parts_->threads.empty()) return;
  parts_->shared->stopping = true;
  parts_->listener->close();
  while (parts_->shared->open > 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  parts_->work.clear();
  // Sessions that are still open are destroyed with their loop; their clients see the connection end.
  for (auto& loop : parts_->loops) loop.context.stop();
  for (auto& thread : parts_->threads) thread.join();
  parts_->threads.clear();
  if (!parts_->socket_path.empty()) ::unlink(parts_->socket_path.c_str());
}

}  // namespace hannan::detail::service
