// Between the messages and faults of Boost.Beast and those of the service.
#pragma once

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/status.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "hannan/core/small_letters.hpp"
#include "service/http_message.hpp"

namespace hannan::detail::service {

inline std::string text_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

// What makes a head one that two readers may understand as two requests; null: nothing.
template <class Head>
const char* ambiguity_of(const Head& head) {
  namespace http = boost::beast::http;
  const std::size_t hosts = head.count(http::field::host), codings = head.count(http::field::transfer_encoding);
  if (hosts > 1 || (hosts == 0 && head.version() >= 11)) return "found no header Host, or several, expected one";
  if (codings > 0 && small_letters(text_of(head[http::field::transfer_encoding])) != "chunked")
    return "found another Transfer-Encoding, expected chunked or none";
  return nullptr;
}

// The message is emptied of its body.
template <class Message>
Request request_of(Message& message) {
  Request request;
  request.method = text_of(message.method_string());
  request.target = text_of(message.target());
  for (const auto& field : message) {
    std::string& value = request.headers[small_letters(text_of(field.name_string()))];
    if (!value.empty()) value += ", ";
    value += text_of(field.value());
  }
  request.body = std::move(message.body());
  return request;
}

// What a response says of its connection and its body besides the reply.
struct Framing {
  enum class Connection { kStays, kCloses } connection = Connection::kStays;
  enum class Body { kNone, kSized, kChunked } body = Body::kSized;
};

// The head of a response, with the empty line that ends it.
inline std::string head_text(const Reply& reply, const Framing& framing) {
  const auto status = static_cast<boost::beast::http::status>(reply.status);
  std::string text =
      "HTTP/1.1 " + std::to_string(reply.status) + " " + text_of(boost::beast::http::obsolete_reason(status)) + "\r\n";
  const auto add = [&](std::string_view name, std::string_view value) {
    text.append(name).append(": ").append(value).append("\r\n");
  };
  if (framing.connection == Framing::Connection::kCloses) add("Connection", "close");
  add("Server", "hannan");
  add("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : reply.headers) add(name, value);
  if (framing.body != Framing::Body::kNone) add("Content-Type", reply.type);
  if (framing.body == Framing::Body::kSized) add("Content-Length", std::to_string(reply.body.size()));
  if (framing.body == Framing::Body::kChunked) add("Transfer-Encoding", "chunked");
  return text += "\r\n";
}

// Of a request that no handler sees.
struct Fault {
  int status = 0;
  std::string_view code, message;
};

// What is wrong with bytes that are no request; nothing: the connection ended.
inline std::optional<Fault> fault_of(const boost::system::error_code& error) {
  namespace http = boost::beast::http;
  if (error == http::error::body_limit)
    return Fault{413, "H208", "found a body beyond the limit, expected a shorter one; split it"};
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return Fault{431, "H208", "found a header beyond the limit, expected a shorter one"};
  if (error.category() == make_error_code(http::error::bad_method).category() && error != http::error::end_of_stream &&
      error != http::error::partial_message)
    return Fault{400, "H202", "found what is no request of HTTP/1.1, expected one"};
  return std::nullopt;
}

inline Reply reply_of(const Fault& fault) {
  Reply reply;
  reply.status = fault.status;
  if (fault.status == 503) reply.headers = {{"Retry-After", "1"}};
  reply.body = std::string("{\"error\":{\"code\":\"") + std::string(fault.code) + "\",\"message\":\"" +
               std::string(fault.message) + "\",\"at\":\"request\"}}";
  return reply;
}

}  // namespace hannan::detail::service
