// Records of learners whose outcomes come late: honest ones hold, and every single change is refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hannan/play/record_writer.hpp"
#include "tests/recorded_run.hpp"

namespace hannan::detail {
namespace delayed_verifier_test {

// In which order the rounds get their outcomes: round s after the decision of round arrives[s - 1].
struct LateRun {
  Played of;
  std::vector<int> arrives;
};

// `experts` with M given as it is computed, for the closed forms.
LateRun late(std::string params, std::vector<int> arrives) {
  return {{.name = "ada",
           .problem = "experts",
           .problem_params = R"({"experts":4})",
           .learner = "ada",
           .params = std::move(params)},
          std::move(arrives)};
}
LateRun late_paths(std::vector<int> arrives) {
  return {{.name = "paths",
           .problem = "routing",
           .problem_params = R"({"edges":[["s","a"],["a","t"],["s","b"],["b","t"]],"source":"s","target":"t"})",
           .learner = "ada",
           .params = R"({"seed":7,"delayed":true})"},
          std::move(arrives)};
}

const std::vector<int> kMixed = {1, 4, 3, 4, 5, 9, 8, 8, 9, 12, 12, 12};
const std::vector<int> kSomeNever = {3, 3, 3, 99, 6, 6, 7, 8};
const std::vector<int> kInTurn = {1, 2, 3, 4, 5, 6, 7, 8};

// The lines that the service writes (docs/record.md).
class LateWriter {
 public:
  explicit LateWriter(const LateRun& run)
      : run_(run),
        problem_(make_problem(run.of.problem, parse_json(run.of.problem_params), "params")),
        learner_(problem_->learner<DelayedLearner>(run.of.learner, parse_json(run.of.params))) {
    header();
  }

  // Rounds up to this one.
  void play(int until) {
    for (; round_ < until; ++round_) {
      const int t = round_ + 1;
      lines_.push_back(dump(decision_line(++rows_, learner_->act(static_cast<std::uint64_t>(t)))));
      for (std::size_t s = 0; s < run_.arrives.size() && static_cast<int>(s) < t; ++s) {
        if (run_.arrives[s] == t) arrive(static_cast<int>(s) + 1);
      }
    }
  }

  // The learner goes on in a new record, made from its state.
  void move() {
    learner_ = problem_->load(learner_->save()).take<DelayedLearner>("state");
    before_ += rows_;
    rows_ = 0;
    lines_.clear();
    header();
  }

  Lines lines() const {
    Lines all = lines_;
    all.push_back(dump(Json::object({{"end", learner_->report()}, {"digest", ""}})));
    return resealed(all);
  }

 private:
  void header() {
    RecordWriter writer([&](std::string_view text) { lines_.emplace_back(text.substr(0, text.size() - 1)); });
    writer.begin(*problem_, *learner_);
    if (before_ > 0) lines_.back() = dump(parse_json(lines_.back()).set("from", before_));
  }

  void arrive(int s) {
    AnyOutcome outcome;
    problem_->game().read_outcome(outcome_of(run_.of, s), "outcome", outcome);
    lines_.push_back(dump(arrival_line(++rows_, learner_->observe(static_cast<std::uint64_t>(s), outcome))));
  }

