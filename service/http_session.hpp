// One connection of the server: read a request, have it handled, write the reply, again. Only http_server.cpp includes
// it. Callbacks, not coroutines: g++ 12 destroys temporaries of co_await twice.
#pragma once

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "hannan/core/small_letters.hpp"
#include "service/http_shared.hpp"
#include "service/http_text.hpp"

namespace hannan::detail::service {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Executor = asio::io_context::executor_type;
using ErrorCode = boost::system::error_code;
using Timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;

inline constexpr int kRefusalSeconds = 2, kLingerSeconds = 2;
inline constexpr std::uint64_t kLargeBody = 64U << 10U;  // is read in pieces of at most so much
inline constexpr std::size_t kFirstBytes = 4096;         // read at once; a request of one outcome has fewer

class Session final : public std::enable_shared_from_this<Session> {
 public:
  using Protocol = asio::generic::stream_protocol;  // of TCP and of local sockets, compiled once
  using Stream = beast::basic_stream<Protocol, Executor>;
  using Socket = asio::basic_stream_socket<Protocol, Executor>;

  Session(Socket socket, Loop& loop, std::shared_ptr<Shared> shared)
      : stream_(std::move(socket)),
        timer_(stream_.get_executor()),
        piece_timer_(stream_.get_executor()),
        loop_(loop),
        shared_(std::move(shared)) {
    ++shared_->open;
    ErrorCode ignored;
    stream_.socket().non_blocking(true, ignored);  // see send()
  }
  ~Session() { --shared_->open; }

  void start() { later(&Session::read_header); }
  // Too many connections: its request is read and answered with that.
  void start_refusing() {
    refusing_ = true;
    start();
  }
  // When the server stops: those that wait for something to happen are ended too; a reply that is waited for is given.
  void close_if_idle() {
    asio::post(stream_.get_executor(), [self = shared_from_this()] {
      if (self->held_) return self->ask_held();
      if (self->phase_ != Phase::kServing || self->pace_ == Pace::kResting) self->close();
    });
  }

 private:
  using Parser = http::request_parser<http::string_body>;
  using Patience = Reply::Held::Patience;

  // Where the connection is in its cycle. Only kServing has a request that a stopping server lets finish.
  enum class Phase {
    kIdle,      // no byte of the next request has come
    kServing,   // from the first byte of a request to the last of its reply
    kLingering  // the reply is out, what the client still sends is read and dropped
  };
  // The time limit of the part of a request that is being read.
  enum class Deadline { kNone, kRunning, kPassed };
  // What follows when the reply has been written.
  enum class Afterwards { kNextRequest, kClose, kLinger };
  // Of a body that is made while it is sent (source_).
  enum class Pace {
    kSending,  // a chunk is under way, or the pause after it has not ended
    kWoken,    // the same, and there is more to send: the rest after the pause is left out
    kResting   // nothing to send until it is woken or the rest ends
  };

  void later(void (Session::*step)()) {
    asio::dispatch(stream_.get_executor(), [self = shared_from_this(), step] { ((*self).*step)(); });
  }

