// Passes a request on to the node that has the learner and hands its answer back. One thread of its own with one event
// loop; each request is a connection of its own (resolve, connect, write, read), owned by the callbacks that wait for
// it. Headers that belong to a connection are not passed on. Any failure is answered once, as a node that cannot be
// reached.
#include "service/forwarder.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "hannan/core/small_letters.hpp"
#include "service/api.hpp"
#include "service/codes.hpp"
#include "service/http_text.hpp"

namespace hannan::detail::service {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using ForwardError = boost::system::error_code;

constexpr auto kConnectTime = std::chrono::seconds(2);
constexpr std::uint64_t kLongestAnswer = std::uint64_t{1} << 30U;

// Of a connection, not of a message.
bool is_own(const std::string& name) {
  static const std::set<std::string> names{"connection", "content-length",    "expect", "host", "keep-alive", "te",
                                           "trailer",    "transfer-encoding", "upgrade"};
  return names.contains(name);
}

struct HostPort {
  std::string host, port;
};
// "http://host:port", "http://[::1]:port" or "http://host"; nodes speak plain HTTP to each other.
std::optional<HostPort> host_port(std::string url) {
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme)) return std::nullopt;
  url.erase(0, kScheme.size());
  url.erase(std::min(url.find('/'), url.size()));
  const std::size_t colon = url.rfind(':');
  if (colon == std::string::npos || url.ends_with(']')) return HostPort{.host = url, .port = "80"};
  HostPort found{.host = url.substr(0, colon), .port = url.substr(colon + 1)};
  if (found.host.starts_with('[')) found.host = found.host.substr(1, found.host.size() - 2);
  return found;
}

}  // namespace

// One thread runs the loop; ~Parts ends it, and requests under way are dropped with their callbacks.
class Forwarder::Parts {
 public:
  Parts() : work_(asio::make_work_guard(context)), thread_([this] { context.run(); }) {}
  ~Parts() {
    context.stop();
    thread_.join();
  }
  asio::io_context context{1};

  // One request: resolve, connect, write, read, answer.
  class Passed : public std::enable_shared_from_this<Passed> {
   public:
    Passed(asio::io_context& context, std::string url, Respond respond)
        : url_(std::move(url)), respond_(std::move(respond)), resolver_(context), stream_(context) {
      parser_.body_limit(kLongestAnswer);
    }
    void start(Request request) {
      patience_ = request.patience;
      const auto to = host_port(url_);
      if (!to) return fail("an address that is no http://");
      message_.method_string(request.method);
      message_.target(request.target);
      message_.version(11);
      for (const auto& [name, value] : request.headers) {
        if (!is_own(name)) message_.set(name, value);
      }
      message_.set(http::field::host, to->host + ":" + to->port);
      message_.keep_alive(false);
      message_.body() = std::move(request.body);
      message_.prepare_payload();
      // An answer to HEAD has a length and no body to wait for.
      parser_.skip(request.method == "HEAD");
      resolver_.async_resolve(to->host, to->port,
                              [self = shared_from_this()](ForwardError error, const Resolver::results_type& found) {
                                if (error) return self->fail(error.message());
                                self->connect(found);
                              });
    }

   private:
    using Resolver = asio::ip::tcp::resolver;
    void connect(const Resolver::results_type& found) {
      stream_.expires_after(kConnectTime);
      stream_.async_connect(found, [self = shared_from_this()](ForwardError error, const asio::ip::tcp::endpoint&) {
        if (error) return self->fail(error.message());
        self->write();
      });
    }
    void write() {
      stream_.expires_after(patience_);
      http::async_write(stream_, message_, [self = shared_from_this()](ForwardError error, std::size_t) {
        if (error) return self->fail(error.message());
        self->read();
      });
    }
    void read() {
      http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](ForwardError error, std::size_t) {
        if (error) return self->fail(error.message());
        self->answer();
      });
    }
    // The answer as it came but for the headers of the connection and the server's name.
    void answer() {
      auto message = parser_.release();
      Reply reply;
      reply.status = static_cast<int>(message.result_int());
      for (const auto& field : message) {
        const std::string name = small_letters(text_of(field.name_string()));
        if (name == "content-type") {
          reply.type = text_of(field.value());
        } else if (!is_own(name) && name != "server") {
          reply.headers.emplace_back(text_of(field.name_string()), text_of(field.value()));
        }
      }
      reply.body = std::move(message.body());
      respond_(std::move(reply));
    }
    void fail(const std::string& why) {
      respond_(error_reply(
          std::make_exception_ptr(Error(kNotReady, "found no answer of the node " + url_ + " (" + why +
                                                       "), expected one; send the request again, unchanged"))));
    }

    std::string url_;
    Respond respond_;
    Resolver resolver_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    http::request<http::string_body> message_;
    std::chrono::seconds patience_{0};  // from writing to the whole answer
    http::response_parser<http::string_body> parser_;
  };

 private:
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::thread thread_;
};

Forwarder::Forwarder() : parts_(std::make_unique<Parts>()) {}
Forwarder::~Forwarder() = default;

void Forwarder::send(const std::string& url, Request request, Respond respond) {
  std::make_shared<Parts::Passed>(parts_->context, url, std::move(respond))->start(std::move(request));
}

}  // namespace hannan::detail::service
