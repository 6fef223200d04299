#include "service/api.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <charconv>
#include <chrono>
#include <utility>

#include "hannan/bidlog/price_floors.hpp"
#include "hannan/contexts/context_values.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/play/record_writer.hpp"
#include "hannan/runtime/pipe.hpp"
#include "hannan/runtime/version.hpp"
#include "service/codes.hpp"
#include "service/service_parts.hpp"
#include "service/streams.hpp"

namespace hannan::detail::service {
namespace {

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

std::uint64_t whole(const std::string& text, std::uint64_t most, const std::string& at) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > most)
    throw Error(Code::kOutOfRange, "found \"" + text + "\", expected a whole number up to " + std::to_string(most), at);
  return value;
}

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

// What an ETag header names, without its quotes and a weak mark.
std::string unquoted(std::string tag) {
  if (tag.starts_with("W/")) tag.erase(0, 2);
  if (tag.size() >= 2 && tag.front() == '"' && tag.back() == '"') tag = tag.substr(1, tag.size() - 2);
  return tag;
}

std::vector<std::string> context_in(const std::string& text, std::size_t columns) {
  std::vector<std::string> context;
  if (text.starts_with('[')) {
    read_context(parse_json(text), columns, "context", context);
    return context;
  }
  Json list = Json::array();
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    list.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  read_context(list, columns, "context", context);
  return context;
}

Reply decision_reply(const Entry& entry, const std::string& body, const std::string& name) {
  Reply reply;
  reply.body = body;
  const std::uint64_t age = entry.config().max_age;
  reply.headers = {{"ETag", quoted(name)}, {"Cache-Control", age == 0 ? "no-store" : "max-age=" + std::to_string(age)}};
  return reply;
}

Json schema_two(const Json& one) {
  Json group = Json::object({{"modelWeight", 100}});
  for (const char* name : {"modelVersion", "currency", "skipRate", "schema", "values", "default"})
    group.set(name, one.at(name));
  return Json::object({{"floorsSchemaVersion", 2},
                       {"floorProvider", one.at("floorProvider")},
                       {"currency", one.at("currency")},
                       {"skipRate", one.at("skipRate")},
                       {"floorMin", one.at("floorMin")},
                       {"modelGroups", Json::array({group})}});
}

}  // namespace

Reply json_reply(const Json& json, int status) {
  Reply reply;
  reply.status = status;
  reply.body = dump(json);
  return reply;
}

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
    : host_(host), metrics_(metrics), tokens_(tokens), setting_(std::move(setting)) {}

