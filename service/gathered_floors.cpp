// A set of floors whose learners are on several nodes: the node that has the set asks the others.
#include <utility>

#include "service/codes.hpp"
#include "service/floor_set.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {
namespace {

std::string kept_name(const std::string& learner) { return "far/" + learner; }  // no learner may be called so

bool has_warning(const Reply& reply) {
  for (const auto& [name, value] : reply.headers) {
    if ((name == "Warning" || name == "warning") && value.starts_with("110")) return true;
  }
  return false;
}

}  // namespace

// None where there is no such learner; a learner of another node is still an error.
EntryPointer Api::entry_or_none(const std::string& name) const {
  try {
    return host_.find(name);
  } catch (const Error& e) {
    if (e.code() != Code::kUndefined) throw;
    return nullptr;
  }
}

// The call is owned by the Gathering from here on; `then` is called once, when every far learner's floors are known.
void Api::gather_floors(Call& call, const FloorSet& set, Gathered then) {
  FloorSources from;
  from.find = [this](const std::string& name) { return entry_or_none(name); };
  std::vector<std::string> away;
  for (const auto& name : set.learners()) {
    if (host_.cluster() && !host_.cluster()->here(name)) away.push_back(name);
  }
  gather_next(
      std::make_shared<Gathering>(Gathering{std::move(call), std::move(away), std::move(from), std::move(then)}));
}

// One learner after the other, each from the node that has it now. Where that does not answer, the floors that it had
// last are taken.
void Api::gather_next(const std::shared_ptr<Gathering>& all) {
  if (all->away.empty()) return all->then(all->call, all->from);
  const std::string name = all->away.back();
  const std::string url = host_.cluster()->url_of(name);
  if (url.empty() || !setting_.ask_node) return use_kept(all, name, "no node has it now");
  Request request{.method = "GET", .target = "/v1/learners/" + name + "/floors.json", .headers = {}, .body = {}};
  request.headers[kForwarded] = host_.cluster()->node();
  const std::string token = all->call.request.header("authorization");
  if (!token.empty()) request.headers["authorization"] = token;
  setting_.ask_node(url, std::move(request), [this, all, name, url](const Reply& reply) {
    try {
      // 400: a learner of another kind, which has no floors.
      if (reply.status != 200 && reply.status != 404 && reply.status != 400)
        return use_kept(all, name, "the node " + url + " answered " + std::to_string(reply.status));
      FarFloors far;
      if (reply.status == 200) far = {.one = parse_json(reply.body), .stale = has_warning(reply)};
      auto kept = std::make_shared<KeptFloors>();
      kept->one = far.one;
      kept_floors_.keep(kept_name(name), std::move(kept));
      add_gathered(all, name, std::move(far));
    } catch (...) {
      all->call.respond(error_reply(std::current_exception()));
    }
  });
}

// Old floors are better than none, and the file then says that it is stale.
void Api::use_kept(const std::shared_ptr<Gathering>& all, const std::string& name, const std::string& why) {
  const auto kept = kept_floors_.find(kept_name(name));
  if (!kept) {
    throw Error(kNotReady,
                "found no floors of " + name + ", a learner of another node (" + why + "), expected them; ask again",
                "learner");
  }
  add_gathered(all, name, {.one = kept->one, .stale = true});
}

void Api::add_gathered(const std::shared_ptr<Gathering>& all, const std::string& name, FarFloors far) {
  all->from.far.emplace(name, std::move(far));
  all->away.pop_back();
  gather_next(all);
}

}  // namespace hannan::detail::service
