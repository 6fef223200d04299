// The only file that sees Boost. Callbacks, not coroutines: g++ 12 destroys temporaries of co_await twice.
#include "service/http_server.hpp"

#include <unistd.h>

#include <atomic>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "service/listen_address.hpp"

namespace hannan::detail::service {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Executor = asio::strand<asio::io_context::executor_type>;
using ErrorCode = boost::system::error_code;
using Timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;

constexpr auto kPollEvery = std::chrono::milliseconds(10);

std::string text_of(beast::string_view text) { return {text.data(), text.size()}; }

std::string lower(beast::string_view text) {
  std::string out = text_of(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// What all connections share.
struct Shared {
  HttpLimits limits;
  HttpServer::Handler handler;
  std::atomic<std::size_t> open = 0;
  std::atomic<bool> stopping = false;
};

class AnySession {
 public:
  virtual ~AnySession() = default;
  virtual void close_if_idle() = 0;
};

// One connection: read, handle, write, again.
template <class Protocol>
class Session final : public AnySession, public std::enable_shared_from_this<Session<Protocol>> {
 public:
  using Stream = beast::basic_stream<Protocol, Executor>;
  using Socket = asio::basic_stream_socket<Protocol, Executor>;

  Session(Socket socket, std::shared_ptr<Shared> shared)
      : stream_(std::move(socket)), timer_(stream_.get_executor()), shared_(std::move(shared)) {}
  ~Session() override { --shared_->open; }

  void start() { later(&Session::read_header); }
  void close_if_idle() override {
    asio::post(stream_.get_executor(), [self = this->shared_from_this()] {
      if (!self->busy_) self->close();
    });
  }

 private:
  using Parser = http::request_parser<http::string_body>;

  void later(void (Session::*step)()) {
    asio::dispatch(stream_.get_executor(), [self = this->shared_from_this(), step] { ((*self).*step)(); });
  }

  void read_header() {
    busy_ = false;
    parser_.emplace();
    parser_->header_limit(shared_->limits.header);
    parser_->body_limit(shared_->limits.body);
    first_ = true;
    // A new connection, or one at rest, may wait for as long as `idle`; once a byte is there the header must follow.
    stream_.expires_after(
        std::chrono::seconds(buffer_.size() > 0 ? shared_->limits.header_seconds : shared_->limits.idle_seconds));
    read_some_header();
  }
  void read_some_header() {
    http::async_read_some(stream_, buffer_, *parser_, [self = this->shared_from_this()](ErrorCode error, std::size_t) {
      self->header_part(error);
    });
  }
  void header_part(ErrorCode error) {
    if (error) return refuse(error);
    if (first_) {
      first_ = false;
      busy_ = true;
      stream_.expires_after(std::chrono::seconds(shared_->limits.header_seconds));
    }
    if (!parser_->is_header_done()) return read_some_header();
    stream_.expires_after(std::chrono::seconds(shared_->limits.body_seconds));
    if (parser_->is_done()) return handle();
    if (lower(parser_->get()[http::field::expect]) == "100-continue") return say_continue();
    read_body();
  }
  void say_continue() {
    continue_.emplace(http::status::continue_, 11);
    http::async_write(stream_, *continue_, [self = this->shared_from_this()](ErrorCode error, std::size_t) {
      if (error) return self->close();
      self->read_body();
    });
  }
  void read_body() {
    http::async_read(stream_, buffer_, *parser_, [self = this->shared_from_this()](ErrorCode error, std::size_t) {
      if (error) return self->refuse(error);
      self->handle();
    });
  }

  // What came is no request: answered where that makes sense, then the connection ends.
  void refuse(ErrorCode error) {
    int status = 0;
    std::string_view code, message;
    if (error == http::error::body_limit) {
      status = 413, code = "H208", message = "found a body beyond the limit, expected a shorter one; split it";
    } else if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      status = 431, code = "H208", message = "found a header beyond the limit, expected a shorter one";
    } else if (error == beast::error::timeout) {
      if (busy_) status = 408, code = "H208", message = "found a request that took too long, expected it sooner";
    } else if (error.category() == make_error_code(http::error::bad_method).category() &&
               error != http::error::end_of_stream && error != http::error::partial_message) {
      status = 400, code = "H202", message = "found what is no request of HTTP/1.1, expected one";
    }
    if (status == 0 || !stream_.socket().is_open()) return close();
    keep_alive_ = false;
    Reply reply;
    reply.status = status;
    reply.body = std::string("{\"error\":{\"code\":\"") + std::string(code) + "\",\"message\":\"" +
                 std::string(message) + "\",\"at\":\"request\"}}";
    write(std::move(reply));
  }

  void handle() {
    auto message = parser_->release();
    keep_alive_ = message.keep_alive() && !shared_->stopping;
    head_ = message.method() == http::verb::head;
    stream_.expires_never();
    Request request;
    request.method = text_of(message.method_string());
    request.target = text_of(message.target());
    for (const auto& field : message) {
      std::string& value = request.headers[lower(field.name_string())];
      if (!value.empty()) value += ", ";
      value += text_of(field.value());
    }
    request.body = std::move(message.body());
    shared_->handler(std::move(request), [self = this->shared_from_this()](Reply reply) {
      asio::dispatch(self->stream_.get_executor(),
                     [self, reply = std::move(reply)]() mutable { self->write(std::move(reply)); });
    });
  }

  void write(Reply reply) {
    if (reply.poll) return poll(std::move(reply));
    stream_.expires_after(std::chrono::seconds(shared_->limits.body_seconds));
    if (reply.stream && !head_) return write_stream(std::move(reply));
    response_.emplace(static_cast<http::status>(reply.status), 11);
    set_headers(*response_, reply);
    const bool bodiless = reply.status == 204 || reply.status == 304;
    if (!bodiless) {
      response_->set(http::field::content_type, reply.type);
      response_->body() = std::move(reply.body);
      response_->prepare_payload();
      if (head_) response_->body().clear();
    }
    if (head_ && !bodiless) {
      head_serializer_.emplace(*response_);
      http::async_write_header(stream_, *head_serializer_, written());
    } else {
      http::async_write(stream_, *response_, written());
    }
  }
  auto written() {
    return [self = this->shared_from_this()](ErrorCode error, std::size_t) {
      if (error || !self->keep_alive_) return self->close();
      self->read_header();
    };
  }
  template <class Message>
  void set_headers(Message& message, const Reply& reply) {
    message.keep_alive(keep_alive_);
    message.set(http::field::server, "hannan");
    for (const auto& [name, value] : reply.headers) message.set(name, value);
  }

  // A reply that is waited for.
  void poll(Reply reply) {
    polled_ = std::move(reply.poll);
    poll_again();
  }
  void poll_again() {
    auto ready = polled_();
    if (ready) return write(std::move(*ready));
    if (shared_->stopping) return close();
    timer_.expires_after(kPollEvery);
    timer_.async_wait([self = this->shared_from_this()](ErrorCode error) {
      if (!error) self->poll_again();
    });
  }

  // A body that is made while it is sent, in chunks.
  void write_stream(Reply reply) {
    source_ = reply.stream;
    empty_.emplace(static_cast<http::status>(reply.status), 11);
    set_headers(*empty_, reply);
    empty_->set(http::field::content_type, reply.type);
    empty_->chunked(true);
    serializer_.emplace(*empty_);
    http::async_write_header(stream_, *serializer_, [self = this->shared_from_this()](ErrorCode error, std::size_t) {
      if (error) return self->close();
      self->next_chunk();
    });
  }
  void next_chunk() {
    try {
      chunk_ = source_->next();
    } catch (const std::exception&) {
      return close();  // the client sees a body that does not end: it was cut
    }
    stream_.expires_after(std::chrono::seconds(shared_->limits.body_seconds));
    if (chunk_.text.empty()) return chunk_sent({});
    asio::async_write(stream_, http::make_chunk(asio::const_buffer(chunk_.text.data(), chunk_.text.size())),
                      [self = this->shared_from_this()](ErrorCode error, std::size_t) { self->chunk_sent(error); });
  }
  void chunk_sent(ErrorCode error) {
    if (error) return close();
    if (chunk_.done) {
      source_.reset();
      asio::async_write(stream_, http::make_chunk_last(), written());
      return;
    }
    if (shared_->stopping) return close();
    if (chunk_.pause.count() == 0) {
      asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->next_chunk(); });
      return;
    }
    stream_.expires_never();
    timer_.expires_after(chunk_.pause);
    timer_.async_wait([self = this->shared_from_this()](ErrorCode failed) {
      if (!failed) self->next_chunk();
    });
  }

