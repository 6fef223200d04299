// From a request to the handler of its route. The table is the single list of routes: openapi.json, the header Allow
// and the tests are held against it. Order of checks: route, origin (only where no token is asked for), the node that
// has the learner, token, handler. A handler answers exactly once, now or later from the writer's thread; whatever it
// throws becomes an error reply. Any thread of the server may be here at the same time: handlers share nothing but what
// has locks.
#include "service/api.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "hannan/core/small_letters.hpp"
#include "hannan/runtime/pipe.hpp"
#include "service/codes.hpp"
#include "service/doors.hpp"

namespace hannan::detail::service {

Reply json_reply(const Json& json, int status) {
  Reply reply;
  reply.status = status;
  reply.body = dump(json);
  return reply;
}

// Every failure as one form, {"error":{code,message,at}}. 429 and 503 ask for the same request again, which is safe
// because outcomes have ids.
Reply error_reply(const std::exception_ptr& failure) {
  Error error(Code::kInternal, "unknown failure");
  try {
    std::rethrow_exception(failure);
  } catch (const Error& e) {
    error = e;
  } catch (const StoreFailure& e) {
    error = Error(kNotReady, std::string("found a log that cannot be read or written (") + e.what() +
                                 "), expected one that can; send the request again, unchanged");
  } catch (const std::bad_alloc&) {
    error = Error(kNoMemory, "there is not enough memory for this request");
  } catch (const std::exception& e) {
    error = Error(Code::kInternal, e.what());
  }
  Reply reply = json_reply(Json::object({{"error", error_answer(error).at("error")}}), http_status(error.code()));
  reply.headers.emplace_back("Cache-Control", "no-store");  // caches may keep a 404 or 410 unless they are told
  if (reply.status == 429 || reply.status == 503) reply.headers.emplace_back("Retry-After", "1");
  if (reply.status == 401) reply.headers.emplace_back("WWW-Authenticate", "Bearer");
  return reply;
}

Api::Api(Host& host, Metrics& metrics, const Tokens& tokens, ApiSetting setting)
    : host_(host),
      metrics_(metrics),
      tokens_(tokens),
      setting_(std::move(setting)),
      list_figures_(host),
      recent_(host),
      rate_(setting_.rate),
      verify_jobs_(host) {}

const std::vector<Api::Row>& Api::table() {
  static const std::vector<Row> rows{
      {{"GET", "/v1"}, Scope::kOpen, &Api::hello},
      {{"GET", "/v1/nodes"}, Scope::kRead, &Api::nodes},
      {{"GET", "/v1/learners"}, Scope::kRead, &Api::learners, "after limit offset tag match status sort node"},
      {{"PUT", "/v1/learners/{name}"}, Scope::kAdmin, &Api::make},
      {{"GET", "/v1/learners/{name}"}, Scope::kRead, &Api::learner},
      {{"DELETE", "/v1/learners/{name}"}, Scope::kAdmin, &Api::end, "purge"},
      {{"POST", "/v1/learners/{name}/reset"}, Scope::kAdmin, &Api::reset},
      {{"POST", "/v1/learners/{name}/quarantine"}, Scope::kAdmin, &Api::quarantine},
      {{"DELETE", "/v1/learners/{name}/quarantine"}, Scope::kAdmin, &Api::release},
      {{"GET", "/v1/learners/{name}/decision"}, Scope::kRead, &Api::decision, "context after wait explain"},
      {{"GET", "/v1/learners/{name}/decisions/{id}"}, Scope::kRead, &Api::past_decision},
      {{"POST", "/v1/learners/{name}/decisions"}, Scope::kObserve, &Api::decide, "explain"},
      {{"POST", "/v1/learners/{name}/outcomes"}, Scope::kObserve, &Api::outcomes, "return"},
      // Open routes check tokens themselves: for each learner of a batch or of a set of floors, or because a file is
      // public.
      {{"POST", "/v1/batch"}, Scope::kOpen, &Api::batch, "return"},
      {{"GET", "/v1/learners/{name}/report"}, Scope::kRead, &Api::report},
      {{"GET", "/v1/learners/{name}/record"}, Scope::kRead, &Api::record, "from generation"},
      {{"GET", "/v1/learners/{name}/log"}, Scope::kRead, &Api::log, "from generation"},
      {{"GET", "/v1/learners/{name}/state"}, Scope::kAdmin, &Api::state},
      {{"PUT", "/v1/learners/{name}/state"}, Scope::kAdmin, &Api::load},
      {{"GET", "/v1/learners/{name}/curve"}, Scope::kRead, &Api::curve, "points"},
      {{"GET", "/v1/learners/{name}/course"}, Scope::kRead, &Api::recent_rounds},
      {{"GET", "/v1/learners/{name}/verify"}, Scope::kRead, &Api::verification},
      {{"POST", "/v1/learners/{name}/verify"}, Scope::kRead, &Api::verify},
      {{"GET", "/v1/learners/{name}/events"}, Scope::kRead, &Api::events},
      {{"GET", "/v1/learners/{name}/floors.json"}, Scope::kRead, &Api::floors, "schema"},
      {{"GET", "/v1/floors/{set}.json"}, Scope::kOpen, &Api::floor_set_file, "schema"},
      {{"GET", "/v1/floors/{set}"}, Scope::kOpen, &Api::floor_set},
      {{"PUT", "/v1/floors/{set}"}, Scope::kOpen, &Api::make_floor_set},
      {{"DELETE", "/v1/floors/{set}"}, Scope::kOpen, &Api::end_floor_set},
      {{"GET", "/metrics"}, Scope::kOpen, &Api::metrics},
      {{"GET", "/healthz"}, Scope::kOpen, &Api::alive},
      {{"GET", "/readyz"}, Scope::kOpen, &Api::ready},
      {{"GET", "/openapi.json"}, Scope::kOpen, &Api::contract},
      {{"GET", "/"}, Scope::kOpen, &Api::page, "show"},
  };
  return rows;
}

std::vector<Api::Route> Api::routes() {
  std::vector<Route> all;
  for (const Row& row : table()) all.push_back(row.route);
  return all;
}

namespace {

// Do the parts of a path fit a pattern? Then what its names stand for.
// Part by part; {name}, {id} and {set} take whatever stands there. The table has few rows, so it is searched from the
// top.
bool fits(std::string_view pattern, const std::vector<std::string>& path, std::string& name, std::string& id) {
  std::size_t at = 1, i = 0;
  for (; at < pattern.size(); ++i) {
    const std::size_t end = std::min(pattern.find('/', at), pattern.size());
    const std::string_view part = pattern.substr(at, end - at);
    if (i >= path.size()) return false;
    if (part == "{name}") {
      name = path[i];
    } else if (part == "{id}" || part == "{set}") {
      id = path[i];
    } else if (part == "{set}.json") {
      if (!path[i].ends_with(".json")) return false;
      id = path[i].substr(0, path[i].size() - 5);
    } else if (part != path[i]) {
      return false;
    }
    at = end + 1;
  }
  return i == path.size();
}

// As the header Allow lists them.
std::string methods_of(const std::vector<std::string>& path) {
  std::string list, name, id;
  for (const auto& [method, pattern] : Api::routes()) {
    if (!fits(pattern, path, name, id) || list.find(method) != std::string::npos) continue;
    if (!list.empty()) list += ", ";
    list += method == "GET" ? "GET, HEAD" : method;
  }
  return list;
}

// A query that is not understood is no wish fulfilled: a misspelt field would be answered as if it were not there.
void check_query(const Target& target, std::string_view known) {
  for (const auto& [name, value] : target.query) {
    const std::string word = " " + name + " ";
    if (!name.empty() && (" " + std::string(known) + " ").find(word) != std::string::npos) continue;
    throw Error(Code::kUnknownField,
                "found the query field \"" + name + "\", expected " +
                    (known.empty() ? std::string("none") : "some of: " + std::string(known)),
                "query");
  }
}

// The header says it of every reply, and an error in its body too: {"error":{...},"request":"ID"}.
void name_request(Reply& reply, const std::string& id) {
  const auto named = [](const auto& header) { return small_letters(header.first) == "x-request-id"; };
  if (std::any_of(reply.headers.begin(), reply.headers.end(), named)) return;  // another node did
  reply.headers.emplace_back("X-Request-Id", id);
  if (reply.body.starts_with("{\"error\":") && reply.body.ends_with("}"))
    reply.body.insert(reply.body.size() - 1, ",\"request\":\"" + id + "\"");
}

// Does something with the reply that is sent: with this one, or with the one that is waited for.
template <typename What>
void at_its_end(Reply& reply, const What& what) {
  if (!reply.held) return what(reply);
  reply.held->ready = [ready = std::move(reply.held->ready), what](Reply::Held::Patience patience) {
    auto found = ready(patience);
    if (found) at_its_end(*found, what);
    return found;
  };
}

}  // namespace

// Nothing is said here of whether there is such a learner: names cannot be found by trying.
bool Api::has_public_floors(const std::string& name) const {
  const EntryPointer entry = entry_or_none(name);
  return entry && entry->config().public_floors;
}

struct Api::Handled {
  std::chrono::steady_clock::time_point start;
  std::string id, method, trace;
  Respond respond;
};

// Counted by the pattern of the route and not by the path, so that metrics do not grow with the learners.
void Api::answer(const std::shared_ptr<const Handled>& handled, std::string_view route, Reply reply) {
  at_its_end(reply, [this, handled, route](Reply& last) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - handled->start).count();
    metrics_.count_request(route, last.status);
    metrics_.request_seconds.add(seconds);
    const Level level = last.status >= 500 ? Level::kWarning : Level::kInfo;
    if (setting_.journal && setting_.journal->takes(level)) {
      Json line = Json::object({{"request", handled->id}, {"method", handled->method}});
      if (!handled->trace.empty()) line.set("trace", handled->trace);
      line.set("route", std::string(route)).set("status", last.status).set("seconds", seconds);
      setting_.journal->write(level, "request", line);
    }
    name_request(last, handled->id);
  });
  handled->respond(std::move(reply));
}

