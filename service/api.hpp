// The HTTP API: requests to replies, without a network (docs/service.md lists the resources).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "service/accepted_json.hpp"
#include "service/doors.hpp"
#include "service/floor_set.hpp"
#include "service/host.hpp"
#include "service/http_message.hpp"
#include "service/journal.hpp"
#include "service/learner_floors.hpp"
#include "service/list_answer.hpp"
#include "service/list_figures.hpp"
#include "service/metrics.hpp"
#include "service/outcome_request.hpp"
#include "service/recent_rounds.hpp"
#include "service/streams.hpp"
#include "service/tokens.hpp"
#include "service/verify_jobs.hpp"

namespace hannan::detail::service {

// Sends a request to another node and answers with its reply.
using Forward = std::function<void(const std::string& url, Request request, Respond respond)>;

struct ApiSetting {
  OutcomeLimits outcomes;
  std::size_t body = 8U << 20U;      // bytes
  std::string metrics_learners;      // a glob of names; empty: no figures of single learners
  std::string disk;                  // a file or folder on the disk of the log; empty: not on this machine
  int other_node = 421;              // the status for a learner of another node; 307: clients follow by themselves
  Forward forward;                   // where it is set, requests for such a learner are passed on
  Forward ask_node;                  // asks another node for what this one needs of it
  std::vector<std::string> hosts;    // names by which it may be reached (doors.hpp); empty: any
  const Journal* journal = nullptr;  // null: none
  double rate = 0;                   // requests a second of a token; 0: no limit
  bool metrics_public = false;       // /metrics is open to those without a token
};

class Api {
 public:
  Api(Host& host, Metrics& metrics, const Tokens& tokens, ApiSetting setting);

  // Answers once, from this thread or from the writer's.
  void handle(Request request, Respond respond);

  struct Route {
    std::string_view method;
    std::string_view path;  // "/v1/learners/{name}/decision"
  };
  static std::vector<Route> routes();  // for the test of openapi.json

 private:
  // One request on its way: moved into whatever answers it later, on the writer's thread or after another node's reply.
  struct Call {
    Request request;
    Target target;
    std::string name;  // what {name} stands for
    std::string id;    // what {id} or {set} stands for
    Respond respond;
  };
  using Handler = void (Api::*)(Call&);
  // `scope` is what a token must allow; it is checked before the handler is called, but for floors that are public.
  struct Row {
    Route route;
    Scope scope;
    Handler handler;
    std::string_view query = {};  // the fields that it may have, with a space between two
  };
  static const std::vector<Row>& table();

  void hello(Call&);
  void nodes(Call&);
  void learners(Call&);
  void make(Call&);
  void load(Call&);
  void learner(Call&);
  void end(Call&);
  void reset(Call&);
  void quarantine(Call&);
  void release(Call&);
  void decision(Call&);
  void past_decision(Call&);
  void decide(Call&);
  void outcomes(Call&);
  void batch(Call&);
  void report(Call&);
  void record(Call&);
  void log(Call&);
  void state(Call&);
  void curve(Call&);
  void recent_rounds(Call&);
  void verification(Call&);
  void verify(Call&);
  void events(Call&);
  void floors(Call&);
  void make_floor_set(Call&);
  void floor_set(Call&);
  void end_floor_set(Call&);
  void floor_set_file(Call&);
  void metrics(Call&);
  void alive(Call&);
  void ready(Call&);
  void contract(Call&);
  void page(Call&);

