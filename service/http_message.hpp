// Requests and replies of HTTP as plain values: what the API sees of the network.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hannan::detail::service {

struct Request {
  std::string method;
  std::string target;                          // path and query, as sent
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  // Where another node is asked: how long it may take to answer. A decision may be waited for 300 s.
  std::chrono::seconds patience{310};

  std::string header(const std::string& name) const;  // "" where there is none
};

// The parts of a target, percent-decoded.
struct Target {
  std::vector<std::string> path;  // between slashes; "/" has none
  std::map<std::string, std::string> query;

  std::string value(const std::string& name, const std::string& fallback = "") const;
};
// Nothing where it is malformed: a bad escape, "." or "..", an empty part, NUL.
std::optional<Target> parse_target(std::string_view text);

std::string percent_encoded(std::string_view text);  // of a value in a query

// Called when there may be something new, from any thread. The one who waits owns it; others keep weak pointers.
using Wake = std::function<void()>;

// A body that is made while it is sent.
class BodyStream {
 public:
  virtual ~BodyStream() = default;
  struct Chunk {
    std::string text;                    // may be empty
    bool done = false;                   // this is the last one
    std::chrono::milliseconds pause{0};  // before the next one
    std::chrono::milliseconds rest{0};   // and after it at most so long, unless woken
  };
  virtual Chunk next() = 0;
  virtual void wake_with([[maybe_unused]] Wake wake) {}  // before the first next(), for streams that rest
};

std::optional<BodyStream::Chunk> made_chunk(BodyStream& source);  // nothing where it cannot be made
using Aside = std::function<void(std::function<void()>)>;         // has work done by another thread

struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  std::shared_ptr<BodyStream> stream;  // instead of the body
  // Where the chunks of the stream are made; nothing: by the thread that sends them, as they are light.
  Aside aside;
  // Instead of all of it: a reply that is waited for, which may be one that is waited for in turn. `ready` is asked at
  // once, when woken, when the server stops, and at `until`, when it must have one. `subscribe` asks to be woken once.
  struct Held {
    enum class Patience { kLeft, kOver, kServerStops };
    std::function<std::optional<Reply>(Patience)> ready;
    std::function<void(std::weak_ptr<Wake>)> subscribe;
    std::chrono::steady_clock::time_point until;
  };
  std::shared_ptr<Held> held;
};
using Respond = std::function<void(Reply)>;  // from any thread, once

}  // namespace hannan::detail::service
