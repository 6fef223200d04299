// Several nodes: which there are, and requests for a learner that another one has.
#include <utility>

#include "service/codes.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {
namespace {

// Answers without an end, or of any length: clients fetch them from the node itself.
bool is_stream(const Target& target) {
  const std::string& last = target.path.back();
  return last == "events" || last == "record" || last == "log";
}

// Old floors are better than none.
bool is_floors(const Target& target) { return target.path.back().ends_with(".json"); }

}  // namespace

void Api::nodes(Call& call) {
  const Cluster* cluster = host_.cluster();
  call.respond(json_reply(cluster ? cluster->json() : Json::object({{"nodes", Json::array()}})));
}

// A learner or set of another node (by the name of its row) is asked there. One of this node is answered here, without
// the database too, but not for ever: another node may have it by now.
bool Api::answered_elsewhere(Call& call, const std::string& placed) {
  const Cluster& cluster = *host_.cluster();
  if (cluster.here(placed)) {
    if (cluster.expired() && !is_floors(call.target))
      throw Error(kNotReady, "found a node that lost its database, expected one that reaches it; ask again");
    call.respond = [this, placed, target = call.request.target, method = call.request.method,
                    respond = std::move(call.respond)](Reply reply) {
      // It went while the request waited.
      if (reply.status == 421 && !host_.cluster()->here(placed)) return respond(elsewhere(placed, target));
      if (method == "GET" && host_.stale()) add_warning(reply, "110 - \"Response is Stale\"");
      respond(std::move(reply));
    };
    return false;
  }
  const std::string url = cluster.url_of(placed);
  if (!setting_.forward || url.empty() || is_stream(call.target) || !call.request.header(kForwarded).empty()) {
    call.respond(elsewhere(placed, call.request.target));
    return true;
  }
  call.request.headers[kForwarded] = cluster.node();
  setting_.forward(url, std::move(call.request), std::move(call.respond));
  return true;
}

Reply Api::elsewhere(const std::string& name, const std::string& target) const {
  const std::string url = host_.cluster()->url_of(name);
  if (url.empty()) {
    return error_reply(std::make_exception_ptr(
        Error(kNotReady, "found no node that has this learner now, expected one within seconds; ask again", "name")));
  }
  Reply reply = error_reply(std::make_exception_ptr(
      Error(kOtherNode, "found a learner of the node " + url + ", expected one of this node; ask there", "name")));
  reply.status = setting_.other_node;
  reply.headers.emplace_back("Location", url + target);
  return reply;
}

}  // namespace hannan::detail::service
