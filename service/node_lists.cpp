// The list of learners over all nodes: each lists its own, and the node that is asked puts them together. What sorts a
// row on its node sorts it here (`keys`). A node that does not answer is named: the list is then not whole.
#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "service/list_answer.hpp"
#include "service/route_values.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::chrono::seconds kListTime{2};  // that a node has: chosen, a page asks again after three

// Numbers of both, member by member.
void add_numbers(Json& into, const Json& more) {
  for (const auto& [name, value] : more.as_object())
    into.set(name, into.find_number(name).value_or(0) + value.as_number());
}

// The money of each currency, over all nodes.
Json added_money(const Json& some, const Json& more) {
  std::map<std::string, Json> sums;
  for (const Json* list : {&some, &more}) {
    for (const Json& one : list->as_array()) {
      const std::string currency = one.at("currency").as_string();
      const auto [found, added] = sums.emplace(currency, one);
      if (added) continue;
      Json& sum = found->second;
      for (const char* name : {"learners", "total", "without", "gain"})
        sum.set(name, sum.at(name).as_number() + one.at(name).as_number());
      Json verdicts = sum.at("verdicts");
      add_numbers(verdicts, one.at("verdicts"));
      sum.set("verdicts", std::move(verdicts));
    }
  }
  Json all = Json::array();
  for (auto& [currency, sum] : sums) all.push_back(std::move(sum));
  return all;
}

// What is asked of another node: its own learners, so many that the page is among them.
std::string target_of(const Target& target, const ListPage& page) {
  std::string query;
  const auto add = [&](const std::string& name, const std::string& value) {
    query += (query.empty() ? "?" : "&") + name + "=" + percent_encoded(value);
  };
  for (const auto& [name, value] : target.query) {
    if (name != "limit" && name != "offset" && name != "node") add(name, value);
  }
  add("node", "this");
  add("limit", std::to_string(page.offset + page.limit));
  return "/v1/learners" + query;
}

}  // namespace

void ListAnswer::add(const Json& answer, const std::string& node) {
  const auto& rows = answer.at("learners").as_array();
  const auto& keys = answer.at("keys").as_array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Json row = rows[i];
    if (!node.empty()) row.set("node", node);
    rows_.push_back({keys[i].is_null() ? std::nullopt : std::optional(keys[i].as_number()), std::move(row)});
  }
  more_ = more_ || answer.find("next") != nullptr;
  count_ += answer.at("count").as_number();
  matching_ += answer.at("matching").as_number();
  const Json& summary = answer.at("summary");
  if (summary_.is_null()) {
    summary_ = summary;
    return;
  }
  Json statuses = summary_.at("statuses");
  add_numbers(statuses, summary.at("statuses"));
  for (const char* name : {"attention", "silent", "beyond"})
    summary_.set(name, summary_.at(name).as_number() + summary.at(name).as_number());
  summary_.set("statuses", std::move(statuses)).set("money", added_money(summary_.at("money"), summary.at("money")));
}

Json ListAnswer::json(const ListPage& page) {
  // Greatest first, those without a key last, equal ones by name.
  std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    if (a.key != b.key) return b.key < a.key;
    return a.row.at("name").as_string() < b.row.at("name").as_string();
  });
  Json rows = Json::array();
  std::string last;
  for (std::size_t i = page.offset; i < rows_.size() && rows.size() < page.limit; ++i) {
    last = rows_[i].row.at("name").as_string();
    rows.push_back(std::move(rows_[i].row));
  }
  const bool more = more_ || page.offset + rows.size() < rows_.size();
  Json answer = Json::object(
      {{"learners", std::move(rows)}, {"count", count_}, {"matching", matching_}, {"summary", std::move(summary_)}});
  if (!missing_.empty()) answer.set("missing", Json(missing_));
  if (more && !last.empty()) answer.set("next", last);
  return answer;
}

// One node after the other. Shared by the callbacks; answered once, at the end.
struct Api::NodeLists {
  Call call;
  ListPage page;
  std::vector<std::string> away;  // nodes that are still to be asked
  ListAnswer answer;
};

void Api::list_all_nodes(Call& call, const ListPage& page, const Json& own) {
  const auto all = std::make_shared<NodeLists>();
  all->page = page;
  all->away = host_.cluster()->others();
  all->answer.add(own, "");
  all->call = std::move(call);
  next_list(all);
}

void Api::next_list(const std::shared_ptr<NodeLists>& all) {
  if (all->away.empty()) return all->call.respond(json_reply(all->answer.json(all->page)));
  const std::string url = all->away.back();
  all->away.pop_back();
  Request request{.method = "GET", .target = target_of(all->call.target, all->page), .headers = {}, .body = {}};
  request.patience = kListTime;
  request.headers[kForwarded] = host_.cluster()->node();
  for (const char* name : {"authorization", "x-request-id", "traceparent"}) {
    if (const std::string value = all->call.request.header(name); !value.empty()) request.headers[name] = value;
  }
  setting_.ask_node(url, std::move(request), [this, all, url](const Reply& reply) {
    try {
      if (reply.status == 200) {
        all->answer.add(parse_json(reply.body), url);
      } else {
        all->answer.miss(url);
      }
      next_list(all);
    } catch (...) {
      all->call.respond(error_reply(std::current_exception()));
    }
  });
}

}  // namespace hannan::detail::service