  const LateRun& run_;
  std::shared_ptr<const AnyProblem> problem_;
  std::unique_ptr<DelayedLearner> learner_;
  Lines lines_;
  int round_ = 0;
  std::uint64_t rows_ = 0, before_ = 0;
};

Lines late_record(const LateRun& run) {
  LateWriter writer(run);
  writer.play(static_cast<int>(run.arrives.size()));
  return writer.lines();
}

std::vector<LateRun> late_runs() {
  return {late(R"({"seed":3,"delayed":true})", kMixed),
          late(R"({"seed":3,"delayed":true})", kInTurn),
          late(R"({"seed":3,"delayed":true,"track":"powers"})", kMixed),
          late(R"({"seed":4,"delayed":true,"noise":"lp:2"})", kMixed),
          late(R"({"seed":5,"delayed":true,"perturbation":"one-hot"})", kSomeNever),
          late(R"({"seed":5,"delayed":true,"M":1})", kMixed),
          late(R"({"seed":6,"delayed":true,"draw":"once"})", kMixed),
          late(R"({"delayed":true,"alpha":[[0.5,-1],[1,2],[-1,0.25],[0,1],[2,-2],[1,1],[0.5,0.5],[-3,1],)"
               R"([1,0],[0,2],[1,-1],[0.1,0.2]]})",
               kMixed),
          late_paths(kMixed)};
}

Verification verify_all(const std::vector<Lines>& parts) {
  std::vector<RecordPart> all;
  for (const Lines& lines : parts) {
    all.push_back({"run.jsonl", [&lines] {
                     return [&lines, next = std::size_t{0}](std::string& line) mutable {
                       if (next == lines.size()) return false;
                       line = lines[next++];
                       return true;
                     };
                   }});
  }
  return verify_parts(all);
}

std::optional<Error> refusal_of_parts(const std::vector<Lines>& parts) {
  try {
    verify_all(parts);
  } catch (const Error& e) {
    return e;
  }
  return std::nullopt;
}

TEST(DelayedRecord, OfEverySettingHolds) {
  for (const LateRun& run : late_runs()) {
    const auto e = refusal(late_record(run));
    EXPECT_FALSE(e) << run.of.params << ": " << e->what();
  }
}

TEST(DelayedRecord, IsOfTheSettledRounds) {
  const Verification found = verify(late_record(late(R"({"seed":5,"delayed":true})", kSomeNever)));
  EXPECT_EQ(found.rounds, 3);
  EXPECT_EQ(found.recorded.back(), "5 more rounds were opened and are not settled");
}

// Every bound of the end that applies is demanded: the closed forms where M of the header is that of the noise.
TEST(DelayedRecord, HasTheClosedFormsWhereAllRoundsAreSettled) {
  const Lines lines = late_record(late(R"({"seed":3,"delayed":true,"perturbation":"one-hot","M":2.5})", kInTurn));
  const Json end = parse_json(lines.back()).at("end");
  const double size = end.at("certificate").at("assumptions").at("M").as_number();
  const Lines own =
      late_record(late(R"({"seed":3,"delayed":true,"perturbation":"one-hot","M":)" + number_text(size) + "}", kInTurn));
  const Json bounds = parse_json(own.back()).at("end").at("certificate").at("bounds");
  ASSERT_EQ(bounds.size(), 3);
  EXPECT_EQ(bounds[1].at("name").as_string(), "delayed");
  EXPECT_FALSE(refusal(own)) << refusal(own)->what();
}

// Names of keys, the version of the program and a parameter of certificates that such a learner does not have are bound
// by the digest alone. Losses of experts that neither played nor lead may be larger.
bool bound_by_the_digest(const Json& line, const std::string& path) {
  if (path.starts_with(".program") || path.starts_with(".outcome")) return true;
  const bool header = line.find("record") != nullptr;
  return header && (path.find("credit_draws") != std::string::npos || path.find("pivot") != std::string::npos ||
                    path.find("rho2") != std::string::npos);
}

TEST(DelayedRecord, IsRefusedAfterEverySingleChange) {
  for (const LateRun& run : {late(R"({"seed":3,"delayed":true})", kMixed),
                             late(R"({"seed":5,"delayed":true,"perturbation":"one-hot"})", kSomeNever)})
    expect_changes_refused(late_record(run), bound_by_the_digest);
}

TEST(DelayedRecord, IsRefusedWithAnotherActionOrGapThatNothingElseContradicts) {
  const Lines lines = late_record(late_paths(kMixed));
  ASSERT_FALSE(refusal(lines)) << refusal(lines)->what();
  int changed = 0;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    Json line = parse_json(lines[i]);
    if (!line.find("decide")) continue;
    const std::string other = dump(line.at("action")) == "[0,1]" ? "[2,3]" : "[0,1]";
    Lines altered = lines;
    altered[i] = dump(line.set("action", parse_json(other)));
    EXPECT_TRUE(refusal(resealed(altered))) << lines[i];
    ++changed;
  }
  EXPECT_EQ(changed, 12);
}

TEST(PartsOfARecord, OfALearnerThatWasMovedHoldTogetherAndNotAlone) {
  for (const LateRun& run : late_runs()) {
    for (int moved = 1; moved < static_cast<int>(run.arrives.size()); ++moved) {
      LateWriter writer(run);
      writer.play(moved);
      const Lines before = writer.lines();
      writer.move();
      writer.play(static_cast<int>(run.arrives.size()));
      const Lines after = writer.lines();
      const auto e = refusal_of_parts({before, after});
      ASSERT_FALSE(e) << run.of.params << " moved after " << moved << ": " << e->what();
      EXPECT_EQ(verify_all({before, after}).rounds, verify(late_record(run)).rounds);
      EXPECT_EQ(code_of(after), Code::kRejected);
      EXPECT_TRUE(refusal_of_parts({after, before}));
      EXPECT_TRUE(refusal_of_parts({before, before, after}));
      // The learner that was left behind may have gone on: its later rows are another life.
      const Lines whole = late_record(run);
      const auto longer = refusal_of_parts({whole, after});
      EXPECT_FALSE(longer) << longer->what();
      EXPECT_TRUE(verify_all({whole, after}).trusted.empty());
      const Lines forged = resealed(edited(whole, whole.size(), "\"total\":", "\"total\":1"));
      EXPECT_TRUE(refusal_of_parts({forged, after}));
    }
  }
}

// A run in turn, cut in two: the later part begins at a later round, as a log that was trimmed does.
std::pair<Lines, Lines> cut(const Played& run, int at) {
  Played first = run;
  first.rounds = at;
  const Lines whole = record(run);
  Lines later{whole.front()};
  later.insert(later.end(), whole.begin() + 1 + at, whole.end());
  return {record(first), resealed(later)};
}

std::vector<Played> runs_in_turn() {
  const auto experts = [](const char* learner, const char* params) {
    return Played{.name = learner,
                  .problem = "experts",
                  .problem_params = R"({"experts":4})",
                  .learner = learner,
                  .params = params};
  };
  return {experts("flipflop", R"({"seed":2})"), experts("ada", R"({"seed":2,"discount":0.9})"),
          experts("gftpl", R"({"seed":2})"), experts("off", "{}"), experts("adahedge", "{}")};
}

TEST(PartsOfARecord, OfARunInTurnHoldTogether) {
  for (const Played& run : runs_in_turn()) {
    for (const int at : {1, 5, 11}) {
      const auto [before, after] = cut(run, at);
      const auto e = refusal_of_parts({before, after});
      EXPECT_FALSE(e) << run.name << ": " << e->what();
      EXPECT_EQ(verify_all({before, after}).rounds, 12);
      EXPECT_TRUE(refusal(after));
      EXPECT_TRUE(refusal_of_parts({before, resealed([&] {
                                      Lines late = after;
                                      late.erase(late.begin() + 1);
                                      return late;
                                    }())}));
    }
  }
}

TEST(PartsOfARecord, AreRefusedAfterEverySingleChangeOfEither) {
  const auto [before, after] = cut(runs_in_turn().front(), 5);
  const auto undetermined = [](const std::string& path) {
    return path.starts_with(".program") || path == ".data removed" || path.starts_with(".outcome") ||
           path.find("rho2") != std::string::npos;
  };
  const auto check = [&](const Lines& part, const auto& together) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      for (const auto& altered : alterations(parse_json(part[i]), "")) {
        if (altered.path.starts_with(".digest") || undetermined(altered.path)) continue;
        Lines changed = part;
        changed[i] = dump(altered.value);
        EXPECT_TRUE(refusal_of_parts(together(resealed(changed)))) << "line " << i + 1 << altered.path;
      }
    }
  };
  check(before, [&](const Lines& changed) { return std::vector<Lines>{changed, after}; });
  check(after, [&](const Lines& changed) { return std::vector<Lines>{before, changed}; });
}

TEST(PartsOfARecord, NameTheEarlierPartWhereItIsMissing) {
  const LateRun run = late(R"({"seed":3,"delayed":true})", kMixed);
  LateWriter writer(run);
  writer.play(4);
  writer.move();
  writer.play(12);
  const auto e = refusal(writer.lines());
  ASSERT_TRUE(e);
  EXPECT_EQ(e->at(), "run.jsonl:1");
  EXPECT_NE(std::string(e->what()).find("expected the earlier part before it"), std::string::npos) << e->what();
}

}  // namespace delayed_verifier_test
}  // namespace hannan::detail
