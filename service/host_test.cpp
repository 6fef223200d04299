#include "service/host.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "hannan/core/small_letters.hpp"
#include "hannan/io/fields.hpp"
#include "service/api.hpp"
#include "service/codes.hpp"
#include "service/service_parts.hpp"

namespace hannan::detail::service {
namespace host_test {

// The API over a store in memory that fails on demand; requests are answered before call() returns.
class Service {
 public:
  explicit Service(std::uint64_t snapshot_every = 10'000) : snapshot_every_(snapshot_every) { open(); }

  Reply call(const std::string& method, const std::string& target, const std::string& body = "",
             std::map<std::string, std::string> headers = {}) {
    std::promise<Reply> answered;
    auto reply = answered.get_future();
    api_->handle({.method = method, .target = target, .headers = std::move(headers), .body = body},
                 [&](Reply got) { answered.set_value(std::move(got)); });
    return reply.get();
  }
  Json json(const std::string& method, const std::string& target, const std::string& body = "") {
    return parse_json(call(method, target, body).body);
  }
  std::string text(const Reply& reply) {
    std::string all;
    for (;;) {
      auto chunk = reply.stream->next();
      all += chunk.text;
      if (chunk.done) return all;
    }
  }
  void make(const std::string& name = "a", const std::string& params = R"({"experts":3})") {
    ASSERT_EQ(call("PUT", "/v1/learners/" + name, R"({"problem":{"kind":"experts","params":)" + params + "}}").status,
              201);
  }
  Reply tell(const std::string& body, std::map<std::string, std::string> headers = {}) {
    return call("POST", "/v1/learners/a/outcomes", body, std::move(headers));
  }
  // As after kill -9: memory is gone, the log is there.
  void crash() {
    api_.reset();
    host_.reset();
    open();
  }
  std::shared_ptr<FaultSwitch> faults = std::make_shared<FaultSwitch>();

 private:
  void open();
  std::uint64_t snapshot_every_;
  std::unique_ptr<Store> log_ = make_memory_store(faults);
  Metrics metrics_;
  Tokens tokens_;
  std::unique_ptr<Host> host_;
  std::unique_ptr<Api> api_;
};

// Gives the host a store of its own that writes into the shared one, and takes no snapshot at a crash.
class Borrowed final : public Store {
 public:
  explicit Borrowed(Store& store) : store_(store) {}
  std::vector<StoredLearner> learners() override { return store_.learners(); }
  std::int64_t add_learner(const StoredLearner& learner) override { return store_.add_learner(learner); }
  void change_learner(const StoredLearner& learner) override { store_.change_learner(learner); }
  void begin_generation(const StoredLearner& learner, const std::string& ended_by) override {
    store_.begin_generation(learner, ended_by);
  }
  std::vector<StoredGeneration> generations(std::int64_t learner) override { return store_.generations(learner); }
  void keep_generation(std::int64_t learner, const StoredGeneration& generation) override {
    store_.keep_generation(learner, generation);
  }
  void purge(std::int64_t learner) override { store_.purge(learner); }
  void append(std::span<const Row> rows) override { store_.append(rows); }
  void keep_snapshot(const Snapshot& snapshot) override { store_.keep_snapshot(snapshot); }
  std::vector<Snapshot> snapshots(LogName log) override { return store_.snapshots(log); }
  void keep_piece(const Snapshot& of, std::uint64_t number, std::string_view bytes) override {
    store_.keep_piece(of, number, bytes);
  }
  std::string piece(const Snapshot& of, std::uint64_t number) override { return store_.piece(of, number); }
  bool trim(LogName log, std::uint64_t below) override { return store_.trim(log, below); }
  std::vector<Row> rows_after(LogName log, std::uint64_t t, std::size_t limit) override {
    return store_.rows_after(log, t, limit);
  }
  std::optional<Row> find(LogName log, const std::string& id) override { return store_.find(log, id); }
  std::uint64_t last_round(LogName log) override { return store_.last_round(log); }
  std::unique_ptr<RowReader> reader() override { return store_.reader(); }
  void probe() override { store_.probe(); }

