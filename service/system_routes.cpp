// The process itself: health, contract, page.
#include <chrono>
#include <filesystem>
#include <utility>

#include "hannan/runtime/version.hpp"
#include "service/route_values.hpp"
#include "service/service_parts.hpp"

namespace hannan::detail::service {

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
                                        {"stalled", host_.stalled()},
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
