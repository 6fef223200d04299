// The flags of `hannan serve`; defined where help and manual can see them without HTTP and databases.
#include "serve_flags.hpp"

namespace hannan::detail::cli {

std::shared_ptr<ServeFlags> add_serve_flags(Command& command) {
  auto flags = std::make_shared<ServeFlags>();
  command.add("--db", &flags->database,
              "the log: a file of SQLite, made where there is none, or postgresql://...; @FILE: the file has the "
              "address; left out: that of the environment variable HANNAN_DB, or hannan.db");
  command.add("--copy-from", &flags->copy_from,
              "a log to copy into an empty --db first; @FILE and HANNAN_COPY_FROM as for --db");
  command.add("--check-config", &flags->check_config,
              "say what a start would find in flags, tokens and log, one line each, and end; nothing is changed");
  command.add("--shards", &flags->shards, "parts of a PostgreSQL log that nodes share; fixed when it is made (64)")
      .range(1, 65536);
  command.add("--url", &flags->url, "where clients reach this node, if not at the address of --listen");
  command.add("--forward", &flags->forward, "pass requests for a learner of another node on to it");
  command.add("--redirect", &flags->redirect, "answer them with 307, which clients follow, not with 421");
  command.add("--stale", &flags->stale, "seconds that decisions are answered without the database")
      .range(0, 86400)
      .show_default();
  command.add("--listen", &flags->listen, "HOST:PORT, or unix:PATH").show_default();
  command.add(
      "--tokens", &flags->tokens,
      "a file of tokens; without it, and without lines of such a file in the environment variable HANNAN_TOKENS, "
      "only this machine may be listened to");
  command.add("--host", &flags->hosts,
              "a name by which clients reach it, e.g. floors.shop.com; without any: localhost where it listens there, "
              "else every name");
  command.add("--rate", &flags->rate, "requests a second that a token may send; 0: any number")
      .range(0, 1'000'000)
      .show_default();
  command.add("--metrics-public", &flags->metrics_public, "/metrics needs no token");
  command
      .add("--log-level", &flags->log_level,
           "what standard error is told, as JSON lines: error, warning (failures), or info (every request)")
      .show_default();
  command.add("--max-body", &flags->body_mib, "MiB of a request").range(1, 1024).show_default();
  command.add("--max-batch", &flags->batch, "outcomes of a request").range(1, 1'000'000).show_default();
  command.add("--connections", &flags->connections, "open at the same time; others are answered with H821")
      .range(1, 1'000'000)
      .show_default();
  command.add("--max-queue", &flags->queue, "outcomes of a learner that may wait").range(1, 10'000'000).show_default();
  command.add("--max-learners", &flags->learners, "learners").range(1, 1'000'000).show_default();
  command.add("--memory", &flags->memory_mib, "MiB for the learners and their segments, estimated beforehand")
      .range(16, 1U << 24U)
      .show_default();
  command
      .add("--snapshot-every", &flags->snapshot_every,
           "rounds between two snapshots of a learner, more where its state is large")
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
  command
      .add("--grace", &flags->grace,
           "seconds within which the service ends; the most of them are for requests under way")
      .range(0, 3600)
      .show_default();
  command.add("--threads", &flags->threads, "threads for HTTP").range(1, 64).show_default();
  command.add("--workers", &flags->workers, "threads for the work of learners; 0: as many as there are cores")
      .range(0, 256)
      .show_default();
  command
      .add("--work-limit", &flags->work_limit,
           "nodes that a learner's search may ask for; what is not found then is stated")
      .range(1, 1'000'000'000)
      .show_default();
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
  command.values = flags;
  return flags;
}

}  // namespace hannan::detail::cli