  void close() {
    source_.reset();
    timer_.cancel();
    ErrorCode ignored;
    stream_.socket().shutdown(Socket::shutdown_both, ignored);
    stream_.socket().close(ignored);
  }

  Stream stream_;
  Timer timer_;
  std::shared_ptr<Shared> shared_;
  beast::flat_buffer buffer_{std::size_t{64} << 10U};
  std::optional<Parser> parser_;
  std::optional<http::response<http::string_body>> response_;
  std::optional<http::response<http::empty_body>> empty_, continue_;
  std::optional<http::response_serializer<http::empty_body>> serializer_;
  std::optional<http::response_serializer<http::string_body>> head_serializer_;
  std::shared_ptr<BodyStream> source_;
  BodyStream::Chunk chunk_;
  std::function<std::optional<Reply>()> polled_;
  bool keep_alive_ = true, head_ = false, busy_ = false, first_ = false;
};

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
  Listener(asio::io_context& context, const Endpoint& endpoint, std::shared_ptr<Shared> shared)
      : context_(context), acceptor_(asio::make_strand(context)), shared_(std::move(shared)) {
    acceptor_.open(endpoint.protocol());
    if constexpr (std::same_as<Protocol, asio::ip::tcp>) acceptor_.set_option(asio::socket_base::reuse_address(true));
    acceptor_.bind(endpoint);
    acceptor_.listen();
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
  void close_now() {
    ErrorCode ignored;
    acceptor_.close(ignored);
    const std::lock_guard lock(mutex_);
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
  void accept() {
    acceptor_.async_accept(
        asio::make_strand(context_), [this](ErrorCode error, asio::basic_stream_socket<Protocol, Executor> socket) {
          if (error == asio::error::operation_aborted) return;
          if (!error && shared_->open < shared_->limits.connections) {
            ++shared_->open;
            if constexpr (std::same_as<Protocol, asio::ip::tcp>) {
              ErrorCode ignored;
              socket.set_option(asio::ip::tcp::no_delay(true), ignored);
            }
            auto session = std::make_shared<Session<Protocol>>(std::move(socket), shared_);
            {
              const std::lock_guard lock(mutex_);
              std::erase_if(sessions_, [](const auto& weak) { return weak.expired(); });
              sessions_.push_back(session);
            }
            session->start();
          }
          if (!error) return accept();
          // Too many open files, for one: others may close soon.
          auto pause = std::make_shared<Timer>(acceptor_.get_executor(), std::chrono::milliseconds(50));
          pause->async_wait([this, pause](ErrorCode stopped) {
            if (!stopped && acceptor_.is_open()) accept();
          });
        });
  }

  asio::io_context& context_;
  asio::basic_socket_acceptor<Protocol, Executor> acceptor_;
  std::shared_ptr<Shared> shared_;
  std::string address_;
  bool loopback_ = false;
  std::mutex mutex_;
  std::vector<std::weak_ptr<AnySession>> sessions_;
};

}  // namespace

