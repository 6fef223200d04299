// Outcomes of several learners in one request. Those of one node are accepted together or not at all. With --forward
// the learners may be on several nodes: each node accepts its lines together or not at all, one node after the other,
// this one last; where one refuses, no further one is asked, and the answer says what was accepted before. A repetition
// of the whole batch is then safe, because every line has an id by which it is known (outcome_request.hpp).
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
  if (has_elsewhere(call)) return batch_over_nodes(call);
  const auto names = names_of_batch(call.request.body);
  if (std::ranges::any_of(names, [&](const std::string& name) { return host_.combines(name); }))
    return batch_of_combiners(call);
  batch_here(call);
}

// Whether some of its learners are on other nodes, to which this one passes requests on.
bool Api::has_elsewhere(const Call& call) const {
  if (!host_.cluster() || !setting_.forward || !call.request.header(kForwarded).empty()) return false;
  for (const auto& name : names_of_batch(call.request.body)) {
    if (!host_.cluster()->here(name)) return true;
  }
  return false;
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
struct Api::NodeBatch {
  Call call;
  std::map<std::string, std::string> away;  // texts of other nodes that are still to be sent, by their addresses
  ReadOutcomes here;
  bool repeatable = true;
  BatchSums sums;

  void fail(Reply reply) {
    if (sums.accepted + sums.duplicates > 0) reply.body = dump(parse_json(reply.body).set("taken", sums.json()));
    call.respond(std::move(reply));
  }
};

// What is for this node is read before anything is sent: what is wrong with it is said while nothing is accepted.
void Api::batch_over_nodes(Call& call) {
  const std::string here;
  SplitBatch split = split_batch(call.request, setting_.outcomes, [&](const std::string& name, const std::string& at) {
    if (host_.cluster()->here(name)) return here;
    std::string url = host_.cluster()->url_of(name);
    if (url.empty())
      throw Error(kNotReady, "found no node that has " + name + " now, expected one within seconds; ask again", at);
    return url;
  });
  const auto all = std::make_shared<NodeBatch>();
  if (const auto own = split.texts.find(here); own != split.texts.end()) {
    Request request = call.request;
    request.body = std::move(own->second);
    split.texts.erase(own);
    all->here = read_batch(request, host_, setting_.outcomes);
  }
  all->away = std::move(split.texts);
  all->repeatable = split.repeatable;
  all->call = std::move(call);
  next_batch(all);
}

void Api::next_batch(const std::shared_ptr<NodeBatch>& all) {
  if (all->away.empty()) return last_batch(all);
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
      const Json answer = parse_json(reply.body);
      for (const auto& [name, one] : answer.at("learners").as_object()) all->sums.add(name, one);
      next_batch(all);
    } catch (...) {
      all->fail(error_reply(std::current_exception()));
    }
  });
}

void Api::last_batch(const std::shared_ptr<NodeBatch>& all) {
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