void Api::handle(Request request, Respond respond) {
  std::string_view route = "unknown";
  const auto handled = std::make_shared<const Handled>(Handled{.start = std::chrono::steady_clock::now(),
                                                               .id = request_name(request.header("x-request-id")),
                                                               .method = request.method,
                                                               .trace = request.header("traceparent"),
                                                               .respond = std::move(respond)});
  request.headers["x-request-id"] = handled->id;  // goes with it to another node
  try {
    auto target = parse_target(request.target);
    if (!target) throw Error(Code::kMalformed, "found a path or query that is malformed, expected another", "path");
    Call call{.request = std::move(request), .target = std::move(*target), .name = {}, .id = {}, .respond = {}};
    bool known = false;
    for (const Row& row : table()) {
      if (!fits(row.route.path, call.target.path, call.name, call.id)) continue;
      known = true;
      const bool head = call.request.method == "HEAD" && row.route.method == "GET";
      if (row.route.method != call.request.method && !head) continue;
      route = row.route.path;
      call.respond = [this, handled, route](Reply reply) { answer(handled, route, std::move(reply)); };
      check_host(call.request, setting_.hosts);
      if (row.route.method != "GET") check_page(call.request, tokens_.required() ? Tokened::kYes : Tokened::kNo);
      rate_.count(call.request.header("authorization"));
      const bool of_set = row.route.path.starts_with("/v1/floors/");
      // Sets are kept by name as learners are, so they too have a node.
      const std::string placed = of_set ? std::string(kSetPrefix) + call.id : call.name;
      if (host_.cluster() && !placed.empty() && answered_elsewhere(call, placed)) return;
      const bool public_floors = row.handler == &Api::floors && has_public_floors(call.name);
      const std::string authorization = call.request.header("authorization");
      if (row.handler == &Api::learners) {
        tokens_.allowed(row.scope, authorization);  // of some learners: those are listed
      } else if (!public_floors) {
        tokens_.check(row.scope, authorization, call.name);
      }
      check_query(call.target, row.query);
      if (!call.name.empty() && answered_by_combiner(call, row.route)) return;
      (this->*row.handler)(call);
      return;
    }
    if (known) {
      Reply reply = error_reply(std::make_exception_ptr(
          Error(Code::kUnknownName, "found the method " + call.request.method + ", expected another for this path",
                "method")));
      reply.status = 405;
      reply.headers.emplace_back("Allow", methods_of(call.target.path));
      return answer(handled, route, std::move(reply));
    }
    Reply reply = error_reply(std::make_exception_ptr(
        Error(Code::kUnknownName, "found a path that does not exist, expected one of openapi.json", "path")));
    reply.status = 404;
    answer(handled, route, std::move(reply));
  } catch (...) {
    answer(handled, route, error_reply(std::current_exception()));
  }
}

}  // namespace hannan::detail::service
