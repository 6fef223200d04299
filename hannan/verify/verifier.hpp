// Checks the record of a run (docs/record.md) by computing everything in it again.
//
// It reads the file a line at a time and keeps its own books: the total loss of every action where
// they can be listed, otherwise the outcomes themselves. From those it re-derives each round's loss,
// learning rate or noise multiplier, L*, stability, estimates and switch; at the end the totals, the
// count of oracle calls and every bound of the certificate, and which bounds there must be. It shares
// no code with the learners, their schedules or their ledger; a problem is asked only what an action
// loses against an outcome, what its perturbations claim, and for the best action on a data set.
//
// Not re-derived: the noise of a learner that draws its own (where noise was given, the choices are
// checked too) and the action sampled from a mixture (only that it has weight).
// Cost: O(K) a round and O(K) memory for listed actions; otherwise O(1) a round, one search at every
// power of two, and the memory of the distinct outcomes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hannan {

// The next line without its newline; false at the end.
using LineSource = std::function<bool(std::string&)>;

struct Verification {
  std::uint64_t rounds = 0;
  double total = 0;
  double best = 0;
  double regret = 0;
  std::vector<std::string> checked;  // what was re-derived, and what was taken on trust, for people
};

// Throws at the first line that does not hold, `at` being "name:line": kRejected where a value is not
// what it must be, kNotJson, kMalformed, kTruncated or kEmpty where the file is no record.
Verification verify_record(const LineSource& lines, const std::string& name);

}  // namespace hannan