const std::vector<Api::Row>& Api::table() {
  static const std::vector<Row> rows{
      {{"GET", "/v1"}, Scope::kOpen, &Api::hello},
      {{"GET", "/v1/learners"}, Scope::kRead, &Api::learners},
      {{"PUT", "/v1/learners/{name}"}, Scope::kAdmin, &Api::make},
      {{"GET", "/v1/learners/{name}"}, Scope::kRead, &Api::learner},
      {{"DELETE", "/v1/learners/{name}"}, Scope::kAdmin, &Api::end},
      {{"POST", "/v1/learners/{name}/reset"}, Scope::kAdmin, &Api::reset},
      {{"GET", "/v1/learners/{name}/decision"}, Scope::kRead, &Api::decision},
      {{"GET", "/v1/learners/{name}/decisions/{id}"}, Scope::kRead, &Api::past_decision},
      {{"POST", "/v1/learners/{name}/outcomes"}, Scope::kObserve, &Api::outcomes},
      {{"POST", "/v1/batch"}, Scope::kObserve, &Api::batch},
      {{"GET", "/v1/learners/{name}/report"}, Scope::kRead, &Api::report},
      {{"GET", "/v1/learners/{name}/record"}, Scope::kRead, &Api::record},
      {{"GET", "/v1/learners/{name}/state"}, Scope::kAdmin, &Api::state},
      {{"GET", "/v1/learners/{name}/curve"}, Scope::kRead, &Api::curve},
      {{"GET", "/v1/learners/{name}/events"}, Scope::kRead, &Api::events},
      {{"GET", "/v1/learners/{name}/floors.json"}, Scope::kRead, &Api::floors},
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
bool fits(std::string_view pattern, const std::vector<std::string>& path, std::string& name, std::string& id) {
  std::size_t at = 1, i = 0;
  for (; at < pattern.size(); ++i) {
    const std::size_t end = std::min(pattern.find('/', at), pattern.size());
    const std::string_view part = pattern.substr(at, end - at);
    if (i >= path.size()) return false;
    if (part == "{name}") {
      name = path[i];
    } else if (part == "{id}") {
      id = path[i];
    } else if (part != path[i]) {
      return false;
    }
    at = end + 1;
  }
  return i == path.size();
}

}  // namespace

void Api::handle(Request request, Respond respond) {
  const auto start = std::chrono::steady_clock::now();
  std::string_view route = "unknown";
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
      const bool public_floors = row.handler == &Api::floors && host_.find(call.name)->config().public_floors;
      if (!public_floors) tokens_.check(row.scope, call.request.header("authorization"), call.name);
      call.respond = [timed, route](Reply reply) { timed(route, std::move(reply)); };
      (this->*row.handler)(std::move(call));
      return;
    }
    if (known) {
      Reply reply = error_reply(std::make_exception_ptr(
          Error(Code::kUnknownName, "found the method " + call.request.method + ", expected another for this path",
                "method")));
      reply.status = 405;
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

void Api::hello(Call call) {
  Json answer = Pipe().answer(Json::object({{"op", "hello"}}));
  answer.set("limits", Json::object({{"body", setting_.body}, {"outcomes", setting_.outcomes.outcomes}}));
  answer.set("schema", 1);
  call.respond(json_reply(answer));
}

Json Api::learner_json(const Entry& entry) const {
  const auto now = entry.now();
  Json answer = Json::object({{"name", entry.name()},
                              {"status", status_name(now.status)},
                              {"generation", entry.log().generation},
                              {"problem", entry.config().problem_kind},
                              {"learner", entry.config().learner_kind},
                              {"tags", entry.config().tags}});
  if (!now.why.empty()) answer.set("why", now.why);
  if (now.published) {
    const Published& seen = *now.published;
    answer.set("rounds", seen.rounds);
    answer.set("total", seen.total);
    answer.set("best", number_or_null(seen.best));
    answer.set("regret", number_or_null(seen.regret));
    answer.set(
        "played",
        Json::object(
            {{"total", seen.played}, {"drift", seen.drift}, {"late", seen.late}, {"unattributed", seen.unattributed}}));
    answer.set("oracle_calls", seen.oracle_calls);
    answer.set("decision", decision_name(seen.generation, seen.rounds + 1));
  }
  return answer;
}

void Api::learners(Call call) {
  const std::size_t limit = std::max<std::uint64_t>(1, whole(call.target.value("limit", "200"), 1000, "limit"));
  const std::string tag = call.target.value("tag"), match = call.target.value("match");
  Json list = Json::array();
  std::string after = call.target.value("after"), next;
  // Pages of the whole list, from which those that fit are taken.
  for (bool more = true; more && list.size() < limit;) {
    const auto some = host_.list(after, 1000);
    more = !some.empty();
    for (const auto& entry : some) {
      after = entry->name();
      if (!match.empty() && entry->name().find(match) == std::string::npos) continue;
      if (!tag.empty()) {
        const std::size_t equals = tag.find('=');
        const Json* value = entry->config().tags.find(tag.substr(0, equals));
        if (!value || (equals != std::string::npos && value->as_string() != tag.substr(equals + 1))) continue;
      }
      list.push_back(learner_json(*entry));
      if (list.size() == limit) {
        next = entry->name();
        break;
      }
    }
  }
  Json answer = Json::object({{"learners", list}, {"count", host_.size()}});
  if (!next.empty()) answer.set("next", next);
  call.respond(json_reply(answer));
}

void Api::make(Call call) {
  const Json body = parse_json(call.request.body);
  const std::string name = call.name;
  host_.make(name, body, [this, call = std::move(call)](Host::Made made, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    try {
      const auto entry = host_.find(call.name);
      Json answer = learner_json(*entry);
      answer.set("config", entry->config().json());
      call.respond(json_reply(answer, made == Host::Made::kNew ? 201 : 200));
    } catch (...) {
      call.respond(error_reply(std::current_exception()));
    }
  });
}

void Api::learner(Call call) {
  const auto entry = host_.find(call.name);
  Json answer = learner_json(*entry);
  answer.set("config", entry->config().json());
  answer.set("created", entry->stored().created);
  call.respond(json_reply(answer));
}

void Api::end(Call call) {
  const bool purge = call.target.value("purge", "false") == "true";
  const std::string name = call.name;
  host_.end(name, purge, [call = std::move(call)](bool, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    Reply reply;
    reply.status = 204;
    call.respond(std::move(reply));
  });
}

void Api::reset(Call call) {
  const auto entry = host_.find(call.name);
  std::optional<std::uint64_t> if_round;
  const std::string match = call.request.header("if-match");
  if (!match.empty()) if_round = read_decision(unquoted(match), entry->log().generation, "If-Match");
  const std::string name = call.name;
  host_.reset(name, if_round, [this, call = std::move(call)](bool, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    try {
      call.respond(json_reply(learner_json(*host_.find(call.name))));
    } catch (...) {
      call.respond(error_reply(std::current_exception()));
    }
  });
}

void Api::decision(Call call) {
  const auto entry = host_.find(call.name);
  ++metrics_.decisions;
  const bool has_context = call.target.query.contains("context");
  if (entry->columns() > 0 && !has_context)
    throw Error(Code::kMissingField, "found no context, expected one value for each column of the learner", "context");
  if (entry->columns() == 0 && has_context)
    throw Error(Code::kUnknownField, "found a context, expected none: the learner has no columns", "context");
  const auto now = entry->now();
  if (entry->columns() > 0 || !now.published) {
    std::vector<std::string> context;
    if (entry->columns() > 0) context = context_in(call.target.value("context"), entry->columns());
    return host_.with(
        entry, [context](HostedLearner& learner) { return learner.decision_for(context); },
        [entry, call = std::move(call)](const Json& answer, const std::exception_ptr& failure) {
          if (failure) return call.respond(error_reply(failure));
          call.respond(decision_reply(*entry, dump(answer), answer.at("decision").as_string()));
        });
  }
  const std::string current = decision_name(now.published->generation, now.published->rounds + 1);
  if (unquoted(call.request.header("if-none-match")) == current) {
    Reply reply;
    reply.status = 304;
    reply.headers = {{"ETag", quoted(current)}};
    return call.respond(std::move(reply));
  }
  if (call.target.value("after") != current)
    return call.respond(decision_reply(*entry, now.published->decision_text, current));
  // Held until there is a newer one, or the time is over.
  using namespace std::chrono;
  const auto until = steady_clock::now() + seconds(whole(call.target.value("wait", "0"), 300, "wait"));
  Reply reply;
  reply.poll = [this, name = call.name, current, until]() -> std::optional<Reply> {
    try {
      const auto held = host_.find(name);
      const auto seen = held->now().published;
      if (!seen) return std::nullopt;
      const std::string fresh = decision_name(seen->generation, seen->rounds + 1);
      if (fresh == current && steady_clock::now() < until) return std::nullopt;
      return decision_reply(*held, seen->decision_text, fresh);
    } catch (...) {
      return error_reply(std::current_exception());
    }
  };
  call.respond(std::move(reply));
}

void Api::past_decision(Call call) {
  const auto entry = host_.find(call.name);
  const std::uint64_t round = read_decision(call.id, entry->log().generation, "id");
  const auto now = entry->now();
  if (!now.published) throw Error(kNotReady, "found a learner that is not loaded yet, expected it soon; ask again");
  if (round == now.published->rounds + 1 && entry->columns() == 0)
    return call.respond(decision_reply(*entry, now.published->decision_text, call.id));
  if (round > now.published->rounds)
    throw Error(kUnknownDecision, "found a decision that was never made, expected an earlier one", "id");
  const auto rows = host_.reader()->rows_after(entry->log(), round - 1, 1);
  if (rows.empty() || rows.front().t != round)
    throw Error(kTrimmed, "found that this round is no longer kept, expected a later one", "id");
  const Json line = parse_json(rows.front().line);
  Json answer = Json::object({{"decision", call.id}, {"round", round}});
  for (const char* name : {"action", "context", "nodes", "weights", "pick", "multiplier", "eta", "regime"}) {
    if (const Json* value = line.find(name)) answer.set(name, *value);
  }
  Reply reply = json_reply(answer);
  reply.headers = {{"ETag", quoted(call.id)}, {"Cache-Control", "max-age=31536000, immutable"}};
  call.respond(std::move(reply));
}

namespace {

Json accepted_json(const Accepted::Part& part, bool each) {
  const Published& seen = *part.published;
  Json answer = Json::object({{"accepted", part.accepted}, {"duplicates", part.duplicates}});
  if (part.accepted > 0) {
    answer.set("first", part.first);
    answer.set("last", part.last);
  }
  answer.set("total", seen.total);
  answer.set("best", number_or_null(seen.best));
  answer.set("regret", number_or_null(seen.regret));
  answer.set("next", seen.decision);
  if (!each) return answer;
  Json list = Json::array();
  for (const auto& one : part.each)
    list.push_back(Json::object({{"round", one.round}, {"loss", one.loss}, {"duplicate", one.duplicate}}));
  answer.set("each", std::move(list));
  return answer;
}

}  // namespace

void Api::outcomes(Call call) {
  const auto entry = host_.find(call.name);
  ReadOutcomes read = read_outcomes(call.request, entry, setting_.outcomes);
  const std::string match = call.request.header("if-match");
  if (!match.empty()) read.submission.if_round = read_decision(unquoted(match), entry->log().generation, "If-Match");
  const bool each = call.target.value("return") == "each", repeatable = read.repeatable;
  host_.submit(std::move(read.submission), [entry, call = std::move(call), each, repeatable](
                                               const Accepted& accepted, const std::exception_ptr& failure) {
    if (failure) {
      Reply reply = error_reply(failure);
      if (reply.status == 412) {
        if (const auto seen = entry->now().published) {
          Json body = parse_json(reply.body);
          body.set("next", seen->decision);
          reply.body = dump(body);
        }
      }
      return call.respond(std::move(reply));
    }
    Json answer = accepted_json(accepted.parts.front(), each);
    if (!repeatable) answer.set("repeatable", false);
    call.respond(json_reply(answer));
  });
}

void Api::batch(Call call) {
  ReadOutcomes read = read_batch(call.request, host_, setting_.outcomes);
  for (const auto& part : read.submission.parts)
    tokens_.check(Scope::kObserve, call.request.header("authorization"), part.entry->name());
  std::vector<std::string> names;
  for (const auto& part : read.submission.parts) names.push_back(part.entry->name());
  const bool each = call.target.value("return") == "each", repeatable = read.repeatable;
  host_.submit(std::move(read.submission), [call = std::move(call), each, repeatable, names](
                                               const Accepted& accepted, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    Json learners = Json::object();
    std::size_t count = 0, duplicates = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      count += accepted.parts[i].accepted;
      duplicates += accepted.parts[i].duplicates;
      learners.set(names[i], accepted_json(accepted.parts[i], each));
    }
    Json answer = Json::object({{"accepted", count}, {"duplicates", duplicates}, {"learners", learners}});
    if (!repeatable) answer.set("repeatable", false);
    call.respond(json_reply(answer));
  });
}

void Api::report(Call call) {
  host_.with(
      host_.find(call.name), [](HostedLearner& learner) { return learner.report(); },
      [call](const Json& answer, const std::exception_ptr& failure) {
        call.respond(failure ? error_reply(failure) : json_reply(answer));
      });
}

void Api::record(Call call) {
  const auto entry = host_.find(call.name);
  const std::uint64_t from = whole(call.target.value("from", "1"), static_cast<std::uint64_t>(kNatural.hi), "from");
  const std::uint64_t current = entry->log().generation;
  const std::uint64_t generation =
      whole(call.target.value("generation", std::to_string(current)), current, "generation");
  if (from == 0 || generation == 0)
    throw Error(Code::kOutOfRange, "found 0, expected rounds and generations from 1 on",
                from == 0 ? "from" : "generation");
  const bool now = generation == current;
  host_.with(
      entry,
      [now](HostedLearner& learner) {
        std::string header;
        RecordWriter writer([&](std::string_view line) { header.assign(line.substr(0, line.size() - 1)); });
        writer.begin(*learner.problem(), learner.learner());
        Json answer = Json::object({{"header", header}, {"rounds", learner.rounds()}});
        if (now) answer.set("report", learner.learner().report());
        return answer;
      },
      [this, entry, call, from, generation, now](const Json& facts, const std::exception_ptr& failure) {
        if (failure) return call.respond(error_reply(failure));
        try {
          Reply reply;
          reply.type = "application/x-ndjson";
          const auto rounds = now ? static_cast<std::uint64_t>(facts.at("rounds").as_number())
                                  : static_cast<std::uint64_t>(kNatural.hi) - 1;
          reply.stream = record_stream({.reader = host_.reader(),
                                        .entry = entry,
                                        .log = {entry->log().learner, generation},
                                        .header = facts.at("header").as_string(),
                                        .from = from,
                                        .to = rounds,
                                        .report = now && from == 1 ? facts.at("report") : Json()});
          call.respond(std::move(reply));
        } catch (...) {
          call.respond(error_reply(std::current_exception()));
        }
      });
}

void Api::state(Call call) {
  host_.with(
      host_.find(call.name), [](HostedLearner& learner) { return learner.learner().save(); },
      [call](const Json& answer, const std::exception_ptr& failure) {
        call.respond(failure ? error_reply(failure) : json_reply(answer));
      });
}

void Api::curve(Call call) {
  const std::size_t points = whole(call.target.value("points", "1000"), 2048, "points");
  host_.with(
      host_.find(call.name), [points](HostedLearner& learner) { return learner.curve().json(points); },
      [call](const Json& answer, const std::exception_ptr& failure) {
        call.respond(failure ? error_reply(failure) : json_reply(answer));
      });
}

void Api::events(Call call) {
  host_.find(call.name);  // which throws where there is none
  const std::string last = call.request.header("last-event-id");
  Reply reply;
  reply.type = "text/event-stream";
  reply.headers = {{"Cache-Control", "no-store"}};
  reply.stream = event_stream([this, name = call.name] { return host_.find(name); },
                              last.empty() ? 0 : whole(last, static_cast<std::uint64_t>(kNatural.hi), "Last-Event-ID"));
  call.respond(std::move(reply));
}

void Api::floors(Call call) {
  const auto entry = host_.find(call.name);
  const std::string schema = call.target.value("schema", "1");
  if (schema != "1" && schema != "2")
    throw Error(Code::kUnknownName, "found schema " + schema + ", expected 1 or 2", "schema");
  const auto seen = entry->now().published;
  if (entry->columns() > 0)
    throw Error(Code::kUnavailable,
                "found a learner with contexts, expected one without: its floors are not served yet");
  if (!seen) throw Error(kNotReady, "found a learner that is not loaded yet, expected it soon; ask again");
  const LogFacts facts = entry->config().facts();
  const std::string name = decision_name(seen->generation, seen->rounds + 1);
  Reply reply;
  reply.headers = {{"ETag", quoted(name + "." + schema)},
                   {"Cache-Control", "public, max-age=" + std::to_string(entry->config().floors_age)},
                   {"Access-Control-Allow-Origin", "*"}};
  if (entry->now().status == Status::kCold) reply.headers.emplace_back("Warning", "110 - \"Response is Stale\"");
  if (unquoted(call.request.header("if-none-match")) == name + "." + schema) {
    reply.status = 304;
    return call.respond(std::move(reply));
  }
  const Json one = price_floors({.problem = entry->config().problem_kind,
                                 .params = entry->config().problem_params,
                                 .action = seen->action,
                                 .log = facts,
                                 .field = "bidder",
                                 .model = name});
  reply.body = dump(schema == "1" ? one : schema_two(one));
  call.respond(std::move(reply));
}

void Api::metrics(Call call) {
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
    }
  }
  Reply reply;
  reply.type = "text/plain; version=0.0.4";
  reply.body = metrics_.text() + "# TYPE hannan_learners gauge\n";
  for (const auto& [status, count] : counts)
    reply.body += fmt::format("hannan_learners{{status=\"{}\"}} {}\n", status, count);
  reply.body += fmt::format("# TYPE hannan_queue_bytes gauge\nhannan_queue_bytes {}\n", host_.waiting_bytes());
  reply.body += fmt::format("# TYPE hannan_build_info gauge\nhannan_build_info{{version=\"{}\"}} 1\n", kVersion);
  reply.body += single;
  call.respond(std::move(reply));
}

void Api::alive(Call call) { call.respond(json_reply(Json::object({{"alive", true}}))); }

void Api::ready(Call call) {
  const bool good = host_.ready() && host_.writable();
  call.respond(json_reply(Json::object({{"ready", good},
                                        {"recovered", host_.ready()},
                                        {"writable", host_.writable()},
                                        {"commit_p99", metrics_.commit_seconds.quantile(0.99)},
                                        {"accepted", metrics_.accepted.load()}}),
                          good ? 200 : 503));
}

void Api::contract(Call call) {
  Reply reply;
  reply.body = std::string(service_parts::openapi);
  call.respond(std::move(reply));
}

void Api::page(Call call) {
  Reply reply;
  reply.type = "text/html; charset=utf-8";
  reply.body = std::string(service_parts::dashboard);
  reply.headers = {{"Content-Security-Policy",
                    "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
                   {"X-Content-Type-Options", "nosniff"}};
  call.respond(std::move(reply));
}

}  // namespace hannan::detail::service