 private:
  Store& store_;
};

void Service::open() {
  HostLimits limits;
  limits.snapshot_every = snapshot_every_;
  host_ = std::make_unique<Host>(std::make_unique<Borrowed>(*log_), limits, metrics_);
  api_ = std::make_unique<Api>(*host_, metrics_, tokens_, ApiSetting{});
}

std::string outcome(int i) {
  return R"({"id":"o)" + std::to_string(i) + R"(","outcome":[)" + (i % 3 == 0 ? "0,1,0.5" : "1,0,0.25") + "]}";
}

TEST(Service, MakesALearnerOnce) {
  Service service;
  service.make();
  const std::string body = R"({"problem":{"kind":"experts","params":{"experts":3}}})";
  EXPECT_EQ(service.call("PUT", "/v1/learners/a", body).status, 200);
  const Reply other = service.call("PUT", "/v1/learners/a", R"({"problem":{"kind":"experts","params":{"experts":4}}})");
  EXPECT_EQ(other.status, 409);
  EXPECT_EQ(parse_json(other.body).at("error").at("code").as_string(), "H801");
  EXPECT_EQ(service.call("PUT", "/v1/learners/b%20c", body).status, 400);
}

TEST(Service, TellsTheSameOutcomeOnceHoweverOftenItIsSent) {
  Service service;
  service.make();
  EXPECT_EQ(service.tell(outcome(1)).status, 200);
  const Json again = parse_json(service.tell(outcome(1)).body);
  EXPECT_EQ(again.at("duplicates").as_number(), 1);
  EXPECT_EQ(again.at("accepted").as_number(), 0);
  EXPECT_EQ(service.tell(R"({"id":"o1","outcome":[0,0,0]})").status, 422);
  EXPECT_EQ(service.json("GET", "/v1/learners/a").at("rounds").as_number(), 1);
}

TEST(Service, AcceptsARequestAsAWholeOrNotAtAll) {
  Service service;
  service.make();
  const Reply bad = service.tell(R"({"outcomes":[{"id":"x","outcome":[0,0,1]},{"id":"y","outcome":[0,2,1]}]})");
  EXPECT_EQ(bad.status, 400);
  EXPECT_EQ(parse_json(bad.body).at("error").at("at").as_string(), "outcomes[1].outcome[1]");
  // The conflict is found after the first outcome was played in memory: it is taken back.
  EXPECT_EQ(service.tell(outcome(1)).status, 200);
  EXPECT_EQ(service.tell(R"({"outcomes":[{"id":"new","outcome":[0,0,1]},{"id":"o1","outcome":[0,0,0]}]})").status, 422);
  EXPECT_EQ(service.json("GET", "/v1/learners/a/decision").at("round").as_number(), 2);
  EXPECT_EQ(service.json("GET", "/v1/learners/a").at("rounds").as_number(), 1);
}

TEST(Service, PublishesNothingThatCouldNotBeWritten) {
  Service service;
  service.make();
  EXPECT_EQ(service.tell(outcome(1)).status, 200);
  const std::string before = service.call("GET", "/v1/learners/a/decision").body;
  service.faults->fail_append = true;
  service.faults->fail_probe = true;
  const Reply refused = service.tell(outcome(2));
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(parse_json(refused.body).at("error").at("code").as_string(), "H821");
  EXPECT_EQ(service.call("GET", "/v1/learners/a/decision").body, before);
  EXPECT_EQ(service.call("GET", "/readyz").status, 503);
  // The retry applies it, to a learner that was built again from its log.
  const Json retried = parse_json(service.tell(outcome(2)).body);
  EXPECT_EQ(retried.at("accepted").as_number(), 1);
  EXPECT_EQ(retried.at("last").as_number(), 2);
  EXPECT_EQ(service.call("GET", "/readyz").status, 200);
}

TEST(Service, SeesByItselfThatTheLogCanBeWrittenAgain) {
  Service service;
  service.make();
  service.faults->fail_append = true;
  service.faults->fail_probe = true;
  ASSERT_EQ(service.tell(outcome(1)).status, 503);
  EXPECT_EQ(service.call("GET", "/readyz").status, 503);
  service.faults->fail_probe = false;
  int status = 503;
  for (int tries = 0; tries < 1000 && status != 200; ++tries) {  // at most 10 s
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    status = service.call("GET", "/readyz").status;
  }
  EXPECT_EQ(status, 200);
}

TEST(Service, ComesBackFromItsLogToTheByte) {
  for (const std::uint64_t snapshot_every : {std::uint64_t{1'000'000}, std::uint64_t{7}}) {
    Service service(snapshot_every);
    service.make();
    for (int i = 0; i < 40; ++i) ASSERT_EQ(service.tell(outcome(i)).status, 200);
    const std::string decision = service.call("GET", "/v1/learners/a/decision").body;
    const std::string record = service.text(service.call("GET", "/v1/learners/a/record"));
    const std::string curve = service.call("GET", "/v1/learners/a/curve").body;
    service.crash();
    EXPECT_EQ(service.call("GET", "/v1/learners/a/decision").body, decision);
    EXPECT_EQ(service.text(service.call("GET", "/v1/learners/a/record")), record);
    EXPECT_EQ(service.call("GET", "/v1/learners/a/curve").body, curve);
    EXPECT_EQ(parse_json(service.tell(outcome(5)).body).at("duplicates").as_number(), 1);
  }
}

TEST(Service, ChargesTheDecisionThatWasUsed) {
  Service service;
  service.make();
  for (int i = 0; i < 10; ++i) ASSERT_EQ(service.tell(outcome(i)).status, 200);
  // Round 1 played expert 0; its loss on this outcome is 1, whatever is learned by now.
  ASSERT_EQ(service.tell(R"({"id":"late","decision":"g1.1","outcome":[1,0,0]})").status, 200);
  const Json now = service.json("GET", "/v1/learners/a");
  const Json& played = now.at("played");
  EXPECT_EQ(played.at("late").as_number(), 1);
  EXPECT_DOUBLE_EQ(played.at("total").as_number(), now.at("total").as_number() + played.at("drift").as_number());
  EXPECT_GT(played.at("drift").as_number(), 0);
  EXPECT_EQ(service.tell(R"({"id":"z","decision":"g1.99","outcome":[1,0,0]})").status, 400);
  EXPECT_EQ(service.tell(R"({"id":"z","decision":"nonsense","outcome":[1,0,0]})").status, 400);
  const std::string before = service.call("GET", "/v1/learners/a").body;
  service.crash();
  service.call("GET", "/v1/learners/a/decision");
  EXPECT_EQ(service.call("GET", "/v1/learners/a").body, before);
}

TEST(Service, TakesTurnsWhereTheClientAsksForIt) {
  Service service;
  service.make();
  EXPECT_EQ(service.tell(outcome(1), {{"if-match", "\"g1.1\""}}).status, 200);
  const Reply late = service.tell(outcome(2), {{"if-match", "\"g1.1\""}});
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(parse_json(late.body).at("next").at("decision").as_string(), "g1.2");
}

TEST(Service, BeginsANewGenerationAtAReset) {
  Service service;
  service.make();
  ASSERT_EQ(service.tell(outcome(1)).status, 200);
  ASSERT_EQ(service.call("POST", "/v1/learners/a/reset").status, 200);
  EXPECT_EQ(service.json("GET", "/v1/learners/a/decision").at("decision").as_string(), "g2.1");
  EXPECT_EQ(service.tell(R"({"id":"n","decision":"g1.1","outcome":[1,0,0]})").status, 409);
  EXPECT_EQ(parse_json(service.tell(outcome(1)).body).at("accepted").as_number(), 1);
  const std::string old = service.text(service.call("GET", "/v1/learners/a/record?generation=1"));
  EXPECT_NE(old.find("\"t\":1"), std::string::npos);
}

TEST(Service, EndsALearnerAndKeepsItsLogUnlessToldOtherwise) {
  Service service;
  service.make();
  ASSERT_EQ(service.tell(outcome(1)).status, 200);
  EXPECT_EQ(service.call("DELETE", "/v1/learners/a").status, 204);
  EXPECT_EQ(service.call("GET", "/v1/learners/a").status, 404);
  service.make();
  EXPECT_EQ(service.json("GET", "/v1/learners/a/decision").at("decision").as_string(), "g2.1");
  EXPECT_EQ(service.call("DELETE", "/v1/learners/a?purge=true").status, 204);
  service.make();
  EXPECT_EQ(service.json("GET", "/v1/learners/a/decision").at("decision").as_string(), "g1.1");
}

TEST(Service, DecidesForAContext) {
  Service service;
  ASSERT_EQ(service
                .call("PUT", "/v1/learners/a",
                      R"({"problem":{"kind":"experts","params":{"experts":3}},"learner":{"params":{"by":["site"]}}})")
                .status,
            201);
  EXPECT_EQ(service.call("GET", "/v1/learners/a/decision").status, 400);
  for (int i = 0; i < 20; ++i) {
    const std::string site = i % 2 ? "left" : "right";
    const std::string losses = i % 2 ? "[0,1,1]" : "[1,0,1]";
    ASSERT_EQ(
        service.tell(R"({"context":[")" + site + R"("],"id":")" + std::to_string(i) + R"(","outcome":)" + losses + "}")
            .status,
        200);
  }
  EXPECT_EQ(service.json("GET", "/v1/learners/a/decision?context=left").at("action").as_number(), 0);
  EXPECT_EQ(service.json("GET", "/v1/learners/a/decision?context=right").at("action").as_number(), 1);
  service.crash();
  EXPECT_EQ(service.json("GET", "/v1/learners/a/decision?context=left").at("action").as_number(), 0);
}

TEST(Service, TellsManyLearnersInOneTransaction) {
  Service service;
  service.make("a");
  service.make("b");
  const auto lines = [](const std::string& last) {
    return R"({"in":"a","id":"1","outcome":[0,1,1]})"
           "\n"
           R"({"in":"b","id":"1","outcome":)" +
           last + "}\n";
  };
  EXPECT_EQ(service.call("POST", "/v1/batch", lines("[0,1,7]")).status, 400);
  EXPECT_EQ(service.json("GET", "/v1/learners/a").at("rounds").as_number(), 0);
  EXPECT_EQ(service.call("POST", "/v1/batch", lines("[0,1,1]")).status, 200);
  EXPECT_EQ(service.json("GET", "/v1/learners/b").at("rounds").as_number(), 1);
}

TEST(Service, RefusesCommandsOfOthers) {
  Service service;
  const Reply reply = service.call(
      "PUT", "/v1/learners/a",
      R"({"problem":{"kind":"experts","params":{"experts":3}},"learner":{"params":{"oracle":"external:touch x"}}})");
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(parse_json(reply.body).at("error").at("code").as_string(), "H108");
}

TEST(Service, StatesEveryRouteInItsContractAndNoOther) {
  const Json contract = parse_json(service_parts::openapi);
  std::set<std::string> stated, served;
  for (const auto& [path, methods] : contract.at("paths").as_object()) {
    for (const auto& [method, unused] : methods.as_object()) {
      if (method != "parameters") stated.insert(method + " " + path);
    }
  }
  for (const auto& [method, path] : Api::routes()) {
    served.insert(small_letters(method) + " " + std::string(path));
  }
  EXPECT_EQ(stated, served);
}

TEST(Service, AnswersPathsThatDoNotExist) {
  Service service;
  EXPECT_EQ(service.call("GET", "/v1/nothing").status, 404);
  const auto allowed = [&](const std::string& method, const std::string& path) {
    const Reply reply = service.call(method, path);
    EXPECT_EQ(reply.status, 405) << path;
    for (const auto& [name, value] : reply.headers) {
      if (name == "Allow") return value;
    }
    return std::string();
  };
  EXPECT_EQ(allowed("POST", "/v1/learners"), "GET, HEAD");
  EXPECT_EQ(allowed("POST", "/v1/learners/a"), "PUT, GET, HEAD, DELETE");
  EXPECT_EQ(allowed("GET", "/v1/batch"), "POST");
  EXPECT_EQ(allowed("POST", "/v1/floors/a.json"), "GET, HEAD, PUT, DELETE");
  EXPECT_EQ(service.call("GET", "/v1/learners/../../etc").status, 400);
  EXPECT_EQ(service.call("GET", "/v1/learners/%00").status, 400);
}

}  // namespace host_test
}  // namespace hannan::detail::service
