// Accepts the connections of one address, of TCP or of a local socket. Only http_server.cpp includes it.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "service/http_session.hpp"

namespace hannan::detail::service {

inline constexpr std::size_t kRefusals = 64;  // connections that are told that there are too many

// Owned by the server, which closes it and joins the threads of the loop before it is destroyed: callbacks hold `this`.
// start() and close() may be called from any thread.
class AnyListener {
 public:
  virtual ~AnyListener() = default;
  virtual void start() = 0;
  virtual void close() = 0;
  virtual std::string address() const = 0;
  virtual bool loopback() const = 0;
};

template <class Protocol>
class Listener final : public AnyListener {
 public:
  using Endpoint = typename Protocol::endpoint;
  // Connections go to these loops in turn; the first of them accepts.
  Listener(Loops& loops, const Endpoint& endpoint, std::shared_ptr<Shared> shared)
      : loops_(loops), acceptor_(loops.front().context), shared_(std::move(shared)) {
    acceptor_.open(endpoint.protocol());
    if constexpr (std::same_as<Protocol, asio::ip::tcp>) acceptor_.set_option(asio::socket_base::reuse_address(true));
    acceptor_.bind(endpoint);
    acceptor_.listen(asio::socket_base::max_listen_connections);
    address_ = own_address();
    loopback_ = is_loopback();
  }
  void start() override {
    asio::post(acceptor_.get_executor(), [this] { accept(); });
  }
  void close() override {
    asio::post(acceptor_.get_executor(), [this] { close_now(); });
  }
  std::string address() const override { return address_; }
  bool loopback() const override { return loopback_; }

 private:
  // On the acceptor's loop, so that no connection is accepted after it; sessions look after themselves from here on.
  void close_now() {
    ErrorCode ignored;
    acceptor_.close(ignored);
    for (const auto& weak : sessions_) {
      if (auto session = weak.lock()) session->close_if_idle();
    }
  }
  std::string own_address() const {
    const auto endpoint = acceptor_.local_endpoint();
    if constexpr (std::same_as<Protocol, asio::ip::tcp>) {
      const std::string host = endpoint.address().to_string();
      return (endpoint.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(endpoint.port());
    } else {
      return "unix:" + endpoint.path();
    }
  }
  bool is_loopback() const {
    if constexpr (std::same_as<Protocol, asio::ip::tcp>) {
      return acceptor_.local_endpoint().address().is_loopback();
    } else {
      return true;
    }
  }
  // A life of its own; see accept().
  void begin_session(asio::basic_stream_socket<Protocol, Executor> socket, Loop& loop, bool full) {
    if constexpr (std::same_as<Protocol, asio::ip::tcp>) {
      ErrorCode ignored;
      socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    }
    auto session = std::make_shared<Session>(Session::Socket(std::move(socket)), loop, shared_);
    // Sessions that are gone are forgotten when they are the larger part: O(1) amortised.
    if (sessions_.size() >= 2 * shared_->open)
      std::erase_if(sessions_, [](const auto& weak) { return weak.expired(); });
    sessions_.push_back(session);
    full ? session->start_refusing() : session->start();
  }
  // One accept under way at a time, on the acceptor's loop. A session stays on one loop and lives as long as one of its
  // callbacks does; sessions_ holds it weakly, only to close idle ones at the end.
  void accept() {
    Loop& loop = loops_[next_++ % loops_.size()];
    acceptor_.async_accept(
        loop.context, [this, &loop](ErrorCode error, asio::basic_stream_socket<Protocol, Executor> socket) {
          if (error == asio::error::operation_aborted) return;
          // Beyond the limit a few are told so; beyond these connections are closed at once.
          const std::size_t limit = shared_->limits.connections;
          const bool full = shared_->open >= limit;
          try {
            if (!error && shared_->open < limit + kRefusals) begin_session(std::move(socket), loop, full);
          } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
            // The connection is closed; the next one may find memory.
          }
          if (!error) return accept();
          // Too many open files, for one: others may close soon.
          auto pause = std::make_shared<Timer>(acceptor_.get_executor(), std::chrono::milliseconds(50));
          pause->async_wait([this, pause](ErrorCode stopped) {
            if (!stopped && acceptor_.is_open()) accept();
          });
        });
  }

  Loops& loops_;
  std::size_t next_ = 0;  // the loop of the next connection
  asio::basic_socket_acceptor<Protocol, Executor> acceptor_;
  std::shared_ptr<Shared> shared_;
  std::string address_;
  bool loopback_ = false;
  std::vector<std::weak_ptr<Session>> sessions_;  // of all loops; used on the acceptor's
};

}  // namespace hannan::detail::service