  // A new connection, or one at rest, may wait for as long as `idle`; once a byte is there the header must follow.
  void read_header() {
    phase_ = Phase::kIdle;
    parser_.emplace();
    parser_->header_limit(shared_->limits.header);
    parser_->body_limit(shared_->limits.body);
    parser_->eager(true);
    if (buffer_.size() > 0) return first_bytes();
    stream_.expires_after(std::chrono::seconds(refusing_ ? kRefusalSeconds : shared_->limits.idle_seconds));
    stream_.async_read_some(buffer_.prepare(kFirstBytes),
                            [self = shared_from_this()](ErrorCode error, std::size_t count) {
                              if (error) return self->close();
                              self->buffer_.commit(count);
                              self->first_bytes();
                            });
  }
  // Most requests are there as a whole.
  void first_bytes() {
    phase_ = Phase::kServing;
    stream_.expires_never();
    ErrorCode error;
    buffer_.consume(parser_->put(buffer_.data(), error));
    if (error && error != http::error::need_more) return refuse(error);
    if (parser_->is_header_done()) return header_done();
    allow(refusing_ ? kRefusalSeconds : shared_->limits.header_seconds);
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](ErrorCode failed, std::size_t) {
      if (self->stopped_reading(failed)) return;
      self->header_done();
    });
  }
  void header_done() {
    if (refusing_)
      return write_error({503, "H821", "found as many connections as --connections allows, expected fewer"});
    if (const char* fault = ambiguity_of(parser_->get())) return write_error({400, "H202", fault});
    if (parser_->is_done()) return handle();
    allow(shared_->limits.body_seconds);
    if (small_letters(text_of(parser_->get()[http::field::expect])) == "100-continue") return say_continue();
    read_body();
  }
  // The time that a part of a request has. A deadline of the stream itself would close it, and no answer could be sent.
  void allow(int seconds) {
    deadline_ = Deadline::kRunning;
    timer_.expires_after(std::chrono::seconds(seconds));
    timer_.async_wait([self = shared_from_this()](ErrorCode error) {
      if (error || self->deadline_ != Deadline::kRunning) return;
      self->deadline_ = Deadline::kPassed;
      self->stream_.cancel();
    });
  }
  bool stopped_reading(ErrorCode error) {
    const bool late = std::exchange(deadline_, Deadline::kNone) == Deadline::kPassed;
    timer_.cancel();
    if (error && late) {
      write_error({408, "H208", "found a request that took too long, expected it sooner"});
    } else if (error) {
      refuse(error);
    }
    return static_cast<bool>(error);
  }
  void say_continue() {
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(stream_, asio::buffer(kContinue), [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error || self->deadline_ == Deadline::kPassed) return self->close();
      self->read_body();
    });
  }
  // As one where it is small, and else a piece at a time.
  void read_body() {
    const auto rest = parser_->content_length_remaining();
    if (!rest || *rest > kLargeBody) return read_piece();
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (self->stopped_reading(error)) return;
      self->handle();
    });
  }
  void read_piece() {
    const auto when = std::max(std::chrono::steady_clock::now(), loop_.next_piece);
    loop_.next_piece = when + Loop::kBetweenPieces;
    piece_timer_.expires_at(when);
    piece_timer_.async_wait([self = shared_from_this()](ErrorCode) {
      if (!self->stream_.socket().is_open()) return;
      http::async_read_some(self->stream_, self->buffer_, *self->parser_, [self](ErrorCode error, std::size_t) {
        if (!error && !self->parser_->is_done() && self->deadline_ == Deadline::kRunning) return self->read_piece();
        if (!error && self->deadline_ == Deadline::kPassed) error = asio::error::operation_aborted;
        if (self->stopped_reading(error)) return;
        self->handle();
      });
    });
  }

  // What came is no request.
  void refuse(ErrorCode error) {
    const auto fault = fault_of(error);
    if (!fault || !stream_.socket().is_open()) return close();
    write_error(*fault);
  }
  void write_error(const Fault& fault) {
    afterwards_ = Afterwards::kLinger;
    write(reply_of(fault));
  }

  void handle() {
    auto message = parser_->release();
    afterwards_ = message.keep_alive() && !shared_->stopping ? Afterwards::kNextRequest : Afterwards::kClose;
    head_only_ = message.method() == http::verb::head;
    stream_.expires_never();
    Request request = request_of(message);
    shared_->handler(std::move(request), [self = shared_from_this()](Reply reply) {
      asio::dispatch(self->stream_.get_executor(),
                     [self, reply = std::move(reply)]() mutable { self->write(std::move(reply)); });
    });
  }

  void written(ErrorCode error) {
    if (error || afterwards_ == Afterwards::kClose) return close();
    if (afterwards_ == Afterwards::kLinger) return linger();
    // Requests that came with this one are not answered within its callback, but after others of the loop.
    if (buffer_.size() > 0)
      return asio::post(stream_.get_executor(), [self = shared_from_this()] { self->read_header(); });
    read_header();
  }
  // A request was refused before all of it was read. What is still under way is read and forgotten for a while: closing
  // with unread bytes would reset the connection, and the client would not see why it was refused.
  void linger() {
    phase_ = Phase::kLingering;
    ErrorCode ignored;
    stream_.socket().shutdown(Socket::shutdown_send, ignored);
    stream_.expires_after(std::chrono::seconds(kLingerSeconds));
    forget_rest();
  }
  void forget_rest() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(kFirstBytes), [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error) return self->close();
      self->forget_rest();
    });
  }
  Framing::Connection connection_after() const {
    return afterwards_ == Afterwards::kNextRequest ? Framing::Connection::kStays : Framing::Connection::kCloses;
  }

  void write(Reply reply) {
    if (reply.held) return hold(std::move(reply));
    if (reply.stream && !head_only_) return write_stream(std::move(reply));
    const bool bodiless = reply.status == 204 || reply.status == 304;
    head_ = head_text(reply, {connection_after(), bodiless ? Framing::Body::kNone : Framing::Body::kSized});
    body_ = bodiless || head_only_ ? std::string() : std::move(reply.body);
    send();
  }
  // What the kernel takes at once needs no callback, and most replies are short.
  void send() {
    ErrorCode error;
    const std::size_t sent = stream_.socket().write_some(rest_after(0), error);
    if (error && error != asio::error::would_block) return close();
    if (sent == head_.size() + body_.size()) return written({});
    stream_.expires_after(std::chrono::seconds(shared_->limits.body_seconds));
    asio::async_write(stream_, rest_after(sent),
                      [self = shared_from_this()](ErrorCode failed, std::size_t) { self->written(failed); });
  }
  std::array<asio::const_buffer, 2> rest_after(std::size_t sent) const {
    return {asio::buffer(head_) + sent, asio::buffer(body_) + (sent - std::min(sent, head_.size()))};
  }
  void hold(Reply reply) {
    held_ = std::move(reply.held);
    watch_for_end();
    ask_held();
  }
  void ask_held() {
    if (!held_) return;
    wake_ = std::make_shared<Wake>([weak = weak_from_this()] {
      if (const auto self = weak.lock()) asio::post(self->stream_.get_executor(), [self] { self->ask_held(); });
    });
    held_->subscribe(wake_);
    const bool over = std::chrono::steady_clock::now() >= held_->until;
    Patience patience = over ? Patience::kOver : Patience::kLeft;
    if (!over && shared_->stopping) patience = Patience::kServerStops;
    if (shared_->stopping) afterwards_ = Afterwards::kClose;
    if (auto ready = held_->ready(patience)) {
      held_.reset();
      wake_.reset();
      timer_.cancel();
      return write(std::move(*ready));
    }
    if (over) return close();
    timer_.expires_at(held_->until);
    timer_.async_wait([self = shared_from_this()](ErrorCode error) {
      if (!error) self->ask_held();
    });
  }
  // A client that goes away while it waits is not waited for.
  void watch_for_end() {
    if (std::exchange(watching_, true)) return;
    stream_.socket().async_wait(Socket::wait_read, [self = shared_from_this()](ErrorCode error) {
      self->watching_ = false;
      if (error || (!self->held_ && !self->source_)) return;
      char byte = 0;
      if (::recv(self->stream_.socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0) self->close();
    });
  }

  // A body that is made while it is sent, in chunks.
  void write_stream(Reply reply) {
    source_ = reply.stream;
    aside_ = reply.aside;
    source_->wake_with([weak = weak_from_this()] {
      if (const auto self = weak.lock()) asio::post(self->stream_.get_executor(), [self] { self->woken(); });
    });
    watch_for_end();
    head_ = head_text(reply, {connection_after(), Framing::Body::kChunked});
    stream_.expires_after(std::chrono::seconds(shared_->limits.body_seconds));
    asio::async_write(stream_, asio::buffer(head_), [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (error) return self->close();
      self->next_chunk();
    });
  }
  void next_chunk() {
    if (!source_) return;
    pace_ = Pace::kSending;
    if (!aside_) return send_chunk(made_chunk(*source_));
    aside_([self = shared_from_this(), source = source_] {
      auto chunk = made_chunk(*source);
      asio::post(self->stream_.get_executor(), [self, chunk = std::move(chunk)] { self->send_chunk(chunk); });
    });
  }
  void send_chunk(std::optional<BodyStream::Chunk> chunk) {
    if (!source_) return;
    if (!chunk) return close();  // the client sees a body that does not end: it was cut
    chunk_ = std::move(*chunk);
    stream_.expires_after(std::chrono::seconds(shared_->limits.body_seconds));
    if (chunk_.text.empty()) return chunk_sent({});
    asio::async_write(stream_, http::make_chunk(asio::const_buffer(chunk_.text.data(), chunk_.text.size())),
                      [self = shared_from_this()](ErrorCode error, std::size_t) { self->chunk_sent(error); });
  }
  void chunk_sent(ErrorCode error) {
    if (error) return close();
    if (chunk_.done) {
      source_.reset();
      return asio::async_write(stream_, http::make_chunk_last(),
                               [self = shared_from_this()](ErrorCode failed, std::size_t) { self->written(failed); });
    }
    if (shared_->stopping) return close();
    if (chunk_.pause.count() == 0)
      return asio::post(stream_.get_executor(), [self = shared_from_this()] { self->next_chunk(); });
    stream_.expires_never();
    timer_.expires_after(chunk_.pause);
    timer_.async_wait([self = shared_from_this()](ErrorCode failed) {
      if (!failed) self->rest();
    });
  }
  void rest() {
    if (pace_ == Pace::kWoken || chunk_.rest.count() == 0) return next_chunk();
    pace_ = Pace::kResting;
    timer_.expires_after(chunk_.rest);
    timer_.async_wait([self = shared_from_this()](ErrorCode failed) {
      if (!failed && self->pace_ == Pace::kResting) self->next_chunk();
    });
  }
  void woken() {
    if (pace_ != Pace::kResting) {  // seen at the end of the pause
      pace_ = Pace::kWoken;
      return;
    }
    timer_.cancel();
    next_chunk();
  }

  void close() {
    source_.reset();
    held_.reset();
    pace_ = Pace::kSending;
    timer_.cancel();
    piece_timer_.cancel();
    ErrorCode ignored;
    stream_.socket().shutdown(Socket::shutdown_both, ignored);
    stream_.socket().close(ignored);
  }

  Stream stream_;
  Timer timer_, piece_timer_;
  Loop& loop_;
  std::shared_ptr<Shared> shared_;
  beast::flat_buffer buffer_{std::size_t{64} << 10U};
  std::optional<Parser> parser_;
  std::string head_, body_;  // of the reply that is written
  std::shared_ptr<BodyStream> source_;
  Aside aside_;  // where chunks of source_ are made
  BodyStream::Chunk chunk_;
  std::shared_ptr<Reply::Held> held_;
  std::shared_ptr<Wake> wake_;  // of held_
  Phase phase_ = Phase::kIdle;
  Deadline deadline_ = Deadline::kNone;
  Afterwards afterwards_ = Afterwards::kNextRequest;
  Pace pace_ = Pace::kSending;
  bool refusing_ = false;   // there are too many connections: whatever it asks is answered with 503
  bool head_only_ = false;  // the method is HEAD: the reply has no body
  bool watching_ = false;   // a wait for the client's end is under way
};

}  // namespace hannan::detail::service
