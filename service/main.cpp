// hannan-serve: the service as a program, which `hannan serve` becomes.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "cli/entry.hpp"
#include "cli/serve_flags.hpp"
#include "cli/standard_output.hpp"
#include "hannan/core/error.hpp"
#include "service/api.hpp"
#include "service/check_config.hpp"
#include "service/copy_store.hpp"
#include "service/forwarder.hpp"
#include "service/host_values.hpp"
#include "service/http_server.hpp"
#include "service/listen_address.hpp"
#include "service/open_files.hpp"

namespace hannan::detail::service {
namespace {

// Bytes of a body that a thread for HTTP reads by itself, in a part of a millisecond; larger ones are read by the
// workers, those of one path in turn, so that other clients' requests do not wait for them.
constexpr std::size_t kReadAtOnce = std::size_t{16} << 10U;

constexpr std::chrono::milliseconds kLastPart = std::chrono::seconds(5);

// Signals come to the one thread that waits for them: SIGHUP reads the tokens again, the others end the service.
int wait_for_end(const sigset_t& signals, Tokens& tokens) {
  for (;;) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) continue;
    if (signal != SIGHUP) return signal;
    try {
      tokens.read_again();
    } catch (const Error& e) {
      fmt::print(stderr, "hannan: {}; the tokens stay as they were\n", e.what());
    }
  }
}

// Stops the host however serve() ends: the start may be refused half way.
class StoppedAtEnd {
 public:
  explicit StoppedAtEnd(Host& host) : host_(host) {}
  ~StoppedAtEnd() { host_.stop(); }
  StoppedAtEnd(const StoppedAtEnd&) = delete;
  StoppedAtEnd& operator=(const StoppedAtEnd&) = delete;

 private:
  Host& host_;
};

// Order of the start: signals, secrets, log, learners, listener, cluster, answers.
int serve(const cli::ServeFlags& flags) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  // Blocked before any thread exists, so that all inherit it and only wait_for_end() gets signals.
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  shorten_slice();  // also before them

  const Journal journal(level_of(flags.log_level));
  const ServiceSecrets secrets = read_secrets(flags);
  for (const auto& warning : secrets.warnings)
    journal.write(Level::kWarning, "secret", Json::object({{"what", warning}}));
  Tokens& tokens = *secrets.tokens;
  auto store = open_store(secrets.database.text, static_cast<Shard>(flags.shards));
  if (secrets.copy_from) {
    const auto from = open_store(secrets.copy_from->text);
    const auto copied = copy_store(*from, *store);
    fmt::print("hannan: copied {} learners with {} rounds\n", copied.learners, copied.rows);
  }
  Metrics metrics;
  // Stopped, but never taken apart: of many segments that takes longer than the grace, and the end of the process frees
  // them at once.
  static Host& host =
      *new Host(std::move(store),
                {.learners = flags.learners,
                 .memory = static_cast<double>(flags.memory_mib) * (1U << 20U),
                 .waiting_of_learner = flags.queue,
                 .snapshot_every = flags.snapshot_every,
                 .keep_rounds = flags.keep,
                 .keep_ids_milliseconds = static_cast<std::int64_t>(flags.keep_ids) * 86'400'000,
                 .oracles = flags.allow_external ? ExternalOracles::kAllowed : ExternalOracles::kRefused,
                 .differing = flags.replay_outcomes ? Differing::kLearnedAgain : Differing::kRefused,
                 .workers = flags.workers > 0 ? flags.workers : std::thread::hardware_concurrency(),
                 .search_nodes = flags.work_limit,
                 .journal = &journal},
                metrics);
  const StoppedAtEnd stopped_at_end(host);
  Forwarder forwarder;
  const Forward ask_node = [&forwarder](const std::string& url, Request request, Respond respond) {
    forwarder.send(url, std::move(request), std::move(respond));
  };
  Api api(host, metrics, tokens,
          {.outcomes = {.outcomes = flags.batch},
           .body = flags.body_mib << 20U,
           .metrics_learners = flags.metrics_learners,
           .disk = is_postgres(secrets.database.text) ? "" : secrets.database.text,
           .other_node = flags.redirect ? 307 : 421,
           .forward = flags.forward ? ask_node : nullptr,
           .ask_node = ask_node,
           .hosts = known_hosts(flags.listen, flags.hosts),
           .journal = &journal,
           .rate = static_cast<double>(flags.rate),
           .metrics_public = flags.metrics_public});
  const std::size_t connections = possible_connections(flags.connections);
  if (connections < flags.connections)
    fmt::print(stderr, "hannan: at most {} connections, because no more files may be open (ulimit -n)\n", connections);
  HttpServer server(flags.listen, {.connections = connections, .body = flags.body_mib << 20U, .threads = flags.threads},
                    [&](Request request, Respond respond) {
                      if (request.body.size() <= kReadAtOnce) return api.handle(std::move(request), std::move(respond));
                      const auto large = std::make_shared<Request>(std::move(request));
                      host.work_aside(large->target, [&api, large, respond = std::move(respond)] {
                        api.handle(std::move(*large), respond);
                      });
                    });
  // Refused after binding, when the address is known, and before anything is answered.
  if (!server.loopback()) check_tokened(tokens);
  // After the server is bound, since other nodes are told its address, and before it answers.
  host.join({.url = node_url(flags.url, flags.listen, server.address()),
             .stale = std::chrono::seconds(flags.stale),
             .say = [&journal](const std::string& what) {
               journal.write(Level::kWarning, "nodes", Json::object({{"what", what}}));
             }});
  server.start();
  fmt::print("hannan: serving at http://{}/ (Ctrl-C ends it)\n", server.address());
  if (!cli::flush_output()) return 0;  // which fails where the program ends
  wait_for_end(signals, tokens);
  fmt::print("hannan: finishing what was sent\n");
  cli::flush_output();
  // Requests under way need the host to be answered, so it stops last: at once where the grace is over.
  // The last part of the grace is for what is left then: searches that end at their next node, snapshots, and closing
  // the log.
  const std::chrono::milliseconds grace = std::chrono::seconds(flags.grace), last = std::min(grace / 4, kLastPart);
  const auto end = Host::Clock::now() + grace;
  server.stop(end - last);
  host.stop({.work = end - last, .snapshots = end - last / 4});
  return 0;
}

}  // namespace
}  // namespace hannan::detail::service

int main(int argc, char** argv) {
  using namespace hannan::detail;
  return cli::run_one_command({.name = "serve",
                               .define =
                                   [](cli::Command& command) {
                                     const auto flags = cli::add_serve_flags(command);
                                     command.run = [flags, &command] {
                                       flags->database_given = command.given("--db");
                                       flags->copy_given = command.given("--copy-from");
                                       return flags->check_config ? service::check_config(*flags)
                                                                  : service::serve(*flags);
                                     };
                                   }},
                              {argv, argv + argc});
}
