// From a request to the handler of its route. The table is the single list of routes: openapi.json, the header Allow
// and the tests are held against it. Order of checks: route, origin (only where no token is asked for), the node that
// has the learner, token, handler. A handler answers exactly once, now or later from the writer's thread; whatever it
// throws becomes an error reply. Any thread of the server may be here at the same time: handlers share nothing but what
// has locks.
#include "service/api.hpp"

#include <chrono>
#include <utility>

#include "hannan/core/small_letters.hpp"
#include "hannan/runtime/pipe.hpp"
#include "service/codes.hpp"

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
      verify_jobs_(host) {}

const std::vector<Api::Row>& Api::table() {
  static const std::vector<Row> rows{
      {{"GET", "/v1"}, Scope::kOpen, &Api::hello},
      {{"GET", "/v1/nodes"}, Scope::kRead, &Api::nodes},
      {{"GET", "/v1/learners"}, Scope::kRead, &Api::learners},
      {{"PUT", "/v1/learners/{name}"}, Scope::kAdmin, &Api::make},
      {{"GET", "/v1/learners/{name}"}, Scope::kRead, &Api::learner},
      {{"DELETE", "/v1/learners/{name}"}, Scope::kAdmin, &Api::end},
      {{"POST", "/v1/learners/{name}/reset"}, Scope::kAdmin, &Api::reset},
      {{"GET", "/v1/learners/{name}/decision"}, Scope::kRead, &Api::decision},
      {{"GET", "/v1/learners/{name}/decisions/{id}"}, Scope::kRead, &Api::past_decision},
      {{"POST", "/v1/learners/{name}/decisions"}, Scope::kObserve, &Api::decide},
      {{"POST", "/v1/learners/{name}/outcomes"}, Scope::kObserve, &Api::outcomes},
      // Open routes check tokens themselves: for each learner of a batch or of a set of floors, or because a file is
      // public.
      {{"POST", "/v1/batch"}, Scope::kOpen, &Api::batch},
      {{"GET", "/v1/learners/{name}/report"}, Scope::kRead, &Api::report},
      {{"GET", "/v1/learners/{name}/record"}, Scope::kRead, &Api::record},
      {{"GET", "/v1/learners/{name}/state"}, Scope::kAdmin, &Api::state},
      {{"PUT", "/v1/learners/{name}/state"}, Scope::kAdmin, &Api::load},
      {{"GET", "/v1/learners/{name}/curve"}, Scope::kRead, &Api::curve},
      {{"GET", "/v1/learners/{name}/course"}, Scope::kRead, &Api::recent_rounds},
      {{"GET", "/v1/learners/{name}/verify"}, Scope::kRead, &Api::verification},
      {{"POST", "/v1/learners/{name}/verify"}, Scope::kRead, &Api::verify},
      {{"GET", "/v1/learners/{name}/events"}, Scope::kRead, &Api::events},
      {{"GET", "/v1/learners/{name}/floors.json"}, Scope::kRead, &Api::floors},
      {{"GET", "/v1/floors/{set}.json"}, Scope::kOpen, &Api::floor_set_file},
      {{"GET", "/v1/floors/{set}"}, Scope::kOpen, &Api::floor_set},
      {{"PUT", "/v1/floors/{set}"}, Scope::kOpen, &Api::make_floor_set},
      {{"DELETE", "/v1/floors/{set}"}, Scope::kOpen, &Api::end_floor_set},
      {{"GET", "/metrics"}, Scope::kOpen, &Api::metrics},
      {{"GET", "/healthz"}, Scope::kOpen, &Api::alive},
      {{"GET", "/readyz"}, Scope::kOpen, &Api::ready},
      {{"GET", "/openapi.json"}, Scope::kOpen, &Api::contract},
      {{"GET", "/"}, Scope::kOpen, &Api::page},
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

// A browser says which page a request comes from, and sends one of any page to this machine. Where no token is needed
// only the service's own page may change something. What is passed on by a node was checked there.
void check_origin(const Request& request) {
  const std::string origin = request.header("origin");
  if (origin.empty() || !request.header("x-hannan-forwarded").empty()) return;
  const std::size_t scheme = origin.find("://");
  const bool own = request.header("sec-fetch-site") == "same-origin" ||
                   (scheme != std::string::npos &&
                    small_letters(origin.substr(scheme + 3)) == small_letters(request.header("host")));
  if (own) return;
  throw Error(kOtherOrigin,
              "found a request of another origin's page, expected one of the service's own page or of a program; "
              "start the service with --tokens for others",
              "Origin");
}

}  // namespace

void Api::handle(Request request, Respond respond) {
  const auto start = std::chrono::steady_clock::now();
  std::string_view route = "unknown";
  // Counted by the pattern of the route and not by the path, so that metrics do not grow with the learners.
  const auto timed = [this, start, respond = std::move(respond)](std::string_view of, Reply reply) {
    metrics_.count_request(of, reply.status);
    metrics_.request_seconds.add(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    respond(std::move(reply));
  };
  try {
    const auto target = parse_target(request.target);
    if (!target) throw Error(Code::kMalformed, "found a path or query that is malformed, expected another", "path");
    Call call{.request = std::move(request), .target = *target, .name = {}, .id = {}, .respond = {}};
    bool known = false;
    for (const Row& row : table()) {
      if (!fits(row.route.path, call.target.path, call.name, call.id)) continue;
      known = true;
      const bool head = call.request.method == "HEAD" && row.route.method == "GET";
      if (row.route.method != call.request.method && !head) continue;
      route = row.route.path;
      call.respond = [timed, route](Reply reply) { timed(route, std::move(reply)); };
      if (row.route.method != "GET" && !tokens_.required()) check_origin(call.request);
      const bool of_set = row.route.path.starts_with("/v1/floors/");
      // Sets are kept by name as learners are, so they too have a node.
      const std::string placed = of_set ? std::string(kSetPrefix) + call.id : call.name;
      if (host_.cluster() && !placed.empty() && answered_elsewhere(call, placed)) return;
      const bool public_floors = row.handler == &Api::floors && host_.find(call.name)->config().public_floors;
      if (!public_floors) tokens_.check(row.scope, call.request.header("authorization"), call.name);
      (this->*row.handler)(call);
      return;
    }
    if (known) {
      Reply reply = error_reply(std::make_exception_ptr(
          Error(Code::kUnknownName, "found the method " + call.request.method + ", expected another for this path",
                "method")));
      reply.status = 405;
      reply.headers.emplace_back("Allow", methods_of(call.target.path));
      return timed(route, std::move(reply));
    }
    Reply reply = error_reply(std::make_exception_ptr(
        Error(Code::kUnknownName, "found a path that does not exist, expected one of openapi.json", "path")));
    reply.status = 404;
    timed(route, std::move(reply));
  } catch (...) {
    timed(route, error_reply(std::current_exception()));
  }
}

}  // namespace hannan::detail::service
