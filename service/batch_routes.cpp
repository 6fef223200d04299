// Outcomes of several learners in one request. Those of one place are accepted together or not at all. Places are, with
// --forward, the other nodes, and on this one two: learners that combine forecasts, which are committed in their lanes,
// and all others, which are committed by groups. They are asked one after the other, this node last; where one
// refuses, no further one is asked, and the answer says what was accepted before. A repetition of the whole batch is
// then safe, because every line has an id by which it is known (outcome_request.hpp).
#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "service/accepted_json.hpp"
#include "service/codes.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {

// What was accepted of a batch so far.
struct BatchSums {
  std::size_t accepted = 0, duplicates = 0;
  Json learners = Json::object();

  void add(const std::string& name, Json answer) {
    accepted += static_cast<std::size_t>(answer.at("accepted").as_number());
    duplicates += static_cast<std::size_t>(answer.at("duplicates").as_number());
    learners.set(name, std::move(answer));
  }
  void add(const std::vector<std::string>& names, const Accepted& done, Shown shown) {
    for (std::size_t i = 0; i < names.size(); ++i) add(names[i], accepted_json(done.parts[i], shown));
  }
  Json json() const {
    return Json::object({{"accepted", accepted}, {"duplicates", duplicates}, {"learners", learners}});
  }
};

namespace {

// The learners that the lines of a batch name, up to the first line that cannot be read, where read_batch ends too.
std::set<std::string> names_of_batch(const std::string& body) {
  std::set<std::string> names;
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      const Json json = parse_json(line);
      const Json* in = json.find("in");
      if (in && in->is_string()) names.insert(in->as_string());
    } catch (const Error&) {
      break;
    }
  }
  return names;
}

std::vector<std::string> names_of(const Submission& submission) {
  std::vector<std::string> names;
  for (const auto& part : submission.parts) names.push_back(part.entry->name());
  return names;
}

Shown shown_of(const Target& target) { return target.value("return") == "each" ? Shown::kEach : Shown::kSums; }

// Places of this node; all others are addresses.
constexpr const char *kHere = "", *kCombined = "forecasts";

Json with_repeatable(Json answer, bool repeatable) {
  if (!repeatable) answer.set("repeatable", false);
  return answer;
}

}  // namespace

// Tokens are checked before anything is said of a learner.
void Api::batch(Call& call) {
  const std::string authorization = call.request.header("authorization");
  // Before the lines are held against their learners: errors would say what others' learners are.
  if (!tokens_.allowed(Scope::kObserve, authorization).all()) {
    for (const auto& name : names_of_batch(call.request.body)) tokens_.check(Scope::kObserve, authorization, name);
  }
  if (has_other_places(call)) return batch_over_places(call);
  batch_here(call);
}

// Whether this node passes lines of such a learner on. Where it does not, one of another node is refused.
bool Api::passes_on(const Call& call, const std::string& name) const {
  return host_.cluster() && setting_.forward && call.request.header(kForwarded).empty() && !host_.cluster()->here(name);
}

bool Api::has_other_places(const Call& call) const {
  const auto names = names_of_batch(call.request.body);
  return std::ranges::any_of(names, [&](const auto& name) { return host_.combines(name) || passes_on(call, name); });
}

void Api::batch_here(Call& call) {
  ReadOutcomes read = read_batch(call.request, host_, setting_.outcomes);
  const auto names = names_of(read.submission);
  // What was read is what is told.
  for (const auto& name : names) tokens_.check(Scope::kObserve, call.request.header("authorization"), name);
  host_.submit(std::move(read.submission), [call = std::move(call), names, repeatable = read.repeatable](
                                               const Accepted& accepted, const std::exception_ptr& failure) {
    if (failure) return call.respond(error_reply(failure));
    BatchSums sums;
    sums.add(names, accepted, shown_of(call.target));
    call.respond(json_reply(with_repeatable(sums.json(), repeatable)));
  });
}

