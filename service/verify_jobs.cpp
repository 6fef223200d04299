// One thread of low priority takes jobs in order. A result belongs to a learner's number and is replaced by the next
// job of it. The record is streamed from the log row by row and never held whole.
#include "service/verify_jobs.hpp"

#include <unistd.h>

#include <algorithm>
#include <future>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/runtime/pipe.hpp"
#include "hannan/verify/verifier.hpp"
#include "service/codes.hpp"
#include "service/host_values.hpp"
#include "service/streams.hpp"

namespace hannan::detail::service {
namespace {

// The job was given up: not a fault of the record.
class GivenUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What the record begins and ends with. A learner that is quarantined has no end: then its rows are looked at alone.
struct RecordFacts {
  std::string header;
  std::uint64_t rows = 0;
  Json report;
};

// Waits for the writer. The promise lives on this stack until the answer came, which the writer gives exactly once.
RecordFacts facts_of(Host& host, const EntryPointer& entry) {
  // The writer has no learner for it, so one is made here; `rows` is then "as many as there are".
  if (entry->now().status == Status::kQuarantined) {
    HostedLearner fresh(make_learner(parse_json(entry->stored().config), ExternalOracles::kAllowed), entry->log());
    return {.header = record_header(fresh), .rows = static_cast<std::uint64_t>(kNatural.hi) - 1, .report = {}};
  }
  std::promise<RecordFacts> promise;
  auto facts = promise.get_future();
  host.with(
      entry,
      [](HostedLearner& learner) {
        return Json::object(
            {{"header", record_header(learner)}, {"rows", learner.position()}, {"report", learner.learner().report()}});
      },
      [&promise](const Json& found, const std::exception_ptr& failure) {
        if (failure) return promise.set_exception(failure);
        promise.set_value({.header = found.at("header").as_string(),
                           .rows = static_cast<std::uint64_t>(found.at("rows").as_number()),
                           .report = found.at("report")});
      });
  return facts.get();
}

// The lines of a body that is made piece by piece.
class LinesOfBody {
 public:
  explicit LinesOfBody(std::shared_ptr<BodyStream> body) : body_(std::move(body)) {}
  // text_[at_..] is what was not given out yet; it is moved to the front only when a new piece is needed.
  bool next(std::string& line) {
    for (;;) {
      const std::size_t end = text_.find('\n', at_);
      if (end != std::string::npos) {
        line.assign(text_, at_, end - at_);
        at_ = end + 1;
        return true;
      }
      if (done_) return false;
      auto chunk = body_->next();
      text_.erase(0, at_);
      at_ = 0;
      text_ += chunk.text;
      done_ = chunk.done;
    }
  }

 private:
  std::shared_ptr<BodyStream> body_;
  std::string text_;
  std::size_t at_ = 0;
  bool done_ = false;
};

// What came of playing a log again from the state that its learner was made from.
struct Continuation {
  std::uint64_t position = 0;
  Json checked, trusted;
};

// Plays the rows on a learner of its own; `tell` hears the last row now and then. That learner is the code that wrote
// the rows: a row that does not follow from the state and the outcomes is found, a rule that is wrong is not.
Continuation play_again(const Entry& entry, const RecordFacts& facts, RowReader& reader,
                        const std::function<void(std::uint64_t)>& tell) {
  constexpr std::size_t kRowsPlayedAtATime = 256;
  HostedLearner learner(make_learner(parse_json(entry.stored().config), ExternalOracles::kAllowed), entry.log());
  const std::uint64_t begin = learner.position();
  try {
    while (learner.position() < facts.rows) {
      tell(learner.position());
      const auto most =
          static_cast<std::size_t>(std::min<std::uint64_t>(kRowsPlayedAtATime, facts.rows - learner.position()));
      const auto rows = reader.rows_after(entry.log(), learner.position(), most);
      if (rows.empty()) break;
      learner.replay(rows, reader);
    }
  } catch (const ReplayDiffers& differs) {
    throw Error(Code::kRejected, std::string(differs.what()) + " from the state that the learner was made from",
                entry.name());
  }
  if (!facts.report.is_null() && dump(learner.learner().report()) != dump(facts.report))
    throw Error(Code::kRejected, "found another report in the service, expected that of the rows of its log",
                entry.name());
  const Json from = entry.config().json().at("from");
  Continuation found{.position = learner.position(), .checked = Json::array(), .trusted = Json::array()};
  found.checked.push_back("every row since the state, " + std::to_string(learner.position() - begin) +
                          " of them: played again from it, each line the same to the byte");
  if (!facts.report.is_null()) found.checked.push_back("the report, of the learner that was played again");
  found.trusted.push_back("the state that the learner was made from: " + std::to_string(entry.config().first_rounds) +
                          " rounds, digest " + from.at("digest").as_string());
  found.trusted.push_back(
      "the rules of the learner, whose own code played the rows again; to have them checked by separate code fetch the "
      "record and run hannan verify on the earlier record and this one");
  return found;
}

}  // namespace

// The thread is the last member to be made, so that it finds all others ready.
VerifyJobs::VerifyJobs(Host& host, VerifyJobLimits limits)
    : host_(host), limits_(limits), thread_([this] { work(); }) {}

// A job that runs is given up at its next row; those that wait are never begun.
VerifyJobs::~VerifyJobs() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

// Starting what is waiting or running already changes nothing and answers with its state.
Json VerifyJobs::start(const EntryPointer& entry) {
  {
    const std::lock_guard lock(mutex_);
    Result& result = results_[entry->log().learner];
    if (result.state != "waiting" && result.state != "running") {
      if (queue_.size() >= limits_.waiting)
        throw Error(kQueueFull, "found as many records that wait to be verified as may, expected fewer; ask again");
      result = {};
      result.state = "waiting";
      result.generation = entry->log().generation;
      result.started = now_in_milliseconds();
      queue_.push_back(entry);
    }
    // Results that are done make place, the oldest first.
    while (results_.size() > limits_.kept) {
      auto oldest = results_.end();
      for (auto it = results_.begin(); it != results_.end(); ++it) {
        if (it->second.ended > 0 && (oldest == results_.end() || it->second.ended < oldest->second.ended)) oldest = it;
      }
      if (oldest == results_.end()) break;
      results_.erase(oldest);
    }
  }
  changed_.notify_all();
  return state(*entry);
}

// From memory: results are lost when the service ends, and a job can be started again.
Json VerifyJobs::state(const Entry& entry) const {
  const std::lock_guard lock(mutex_);
  const auto found = results_.find(entry.log().learner);
  const Result result = found == results_.end() ? Result{} : found->second;
  const std::int64_t until = result.ended > 0 ? result.ended : result.started > 0 ? now_in_milliseconds() : 0;
  return Json::object({{"state", result.state},
                       {"generation", result.generation},
                       {"rounds", result.rounds},
                       {"done", result.done},
                       {"started", result.started},
                       {"seconds", static_cast<double>(until - result.started) / 1000},
                       {"checked", result.checked},
                       {"trusted", result.trusted},
                       {"error", result.error}});
}

// For the thread of jobs; state() reads under the same lock.
void VerifyJobs::change(const Entry& entry, const std::function<void(Result&)>& how) {
  const std::lock_guard lock(mutex_);
  how(results_[entry.log().learner]);
}

// The loop of the thread. A record that does not follow from its rules "differs"; one that could not be looked at is
// "unavailable", which says nothing about it.
void VerifyJobs::work() {
  lower_priority(::gettid());
  for (;;) {
    EntryPointer entry;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
      if (stopping_) return;
      entry = queue_.front();
      queue_.pop_front();
      results_[entry->log().learner].state = "running";
    }
    std::string state = "unavailable";
    Json error;
    try {
      state = run(entry);
    } catch (const Error& e) {
      const bool looked = e.code() == Code::kRejected || e.code() == Code::kMalformed || e.code() == Code::kTruncated ||
                          e.code() == Code::kNotJson;
      if (looked) state = "differs";
      error = error_answer(e).at("error");
    } catch (const std::exception& e) {
      error = Json::object({{"message", e.what()}});
    }
    change(*entry, [&](Result& result) {
      result.state = state;
      result.error = error;
      result.ended = now_in_milliseconds();
    });
  }
}

