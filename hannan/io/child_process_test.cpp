#include "hannan/io/child_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>
#include <chrono>
#include <string>

namespace hannan::detail {
namespace child_process_test {

using Kind = ChildFailure::Kind;

// The failure of one exchange with a shell command; nothing where there is none.
struct Outcome {
  bool failed = false;
  Kind kind{};
  std::string what;
  double seconds = 0;
};
Outcome exchange(const std::string& command, const std::string& line, double limit = 20) {
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome;
  try {
    ChildProcess child({.command = command, .seconds = limit});
    outcome.what = child.exchange(line);
  } catch (const ChildFailure& e) {
    outcome = {.failed = true, .kind = e.kind(), .what = e.what()};
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

bool alive(int id) { return ::kill(id, 0) == 0 || errno != ESRCH; }

TEST(ChildProcess, GivesBackOneLineForEachLine) {
  ChildProcess child({.command = "cat"});
  EXPECT_EQ(child.exchange("one"), "one");
  EXPECT_EQ(child.exchange(""), "");
  // Beyond what a pipe holds: both directions must be served at once.
  const std::string much(700'000, 'x');
  EXPECT_EQ(child.exchange(much), much);
}

TEST(ChildProcess, PutsTogetherALineThatComesInPieces) {
  const auto got = exchange("read x; printf 'a'; sleep 0.05; printf 'b'; sleep 0.05; printf 'c\\r\\nrest'", "go");
  EXPECT_FALSE(got.failed) << got.what;
  EXPECT_EQ(got.what, "abc");
}

TEST(ChildProcess, SaysThatThereIsNoSuchProgram) {
  const auto got = exchange("no-such-program-anywhere", "go");
  ASSERT_TRUE(got.failed);
  EXPECT_EQ(got.kind, Kind::kEnded);
  // 127 is the shell's own status for it, and the shell names the program.
  EXPECT_NE(got.what.find("status 127"), std::string::npos) << got.what;
  EXPECT_NE(got.what.find("no-such-program-anywhere"), std::string::npos) << got.what;
}

TEST(ChildProcess, QuotesTheEndOfItsStandardErrorOnOneLine) {
  const auto got = exchange("echo first >&2; echo 'then this' >&2; exit 3", "go");
  ASSERT_TRUE(got.failed);
  EXPECT_EQ(got.what, "it ended with status 3 before it answered; its standard error ends with \"first then this\"");
}

TEST(ChildProcess, ReportsAnEndInTheMiddleOfAnAnswerAndBySignal) {
  const auto half = exchange("read x; printf 'half an ans'", "go");
  EXPECT_TRUE(half.failed);
  EXPECT_EQ(half.kind, Kind::kEnded);
  EXPECT_NE(half.what.find("status 0"), std::string::npos) << half.what;
  const auto shot = exchange("read x; kill -9 $$", "go");
  EXPECT_EQ(shot.kind, Kind::kEnded);
  EXPECT_NE(shot.what.find("signal 9"), std::string::npos) << shot.what;
}

TEST(ChildProcess, GivesUpAtItsDeadline) {
  const auto got = exchange("sleep 100", "go", 0.2);
  ASSERT_TRUE(got.failed);
  EXPECT_EQ(got.kind, Kind::kTimeout);
  EXPECT_GE(got.seconds, 0.2);
  EXPECT_LT(got.seconds, 20);
}

TEST(ChildProcess, GivesUpOnAProgramThatDoesNotRead) {
  const auto got = exchange("sleep 100", std::string(1 << 20, 'x'), 0.2);
  ASSERT_TRUE(got.failed);
  EXPECT_EQ(got.kind, Kind::kTimeout);
  EXPECT_NE(got.what.find("does not read"), std::string::npos) << got.what;
}

TEST(ChildProcess, ADripOfBytesDoesNotMoveTheDeadline) {
  const auto got = exchange("while true; do printf .; sleep 0.02; done", "go", 0.3);
  ASSERT_TRUE(got.failed);
  EXPECT_EQ(got.kind, Kind::kTimeout);
  EXPECT_LT(got.seconds, 20);
}

TEST(ChildProcess, RefusesALineBeyondTheLimitWithoutHoldingAllOfIt) {
  const auto got = exchange("yes | tr -d '\\n'", "go");
  ASSERT_TRUE(got.failed);
  EXPECT_EQ(got.kind, Kind::kTooLong);
}

TEST(ChildProcess, RefusesAWholeLineBeyondTheLimitToo) {
  const auto got = exchange("read x; head -c 1100000 /dev/zero | tr '\\0' 'x'; echo; sleep 100", "go");
  ASSERT_TRUE(got.failed);
  EXPECT_EQ(got.kind, Kind::kTooLong);
}

TEST(ChildProcess, LinesBeforeTheQuestionWasReadDoNotBlock) {
  // It writes far more lines than it may before it reads; the question is longer than a pipe holds.
  const auto got = exchange("yes | head -c 3000000; cat > /dev/null", std::string(300'000, 'x'), 2);
  EXPECT_TRUE(got.failed);
  EXPECT_EQ(got.kind, Kind::kTimeout);
}

TEST(ChildProcess, NoticesClosedStreamsOfALivingProgram) {
  const auto output = exchange("exec >&-; sleep 100", "go");
  EXPECT_EQ(output.kind, Kind::kEnded);
  EXPECT_NE(output.what.find("closed its output"), std::string::npos) << output.what;
  // More than a pipe holds, so that the write must notice; no SIGPIPE ends this test.
  const auto input = exchange("exec <&-; sleep 100", std::string(1 << 20, 'x'));
  EXPECT_EQ(input.kind, Kind::kEnded);
  EXPECT_NE(input.what.find("closed its input"), std::string::npos) << input.what;
  EXPECT_LT(output.seconds + input.seconds, 20);
}

TEST(ChildProcess, AFloodOnStandardErrorDoesNotBlock) {
  const auto got = exchange("read x; yes complaint | head -c 3000000 >&2; echo fine", "go");
  EXPECT_FALSE(got.failed) << got.what;
  EXPECT_EQ(got.what, "fine");
}

TEST(ChildProcess, LeavesNoProcessBehind) {
  int polite = 0, stubborn = 0;
  int grandchild = 0;
  {
    ChildProcess child({.command = "cat"});
    polite = child.id();
    child.exchange("x");
  }
  {
    // The shell prints the number of its own child, and ignores the end of its input.
    ChildProcess child({.command = "trap '' TERM HUP; sleep 100 & read x; echo $!; wait"});
    stubborn = child.id();
    grandchild = std::stoi(child.exchange("who"));
    ASSERT_TRUE(alive(grandchild));
  }
  EXPECT_FALSE(alive(polite));  // reaped, not a zombie: a zombie could still be signalled
  EXPECT_FALSE(alive(stubborn));
  // The grandchild is killed too; whoever inherits it reaps it a moment later.
  bool gone = false;
  for (int i = 0; i < 200 && !gone; ++i) {
    gone = !alive(grandchild);
    if (!gone) {
      const std::string state = "grep -q '^State:.*Z' /proc/" + std::to_string(grandchild) + "/status";
      gone = exchange("read x; " + state + " && echo gone || echo there", "?").what == "gone";
    }
  }
  EXPECT_TRUE(gone);
}

TEST(ChildProcess, AProgramThatEndedIsGoneBeforeTheErrorIsThrown) {
  int id = 0;
  try {
    ChildProcess child({.command = "exit 1"});
    id = child.id();
    child.exchange("x");
    FAIL() << "it answered";
  } catch (const ChildFailure&) {
    EXPECT_FALSE(alive(id));
  }
}

}  // namespace child_process_test
}  // namespace hannan::detail
