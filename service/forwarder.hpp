// Requests that another node answers: sent there, and its reply given back as it came.
#pragma once

#include <memory>
#include <string>

#include "service/http_message.hpp"

namespace hannan::detail::service {

class Forwarder {
 public:
  Forwarder();
  ~Forwarder();  // what is under way is not answered any more
  Forwarder(const Forwarder&) = delete;
  Forwarder& operator=(const Forwarder&) = delete;

  // `url` is "http://host:port". Answers once, from a thread of its own: with kNotReady where the node does not.
  void send(const std::string& url, Request request, Respond respond);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace hannan::detail::service