// Of one job: tells how far it is, and gives it up when the service stops or it takes too long.
class VerifyJobs::Progress {
 public:
  Progress(VerifyJobs& jobs, const Entry& entry) : jobs_(jobs), entry_(entry) {}
  void at(std::uint64_t done) {
    if (jobs_.stopping_) throw GivenUp("the service was stopping");
    if (done < told_ + kTellEvery) return;
    told_ = done;
    jobs_.change(entry_, [&](Result& result) { result.done = done; });
    if (seconds_since(start_) * 1000 > static_cast<double>(jobs_.limits_.milliseconds))
      throw GivenUp("it took longer than " + std::to_string(jobs_.limits_.milliseconds / 1000) +
                    " s; fetch the record and run hannan verify on it");
  }

 private:
  static constexpr std::uint64_t kTellEvery = 256;  // rows
  VerifyJobs& jobs_;
  const Entry& entry_;
  std::uint64_t told_ = 0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// On the thread of jobs, with a reader of its own; the writer is asked once, for the end of the record.
std::string VerifyJobs::run(const EntryPointer& entry) {
  const RecordFacts facts = facts_of(host_, entry);
  change(*entry, [&](Result& result) { result.rounds = facts.report.is_null() ? 0 : facts.rows; });
  const bool continues = rows_before(entry->config()) > 0;
  const std::uint64_t before = continues && !entry->config().delayed ? entry->config().first_rounds : 0;
  auto reader = host_.reader();
  const auto first = reader->rows_after(entry->log(), 0, 1);
  if (!first.empty() && first.front().t != before + 1)
    throw GivenUp("the rounds before " + std::to_string(first.front().t) +
                  " are not in this log, and a record can only be verified from its first round on");
  Progress progress(*this, *entry);
  if (continues) {
    const Continuation found = play_again(*entry, facts, *reader, [&](std::uint64_t row) { progress.at(row); });
    change(*entry, [&](Result& result) {
      result.done = result.rounds = found.position;
      result.checked = found.checked;
      result.trusted = found.trusted;
    });
    return "continues";
  }
  LinesOfBody lines(record_stream({.reader = std::move(reader),
                                   .entry = entry,
                                   .log = entry->log(),
                                   .header = facts.header,
                                   .from = 1,
                                   .to = facts.rows,
                                   .report = facts.report}));
  std::uint64_t read = 0;
  const LineSource source = [&](std::string& line) {
    progress.at(read);
    if (!lines.next(line)) return false;
    ++read;
    return true;
  };
  const Verification found = verify_record(source, entry->name(), {.work = limits_.work});
  change(*entry, [&](Result& result) {
    result.done = result.rounds = found.rounds;
    for (const auto& what : found.checked) result.checked.push_back(what);
    for (const auto& what : found.trusted) result.trusted.push_back(what);
  });
  return found.trusted.empty() ? "holds" : "consistent";
}

}  // namespace hannan::detail::service
