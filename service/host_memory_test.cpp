// Memory that is counted beforehand, and memory that is not there.
#include <gtest/gtest.h>

#include <future>
#include <new>
#include <string>
#include <utility>

#include "service/codes.hpp"
#include "service/host.hpp"

namespace hannan::detail::service {
namespace host_memory_test {

constexpr const char* kSegments =
    R"({"problem":{"kind":"experts","params":{"experts":3}},"learner":{"params":{"by":["site"],"track":"end"}}})";

class HostMemory : public ::testing::Test {
 protected:
  void open(double memory) {
    HostLimits limits;
    limits.memory = memory;
    host_ = std::make_unique<Host>(make_memory_store(faults_), limits, metrics_);
  }
  // What a call of the host came to: "", or the code of its error.
  template <class Value, class Call>
  std::string outcome_of(const Call& call) {
    std::promise<std::string> said;
    auto words = said.get_future();
    const auto answer = [&](const Value&, const std::exception_ptr& failure) { said.set_value(word_of(failure)); };
    try {
      call(answer);
    } catch (...) {
      said.set_value(word_of(std::current_exception()));
    }
    return words.get();
  }
  std::string make(const std::string& name, const char* body = kSegments) {
    return outcome_of<Host::Made>([&](auto answer) { host_->make(name, parse_json(body), answer); });
  }
  std::string end(const std::string& name) {
    return outcome_of<bool>([&](auto answer) { host_->end(name, false, answer); });
  }
  // Outcomes of so many sites, from this one on.
  std::string tell(const std::string& name, int first, int count) {
    const EntryPointer entry = host_->find(name);
    Submission submission;
    submission.parts.push_back({.entry = entry, .outcomes = {}});
    for (int i = first; i < first + count; ++i) {
      Incoming incoming;
      incoming.id = std::to_string(told_++);
      incoming.context = {std::to_string(i)};
      entry->problem().game().read_outcome(parse_json("[0,1,0.5]"), "outcome", incoming.outcome);
      submission.parts.back().outcomes.push_back(std::move(incoming));
    }
    return outcome_of<Accepted>([&](auto answer) { host_->submit(std::move(submission), answer); });
  }
  std::uint64_t rounds(const std::string& name) { return host_->find(name)->now().published->rounds; }

  std::shared_ptr<FaultSwitch> faults_ = std::make_shared<FaultSwitch>();

 private:
  static std::string word_of(const std::exception_ptr& failure) {
    if (!failure) return "";
    try {
      std::rethrow_exception(failure);
    } catch (const Error& e) {
      return std::to_string(static_cast<int>(e.code()));
    } catch (const std::bad_alloc&) {
      return "no memory";
    } catch (const std::exception& e) {
      return e.what();
    }
  }

  Metrics metrics_;
  int told_ = 0;
  std::unique_ptr<Host> host_;
};

// 100 KB for a learner (estimated_bytes), 2.6 to 4.5 KB for a segment.
TEST_F(HostMemory, IsTakenForSegmentsBeforeTheirOutcomesArePlayed) {
  open(1e6);
  ASSERT_EQ(make("a"), "");
  EXPECT_EQ(tell("a", 0, 100), "");
  EXPECT_EQ(tell("a", 100, 1000), "822");
  EXPECT_EQ(rounds("a"), 100u);
  EXPECT_EQ(tell("a", 0, 100), "");  // they are open already
  EXPECT_EQ(tell("a", 7, 1), "");
  EXPECT_EQ(rounds("a"), 201u);
  EXPECT_EQ(tell("a", 100, 10), "");  // there is memory for some
  EXPECT_EQ(make("b"), "");
  EXPECT_EQ(tell("b", 0, 200), "822");
  EXPECT_EQ(end("a"), "");
  EXPECT_EQ(tell("b", 0, 200), "");
}

TEST_F(HostMemory, ThatIsShortInACommitEndsItsRequestsAlone) {
  open(1e9);
  ASSERT_EQ(make("a"), "");
  ASSERT_EQ(tell("a", 0, 3), "");
  faults_->no_memory = true;
  EXPECT_EQ(tell("a", 0, 1), "no memory");
  EXPECT_EQ(rounds("a"), 3u);
  EXPECT_EQ(tell("a", 0, 1), "");
  EXPECT_EQ(rounds("a"), 4u);
}

}  // namespace host_memory_test
}  // namespace hannan::detail::service
