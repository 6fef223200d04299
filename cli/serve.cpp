#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include "command.hpp"
#include "hannan/core/error.hpp"
#include "service/api.hpp"
#include "service/copy_store.hpp"
#include "service/forwarder.hpp"
#include "service/http_server.hpp"
#include "service/open_files.hpp"
#include "standard_output.hpp"

namespace hannan::detail::cli {
namespace {

struct ServeFlags {
  std::string database = "hannan.db", listen = "127.0.0.1:8080", tokens, metrics_learners, copy_from, url;
  std::uint64_t body_mib = 8, batch = 10'000, queue = 10'000, learners = 10'000, memory_mib = 4096, grace = 10,
                snapshot_every = 10'000, connections = 1024, keep = 0, keep_ids = 7, shards = 0, stale = 60;
  unsigned threads = 2;
  bool allow_external = false, forward = false, redirect = false, replay_outcomes = false;
};

// Signals come to the one thread that waits for them: SIGHUP reads the tokens again, the others end the service.
int wait_for_end(const sigset_t& signals, service::Tokens& tokens) {
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

// Where other nodes send clients of this one's learners.
std::string node_url(const ServeFlags& flags, const std::string& address) {
  if (flags.url.empty()) return flags.listen.starts_with("unix:") ? "" : "http://" + address;
  if (!flags.url.starts_with("http://") && !flags.url.starts_with("https://"))
    throw Error(Code::kUsage, "found \"" + flags.url + "\", expected http:// or https://", "--url");
  return flags.url.substr(0, flags.url.find_last_not_of('/') + 1);
}

int serve(const ServeFlags& flags) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);

  auto tokens =
      flags.tokens.empty() ? std::make_unique<service::Tokens>() : std::make_unique<service::Tokens>(flags.tokens);
  auto store = service::open_store(flags.database, static_cast<service::Shard>(flags.shards));
  if (!flags.copy_from.empty()) {
    const auto from = service::open_store(flags.copy_from);
    const auto copied = service::copy_store(*from, *store);
    fmt::print("hannan: copied {} learners with {} rounds\n", copied.learners, copied.rows);
  }
  service::Metrics metrics;
  service::Host host(
      std::move(store),
      {.learners = flags.learners,
       .memory = static_cast<double>(flags.memory_mib) * (1U << 20U),
       .waiting_of_learner = flags.queue,
       .snapshot_every = flags.snapshot_every,
       .keep_rounds = flags.keep,
       .keep_ids_milliseconds = static_cast<std::int64_t>(flags.keep_ids) * 86'400'000,
       .oracles = flags.allow_external ? service::ExternalOracles::kAllowed : service::ExternalOracles::kRefused,
       .differing = flags.replay_outcomes ? service::Differing::kLearnedAgain : service::Differing::kRefused},
      metrics);
  service::Forwarder forwarder;
  const service::Forward ask_node = [&forwarder](const std::string& url, service::Request request,
                                                 service::Respond respond) {
    forwarder.send(url, std::move(request), std::move(respond));
  };
  service::Api api(host, metrics, *tokens,
                   {.outcomes = {.outcomes = flags.batch},
                    .body = flags.body_mib << 20U,
                    .metrics_learners = flags.metrics_learners,
                    .disk = flags.database.starts_with("postgres") ? "" : flags.database,
                    .other_node = flags.redirect ? 307 : 421,
                    .forward = flags.forward ? ask_node : nullptr,
                    .ask_node = ask_node});
  const std::size_t connections = service::possible_connections(flags.connections);
  if (connections < flags.connections)
    fmt::print(stderr, "hannan: at most {} connections, because no more files may be open (ulimit -n)\n", connections);
  service::HttpServer server(
      flags.listen, {.connections = connections, .body = flags.body_mib << 20U, .threads = flags.threads},
      [&](service::Request request, service::Respond respond) { api.handle(std::move(request), std::move(respond)); });
  if (!server.loopback() && !tokens->required()) {
    throw Error(Code::kUsage,
                "found an address that other machines reach and no --tokens, expected a loopback address or tokens",
                "--listen");
  }
  host.join({.url = node_url(flags, server.address()),
             .stale = std::chrono::seconds(flags.stale),
             .say = [](const std::string& what) { std::fputs(("hannan: " + what + "\n").c_str(), stderr); }});
  server.start();
  fmt::print("hannan: serving at http://{}/ (Ctrl-C ends it)\n", server.address());
  if (!flush_output()) return 0;  // which fails where the program ends
  wait_for_end(signals, *tokens);
  fmt::print("hannan: finishing what was sent\n");
  flush_output();
  // Requests under way need the writer to be answered, so it stops last.
  server.stop(static_cast<int>(flags.grace));
  host.stop();
  return 0;
}

}  // namespace