// Shared by the callbacks of the chain; the request is answered once, at its end.
struct Api::PlacesBatch {
  Call call;
  std::map<std::string, std::string> away;  // texts of other nodes that are still to be sent, by their addresses
  CombinedLines combined;                   // still to be told
  ReadOutcomes here;
  bool repeatable = true;
  BatchSums sums;

  // What a place accepted.
  void add(const Json& answer) {
    for (const auto& [name, one] : answer.at("learners").as_object()) sums.add(name, one);
    repeatable = repeatable && !answer.find("repeatable");
  }
  void fail(Reply reply) {
    if (sums.accepted + sums.duplicates > 0) reply.body = dump(parse_json(reply.body).set("taken", sums.json()));
    call.respond(std::move(reply));
  }
};

// What is for this node is read before anything is sent: what is wrong with it is said while nothing is accepted.
void Api::batch_over_places(Call& call) {
  auto texts =
      split_batch(call.request, setting_.outcomes, [&](const std::string& name, const std::string& at) -> std::string {
        if (host_.combines(name)) return kCombined;
        if (!passes_on(call, name)) return kHere;
        std::string url = host_.cluster()->url_of(name);
        if (url.empty())
          throw Error(kNotReady, "found no node that has " + name + " now, expected one within seconds; ask again", at);
        return url;
      });
  const auto all = std::make_shared<PlacesBatch>();
  if (const auto own = texts.extract(kHere)) {
    Request request = call.request;
    request.body = own.mapped();
    all->here = read_batch(request, host_, setting_.outcomes);
    all->repeatable = all->here.repeatable;
  }
  if (const auto own = texts.extract(kCombined)) all->combined = combined_lines(own.mapped());
  all->away = std::move(texts);
  all->call = std::move(call);
  next_batch(all);
}

void Api::next_batch(const std::shared_ptr<PlacesBatch>& all) {
  if (all->away.empty()) return all->combined.empty() ? last_batch(all) : combined_batch(all);
  auto node = all->away.extract(all->away.begin());
  Request request{.method = "POST",
                  .target = all->call.request.target,
                  .headers = all->call.request.headers,
                  .body = std::move(node.mapped())};
  request.headers[kForwarded] = host_.cluster()->node();
  setting_.forward(node.key(), std::move(request), [this, all](Reply reply) {
    try {
      if (reply.status == 421) {
        return all->fail(error_reply(std::make_exception_ptr(
            Error(kNotReady,
                  "found a learner that went to another node, expected it here soon; send the batch again, "
                  "unchanged"))));
      }
      if (reply.status != 200) return all->fail(std::move(reply));
      all->add(parse_json(reply.body));
      next_batch(all);
    } catch (...) {
      all->fail(error_reply(std::current_exception()));
    }
  });
}

void Api::combined_batch(const std::shared_ptr<PlacesBatch>& all) {
  tell_combiners(std::move(all->combined), shown_of(all->call.target),
                 [this, all](const Json& answer, const std::exception_ptr& failure) {
                   if (failure) return all->fail(error_reply(failure));
                   try {
                     all->add(answer);
                     last_batch(all);
                   } catch (...) {
                     all->fail(error_reply(std::current_exception()));
                   }
                 });
}

void Api::last_batch(const std::shared_ptr<PlacesBatch>& all) {
  const auto answer = [all] { all->call.respond(json_reply(with_repeatable(all->sums.json(), all->repeatable))); };
  if (all->here.submission.parts.empty()) return answer();
  const auto names = names_of(all->here.submission);
  host_.submit(std::move(all->here.submission),
               [all, answer, names](const Accepted& accepted, const std::exception_ptr& failure) {
                 if (failure) return all->fail(error_reply(failure));
                 all->sums.add(names, accepted, shown_of(all->call.target));
                 answer();
               });
}

}  // namespace hannan::detail::service
