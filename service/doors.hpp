// Which requests may come in at all: by the names under which the service is reached, by the page that a browser sends
// them from, and by how many a second each client may send.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "service/http_message.hpp"

namespace hannan::detail::service {

// Against DNS rebinding: a page that has its own name point to this machine is the same origin to the browser, but it
// sends that name as Host. `allowed` are names without a port, in lower case; empty: every name. Throws kOtherOrigin.
void check_host(const Request& request, const std::vector<std::string>& allowed);

// A browser says which page a request comes from, and sends one of any page to this machine. Only the service's own
// page may change something, or one with a token. What is passed on by a node was checked there. Throws kOtherOrigin.
enum class Tokened { kNo, kYes };
void check_page(const Request& request, Tokened tokened);

// So many requests a second for each client, and as many at once as two seconds have. Any thread.
class RateLimit {
 public:
  explicit RateLimit(double per_second) : rate_(per_second) {}  // 0: no limit
  // Throws kTooFast. Clients are told apart by their tokens.
  void count(const std::string& authorization);

 private:
  using Clock = std::chrono::steady_clock;
  struct Bucket {
    double left = 0;
    Clock::time_point filled;
  };
  void forget_full(Clock::time_point now);

  double rate_;
  std::mutex mutex_;
  std::map<std::string, Bucket> buckets_;  // by the digest of the token
  std::size_t most_buckets_ = 1024;        // before those are looked for that are full again
};

}  // namespace hannan::detail::service
