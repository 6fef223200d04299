// The flags of `hannan run`, and what is checked of them.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "command.hpp"
#include "data.hpp"
#include "floors.hpp"
#include "hannan/runtime/turns.hpp"

namespace hannan::detail::cli {

struct RunFlags {
  ProblemFlags problem;
  LearnerFlags learner;
  MoneyFlags money;
  DataFlags data;
  ContextFlags contexts;
  std::string decisions;
  std::string record;
  std::string save;
  std::string summary;
  std::string resume;
  std::string as_logged;  // of a portfolio whose today is logged: the column with what was done
  std::uint64_t rounds = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t save_every = 0;  // rounds; 0: at the end only
  unsigned threads = 1;          // of a search
  bool json = false;
  bool quiet = false;
};

void add_run_flags(Command& command, RunFlags& flags);

// No file may be written over another one of this run; the state alone may replace the one it came from. Whether
// nothing else is to be printed: standard output has one of the files, or --quiet is given.
bool check_run_files(const RunFlags& flags);
// A log with a control group says the shares and coins of its rounds itself: share "logged" of a learner that looks.
bool learns_from_log(const Json& learner_params);
ProblemAndData open_control_log(const RunFlags& flags);
// The columns of the learner's context; none where it has none.
ColumnOrders orders_of(const ReplayTurn& learner);
// What it plays next; null where that depends on the context, or on what is proposed.
Json next_action(const ReplayTurn& learner);
// What is said of the learner again must be what the saved state says.
void check_same_learner(const RunFlags& flags, const AnyLearner& learner);

}  // namespace hannan::detail::cli
