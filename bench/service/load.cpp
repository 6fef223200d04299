// Loads a server of HTTP/1.1 on this machine: keeps some connections busy, each with one request at a time, and counts.
//
//   hannan_load PORT CONNECTIONS SECONDS METHOD PATH [LINE [LINES [RATE]]]
//
// LINE is a line of the body, in which every @ becomes a number that no other line of the run has; the body has LINES
// of them. With a RATE every connection sends so many requests a second, and a time counts from when the request was
// due, sent late or not; without one it sends the next when the answer is there, so the rate is what the server can
// serve. Prints {"requests","failed","seconds","p50","p99"}; failed are answers above 299, and times are in seconds.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Request {
  std::string method, path, line;
  std::uint64_t lines = 1;
  std::string prefix;  // of the numbers: those of another run are other ones
  std::uint64_t next = 0;

  std::string text() {
    std::string body;
    for (std::uint64_t i = 0; !line.empty() && i < lines; ++i) {
      const std::string number = prefix + std::to_string(next++);
      for (const char c : line) {
        if (c == '@') {
          body += number;
        } else {
          body += c;
        }
      }
      body += '\n';
    }
    std::string all = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n";
    if (!body.empty()) {
      all += "Content-Type: application/x-ndjson\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
    }
    return all + "\r\n" + body;
  }
};

struct Connection {
  int descriptor = -1;
  std::string out, in;
  std::size_t sent = 0;
  Clock::time_point begun;  // or due
  int timer = -1;           // of the next request; -1: it is sent when the answer is there
};

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

int connect_to(int port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (descriptor < 0 || ::connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    fail("connect");
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return descriptor;
}

// The bytes of the first whole answer; 0: it is not there yet.
// Enough of HTTP for the service's own answers, which all state their length.
std::size_t answer_size(const std::string& in) {
  const std::size_t end = in.find("\r\n\r\n");
  if (end == std::string::npos) return 0;
  const std::size_t field = in.find("Content-Length: ");
  const std::size_t body = field < end ? std::strtoull(in.c_str() + field + 16, nullptr, 10) : 0;
  return in.size() >= end + 4 + body ? end + 4 + body : 0;
}

// Blocking: requests are small, and the server reads while it answers.
void send_some(Connection& connection) {
  while (connection.sent < connection.out.size()) {
    const ssize_t count = ::send(connection.descriptor, connection.out.data() + connection.sent,
                                 connection.out.size() - connection.sent, MSG_NOSIGNAL);
    if (count <= 0) fail("send");
    connection.sent += static_cast<std::size_t>(count);
  }
}

// steady_clock is CLOCK_MONOTONIC here. A time that has passed rings at once.
void ring_at(const Connection& connection, Clock::time_point when) {
  const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(when.time_since_epoch()).count();
  itimerspec at = {};
  at.it_value.tv_sec = static_cast<std::time_t>(nanoseconds / 1'000'000'000);
  at.it_value.tv_nsec = static_cast<decltype(at.it_value.tv_nsec)>(nanoseconds % 1'000'000'000);
  if (::timerfd_settime(connection.timer, TFD_TIMER_ABSTIME, &at, nullptr) != 0) fail("timerfd_settime");
}

}  // namespace

int main(int count, char** words) {
  if (count < 6) {
    std::fputs("usage: hannan_load PORT CONNECTIONS SECONDS METHOD PATH [LINE [LINES [RATE]]]\n", stderr);
    return 2;
  }
  Request request;
  request.method = words[4];
  request.path = words[5];
  if (count > 6) request.line = words[6];
  if (count > 7) request.lines = std::strtoull(words[7], nullptr, 10);
  const double rate = count > 8 ? std::atof(words[8]) : 0;
  const auto between =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(rate > 0 ? 1 / rate : 0));
  request.prefix = std::to_string(::getpid()) + "-" + std::to_string(Clock::now().time_since_epoch().count()) + "-";
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  std::vector<Connection> connections(std::strtoull(words[2], nullptr, 10));
  const auto send = [&](Connection& connection) {
    connection.out = request.text();
    connection.sent = 0;
    send_some(connection);
  };
  // Events of a connection have its number twice, those of its timer one more.
  const auto watch = [&](int descriptor, std::uint64_t number) {
    epoll_event event = {};
    event.events = EPOLLIN;
    event.data.u64 = number;
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
  };
  const auto start = Clock::now();
  const auto until =
      start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::atof(words[3])));
  for (std::size_t i = 0; i < connections.size(); ++i) {
    Connection& connection = connections[i];
    connection.descriptor = connect_to(std::atoi(words[1]));
    watch(connection.descriptor, 2 * i);
    connection.begun = Clock::now();
    if (rate > 0) {  // evenly spread over the time between two requests
      connection.timer = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
      if (connection.timer < 0) fail("timerfd_create");
      watch(connection.timer, 2 * i + 1);
      connection.begun += between * static_cast<Clock::rep>(i) / static_cast<Clock::rep>(connections.size());
      ring_at(connection, connection.begun);
    } else {
      send(connection);
    }
  }
  std::vector<double> times;
  std::uint64_t failed = 0;
  std::size_t busy = connections.size();
  std::vector<char> buffer(std::size_t{1} << 16U);
  while (busy > 0) {
    epoll_event events[64];
    const int ready = ::epoll_wait(epoll, events, 64, 10'000);
    if (ready <= 0) fail("no answer within 10 s");
    for (int i = 0; i < ready; ++i) {
      Connection& connection = connections[events[i].data.u64 / 2];
      if (events[i].data.u64 % 2 == 1) {
        std::uint64_t rings = 0;
        if (::read(connection.timer, &rings, sizeof rings) != sizeof rings) fail("timer");
        send(connection);
        continue;
      }
      const ssize_t got = ::recv(connection.descriptor, buffer.data(), buffer.size(), 0);
      if (got <= 0) fail("recv");
      connection.in.append(buffer.data(), static_cast<std::size_t>(got));
      const std::size_t size = answer_size(connection.in);
      if (size == 0) continue;
      const auto now = Clock::now();
      times.push_back(std::chrono::duration<double>(now - connection.begun).count());
      if (connection.in.compare(9, 1, "2") != 0) ++failed;
      connection.in.erase(0, size);
      if (now >= until) {
        --busy;
      } else if (rate > 0) {
        connection.begun += between;
        ring_at(connection, connection.begun);
      } else {
        connection.begun = now;
        send(connection);
      }
    }
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  std::printf("{\"requests\":%zu,\"failed\":%llu,\"seconds\":%.6f,\"p50\":%.6f,\"p99\":%.6f}\n", times.size(),
              static_cast<unsigned long long>(failed), seconds, at(0.5), at(0.99));
  return 0;
}