  using Patience = Reply::Held::Patience;
  struct WaitedFor {
    std::string name, current;  // the learner, and the decision that its client has
    std::vector<std::string> context;
  };
  void decide_by_proposals(Call& call, const EntryPointer& entry);
  void ask_decision(Call& call, const EntryPointer& entry, const std::vector<std::string>& context);
  Reply asked_decision(const EntryPointer& entry, const std::vector<std::string>& context);
  std::optional<Reply> newer_decision(const WaitedFor& waited, Patience patience);
  // Of a batch whose learners are in several places (batch_routes.cpp).
  struct PlacesBatch;
  bool passes_on(const Call& call, const std::string& name) const;
  bool has_other_places(const Call& call) const;
  void batch_here(Call& call);
  void batch_over_places(Call& call);
  void next_batch(const std::shared_ptr<PlacesBatch>& all);
  void combined_batch(const std::shared_ptr<PlacesBatch>& all);
  void last_batch(const std::shared_ptr<PlacesBatch>& all);
  struct LogPart {
    EntryPointer entry;
    std::uint64_t generation = 1, from = 1;
  };
  LogPart log_part(const Call& call) const;
  void past_record(Call& call, const LogPart& part);
  Aside beside(const std::string& learner);
  void answer_record(const Call& call, const LogPart& part, const Json& facts, const std::exception_ptr& failure);
  Json learner_json(const Entry& entry) const;
  Host::Answer<bool> answer_learner(Call call);
  void make(Call& call, const Json& body);
  void floors_by_segment(Call& call, const EntryPointer& entry, int schema);
  void past_floors(const Call& call, const EntryPointer& entry, int schema);
  void answer_set_file(const Call& call, const FloorSet& set, int schema, const FloorSources& from);
  // Calls `then` when the floors of learners of other nodes are there; what it throws is answered.
  using Gathered = std::function<void(const Call&, const FloorSources&)>;
  // Shared by the callbacks of a chain of questions, one node after the other; `then` is called once, at its end.
  struct Gathering {
    Call call;
    std::vector<std::string> away;  // learners that are still to be asked for
    FloorSources from;
    Gathered then;
  };
  void gather_floors(Call& call, const FloorSet& set, Gathered then);
  void gather_next(const std::shared_ptr<Gathering>& all);
  void use_kept(const std::shared_ptr<Gathering>& all, const std::string& name, const std::string& why);
  void add_gathered(const std::shared_ptr<Gathering>& all, const std::string& name, FarFloors far);
  EntryPointer entry_or_none(const std::string& name) const;
  struct Handled;  // what is said of a request when it is answered
  void answer(const std::shared_ptr<const Handled>& handled, std::string_view route, Reply reply);
  bool has_public_floors(const std::string& name) const;
  service::Row row_of_decision(const Entry& entry, std::uint64_t round);
  Json feedback_json(const Entry& entry) const;
  Json listed_json(const Entry& entry) const;  // with what a list shows besides
  Json own_list(const Call& call, const ListPage& page);
  // The list over all nodes (node_lists.cpp).
  struct NodeLists;
  void list_all_nodes(Call& call, const ListPage& page, const Json& own);
  void next_list(const std::shared_ptr<NodeLists>& all);
  void answer_events(const Call& call, EventLook look);
  // Of learners that combine forecasts (combiner_routes.cpp): false where the request is about another learner.
  bool answered_by_combiner(Call& call, const Route& route);
  struct CombinerRow {
    Route route;  // below that of the learner
    Handler handler;
  };
  static const std::vector<CombinerRow>& combiner_table();
  using AskCombiner = std::function<HostedCombiner::Done(CombinerEntry&, RowReader& log)>;
  void ask_combiner(Call& call, AskCombiner question);
  Host::Answer<bool> answer_combiner(Call call);
  void make_combiner(Call& call);
  void load_combiner(Call& call);
  void make_combiner(Call& call, Json body);
  void show_combiner(Call& call);
  void end_combined(Call& call);
  void reset_combined(Call& call);
  void quarantine_combined(Call& call);
  void release_combined(Call& call);
  void combined_decision(Call& call);
  void decide_combined(Call& call);
  void tell_combined(Call& call);
  void report_combined(Call& call);
  void state_combined(Call& call);
  void record_combined(Call& call);
  void log_combined(Call& call);
  void course_combined(Call& call);
  void verification_combined(Call& call);
  void verify_combined(Call& call);
  void events_combined(Call& call);
  // Outcomes of a batch by their learners (combiner_batch.cpp); answered with what was accepted of each.
  using CombinedLines = std::map<std::string, std::vector<HostedCombiner::Line>>;
  static CombinedLines combined_lines(const std::string& text);
  void tell_combiners(CombinedLines lines, Shown shown, Host::Answer<Json> answer);
  bool answered_elsewhere(Call& call, const std::string& placed);
  Reply elsewhere(const std::string& name, const std::string& target) const;

  // References outlive the Api, and it outlives the server's threads. Members from list_figures_ on lock for
  // themselves.
  Host& host_;
  Metrics& metrics_;
  const Tokens& tokens_;
  ApiSetting setting_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  ListFigures list_figures_;
  RecentRoundsCache recent_;
  RateLimit rate_;
  VerifyJobs verify_jobs_;
  KeptFloorsOf kept_floors_;
};

// {"error":{code,message,at}} with its status, and Retry-After where a retry helps.
Reply error_reply(const std::exception_ptr& failure);
Reply json_reply(const Json& json, int status = 200);

}  // namespace hannan::detail::service