void define_serve(Command& command) {
  auto flags = std::make_shared<ServeFlags>();
  command.add("--db", &flags->database, "the log: a file of SQLite, made where there is none, or postgresql://...")
      .show_default();
  command.add("--copy-from", &flags->copy_from, "a log to copy into an empty --db first");
  command.add("--shards", &flags->shards, "parts of a PostgreSQL log that nodes share; fixed when it is made (64)")
      .range(1, 65536);
  command.add("--url", &flags->url, "where clients reach this node, if not at the address of --listen");
  command.add("--forward", &flags->forward, "pass requests for a learner of another node on to it");
  command.add("--redirect", &flags->redirect, "answer them with 307, which clients follow, not with 421");
  command.add("--stale", &flags->stale, "seconds that decisions are answered without the database")
      .range(0, 86400)
      .show_default();
  command.add("--listen", &flags->listen, "HOST:PORT, or unix:PATH").show_default();
  command.add("--tokens", &flags->tokens, "a file of tokens; without it only this machine may be listened to");
  command.add("--max-body", &flags->body_mib, "MiB of a request").range(1, 1024).show_default();
  command.add("--max-batch", &flags->batch, "outcomes of a request").range(1, 1'000'000).show_default();
  command.add("--connections", &flags->connections, "open at the same time; others are answered with H821")
      .range(1, 1'000'000)
      .show_default();
  command.add("--max-queue", &flags->queue, "outcomes of a learner that may wait").range(1, 10'000'000).show_default();
  command.add("--max-learners", &flags->learners, "learners").range(1, 1'000'000).show_default();
  command.add("--memory", &flags->memory_mib, "MiB for the learners, estimated before one is made")
      .range(16, 1U << 24U)
      .show_default();
  command.add("--snapshot-every", &flags->snapshot_every, "rounds between two snapshots of a learner")
      .range(1, 1'000'000'000)
      .show_default();
  command.add("--replay-outcomes", &flags->replay_outcomes,
              "after an upgrade: where the log has other decisions than this program would take, learn from its "
              "outcomes; what was decided stays what was played");
  command.add("--keep", &flags->keep, "rounds of the log that are kept, of learners without `keep`; 0: all")
      .range(0, 1'000'000'000'000)
      .show_default();
  command.add("--keep-ids", &flags->keep_ids, "days for which a row, and so its id, is kept in any case")
      .range(0, 36'500)
      .show_default();
  command.add("--grace", &flags->grace, "seconds that requests under way have when the service ends")
      .range(0, 3600)
      .show_default();
  command.add("--threads", &flags->threads, "threads for HTTP").range(1, 64).show_default();
  command.add("--metrics-learners", &flags->metrics_learners, "a pattern of names whose own figures /metrics has");
  command.add("--allow-external", &flags->allow_external, "learners may have oracles that run commands");
  command.notes = "Learners are made, asked and told over HTTP. An outcome that was acknowledged is on disk.";
  command.examples = {
      "hannan serve --db shop.db &",
      "curl -X PUT localhost:8080/v1/learners/home -d \\\n    "
      "'{\"problem\":{\"kind\":\"vcg-reserves\",\"params\":{\"bidders\":3,\"levels\":20}}}'",
      "curl localhost:8080/v1/learners/home/decision",
      "curl localhost:8080/v1/learners/home/outcomes -d \\\n    '{\"id\":\"auction-1\",\"outcome\":[0.31,0.52,0.07]}'"};
  command.see = "All resources, promises and limits: docs/service.md.";
  command.run = [flags] { return serve(*flags); };
}

}  // namespace hannan::detail::cli
