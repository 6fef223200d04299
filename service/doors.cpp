#include "service/doors.hpp"

#include <algorithm>

#include "hannan/core/sha256.hpp"
#include "hannan/core/small_letters.hpp"
#include "service/codes.hpp"

namespace hannan::detail::service {
namespace {

// Without the port: "[::1]:8080" is "[::1]", "localhost:8080" is "localhost".
std::string name_of(const std::string& host) {
  const std::size_t bracket = host.find(']');
  return small_letters(host.substr(0, host.find(':', bracket == std::string::npos ? 0 : bracket)));
}

}  // namespace

void check_host(const Request& request, const std::vector<std::string>& allowed) {
  if (allowed.empty()) return;
  const std::string name = name_of(request.header("host"));
  if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) return;
  std::string names;
  for (const auto& one : allowed) names += (names.empty() ? "" : ", ") + one;
  throw Error(kOtherOrigin,
              "found a name that the service is not known by, expected one of " + names +
                  "; start it with --host NAME for others",
              "Host");
}

void check_page(const Request& request, Tokened tokened) {
  if (!request.header("x-hannan-forwarded").empty()) return;
  const std::string site = request.header("sec-fetch-site");
  const std::string origin = request.header("origin");
  const std::size_t scheme = origin.find("://");
  const bool own = origin.empty() || site == "same-origin" ||
                   (scheme != std::string::npos &&
                    small_letters(origin.substr(scheme + 3)) == small_letters(request.header("host")));
  if (site != "cross-site" && (own || tokened == Tokened::kYes)) return;
  throw Error(kOtherOrigin,
              "found a request of another origin's page, expected one of the service's own page or of a program; "
              "start the service with --tokens for others",
              "Origin");
}

// A bucket that fills by `rate_` a second up to twice that; a request takes one out.
void RateLimit::count(const std::string& authorization) {
  if (rate_ <= 0) return;
  const auto now = Clock::now();
  const std::lock_guard lock(mutex_);
  if (buckets_.size() >= most_buckets_) forget_full(now);
  const auto [found, made] = buckets_.try_emplace(sha256(authorization), Bucket{2 * rate_, now});
  Bucket& bucket = found->second;
  const std::chrono::duration<double> since = now - bucket.filled;
  bucket.left = std::min(2 * rate_, bucket.left + rate_ * since.count());
  bucket.filled = now;
  if (bucket.left < 1)
    throw Error(kTooFast,
                "found more requests a second of this token than --rate allows, expected fewer; wait and send "
                "the request again, unchanged");
  bucket.left -= 1;
}

void RateLimit::forget_full(Clock::time_point now) {
  std::erase_if(buckets_, [&](const auto& one) { return now - one.second.filled > std::chrono::seconds(2); });
  most_buckets_ = std::max<std::size_t>(1024, 2 * buckets_.size());
}

}  // namespace hannan::detail::service