class HttpServer::Parts {
 public:
  explicit Parts(unsigned count) : context(static_cast<int>(count)), work(asio::make_work_guard(context)) {}
  asio::io_context context;
  asio::executor_work_guard<asio::io_context::executor_type> work;
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
      ::unlink(parts_->socket_path.c_str());  // one that a killed server left
      parts_->listener = std::make_unique<Listener<asio::local::stream_protocol>>(
          parts_->context, asio::local::stream_protocol::endpoint(parts_->socket_path), parts_->shared);
      return;
    }
    const auto [host, port] = split_address(listen);
    ErrorCode bad;
    const auto address = asio::ip::make_address(host, bad);
    if (bad) throw Error(Code::kUsage, "found \"" + host + "\", expected an IP address, or localhost", "--listen");
    parts_->listener = std::make_unique<Listener<asio::ip::tcp>>(
        parts_->context, asio::ip::tcp::endpoint(address, port), parts_->shared);
  } catch (const boost::system::system_error& e) {
    throw Error(Code::kCannotWrite, std::string("found ") + e.code().message() + ", expected an address that is free",
                "--listen " + listen);
  }
}

HttpServer::~HttpServer() { stop(0); }

std::string HttpServer::address() const { return parts_->listener->address(); }
bool HttpServer::loopback() const { return parts_->listener->loopback(); }

void HttpServer::start() {
  parts_->listener->start();
  for (unsigned i = 0; i < parts_->shared->limits.threads; ++i)
    parts_->threads.emplace_back([this] { parts_->context.run(); });
}

void HttpServer::stop(int grace_seconds) {
  if (parts_->threads.empty()) return;
  parts_->shared->stopping = true;
  parts_->listener->close();
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(grace_seconds);
  while (parts_->shared->open > 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  parts_->work.reset();
  parts_->context.stop();
  for (auto& thread : parts_->threads) thread.join();
  parts_->threads.clear();
  if (!parts_->socket_path.empty()) ::unlink(parts_->socket_path.c_str());
}

}  // namespace hannan::detail::service
