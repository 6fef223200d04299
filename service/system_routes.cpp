// The process itself: figures, health, contract, page.
#include <fmt/format.h>
#include <fnmatch.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <utility>

#include "hannan/runtime/version.hpp"
#include "service/route_values.hpp"
#include "service/service_parts.hpp"

namespace hannan::detail::service {
namespace {

constexpr double kStalledSeconds = 10;  // of work for one learner, from which on /readyz names it as stalled

}  // namespace

// Single learners are shown only where --metrics-learners names them: ten thousand of them would burden every scrape.
void Api::metrics(Call& call) {
  if (!setting_.metrics_public) tokens_.check(Scope::kRead, call.request.header("authorization"), "");
  std::map<std::string_view, std::size_t> counts{{"cold", 0}, {"ready", 0}, {"quarantined", 0}};
  std::string single;
  for (std::string after;;) {
    const auto some = host_.list(after, 1000);
    if (some.empty()) break;
    for (const auto& entry : some) {
      after = entry->name();
      const auto now = entry->now();
      ++counts[status_name(now.status)];
      if (setting_.metrics_learners.empty() || !now.published ||
          ::fnmatch(setting_.metrics_learners.c_str(), entry->name().c_str(), 0) != 0)
        continue;
      const auto line = [&](const char* what, double value) {
        single += fmt::format("hannan_{}{{learner=\"{}\"}} {}\n", what, entry->name(), value);
      };
      line("rounds", static_cast<double>(now.published->rounds));
      line("loss", now.published->total);
      line("drift", now.published->drift);
      if (now.published->best) line("best_loss", *now.published->best);
      if (now.published->regret) line("regret", *now.published->regret);
      // Where the best is not proven it lies from the floor to what was found, and the regret up to the most.
      if (now.published->floor) {
        line("best_loss_floor", *now.published->floor);
        line("regret_most", now.published->total - *now.published->floor);
      }
    }
  }
  Reply reply;
  reply.type = "text/plain; version=0.0.4";
  reply.body = metrics_.text() + "# TYPE hannan_learners gauge\n";
  for (const auto& [status, count] : counts)
    reply.body += fmt::format("hannan_learners{{status=\"{}\"}} {}\n", status, count);
  reply.body += fmt::format("# TYPE hannan_queue_bytes gauge\nhannan_queue_bytes {}\n", host_.waiting_bytes());
  reply.body += fmt::format("# TYPE hannan_build_info gauge\nhannan_build_info{{version=\"{}\"}} 1\n", kVersion);
  const auto longest = host_.longest();
  reply.body += fmt::format(
      "# HELP hannan_longest_work_seconds For how long the learner has been worked for that takes longest now.\n"
      "# TYPE hannan_longest_work_seconds gauge\nhannan_longest_work_seconds {}\n",
      longest ? longest->seconds : 0);
  if (const Cluster* cluster = host_.cluster()) reply.body += cluster->text();
  reply.body += single;
  call.respond(std::move(reply));
}

// The process answers; whether it can serve is /readyz.
void Api::alive(Call& call) { call.respond(json_reply(Json::object({{"alive", true}}))); }

// 503 until every learner was loaded once, and while the log cannot be written: a balancer then sends clients
// elsewhere.
void Api::ready(Call& call) {
  const bool good = host_.ready() && host_.writable();
  const auto longest = host_.longest();
  Json disk;  // the share that is used
  if (!setting_.disk.empty()) {
    std::error_code error;
    const auto space = std::filesystem::space(setting_.disk, error);
    if (!error && space.capacity > 0)
      disk = 1 - static_cast<double>(space.available) / static_cast<double>(space.capacity);
  }
  const std::chrono::duration<double> up = std::chrono::steady_clock::now() - started_;
  call.respond(json_reply(Json::object({{"ready", good},
                                        {"recovered", host_.ready()},
                                        {"writable", host_.writable()},
                                        {"stopped", host_.count(Status::kQuarantined)},
                                        {"stalled", longest && longest->seconds > kStalledSeconds ? 1 : 0},
                                        {"longest_work", longest ? longest->seconds : 0},
                                        {"commit_p99", metrics_.commit_seconds.quantile(0.99)},
                                        {"accepted", metrics_.accepted.load()},
                                        {"version", kVersion},
                                        {"seconds", up.count()},
                                        {"disk", disk}}),
                          good ? 200 : 503));
}

void Api::contract(Call& call) {
  Reply reply;
  reply.body = std::string(service_parts::openapi);
  call.respond(std::move(reply));
}

}  // namespace hannan::detail::service
