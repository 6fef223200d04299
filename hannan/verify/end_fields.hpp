// Fields that the end of every kind of record has.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hannan/io/fields.hpp"
#include "hannan/verify/claims.hpp"
#include "hannan/verify/record_state.hpp"
#include "hannan/verify/setting.hpp"

namespace hannan::detail {

// problem, learner, params and rounds: those of the header and the rounds that were read.
void check_identity(Fields& end, const RecordedSetting& setting, const Claims& claims, std::uint64_t rounds);

struct RawFacts {
  double total, best;              // losses
  std::optional<double> realised;  // where an action is drawn from a mixture of learners
  std::uint64_t rounds;
  const std::optional<bool>& reward;  // the unit of raw numbers, once a round has told
};
// The same numbers in the problem's own unit: normaliser times the losses, or what they leave of a reward.
void check_raw(Fields raw, const RecordedSetting& setting, const Claims& claims, const RawFacts& facts);

struct RecordedCalls {
  double gap = 0;          // end.oracle_gap
  std::uint64_t most = 0;  // calls that the learners can have made
  double spread = 0;       // of the totals at the end: what the search for L* can have left unproven
};
// oracle_calls, search_nodes and oracle_gap. The searches are not repeated. Without a call, or with calls that are all
// proven, there is no gap and no search. Otherwise the gap is at least what the choices are above the best, and at most
// what the calls can have left unproven (Claims::possible_gap). Counts of work, which claim nothing, are added to
// `recorded`.
void check_calls(Fields& end, const RecordedSetting& setting, const Claims& claims, const RecordedCalls& calls,
                 std::vector<std::string>& recorded);

// What the certificate says of the noise of the learner: columns, gamma, M, which is returned where there is one, and
// what it leaves out. M is an upper limit, whatever the learner took for it; what is within the error of computing it
// again is added to `on_trust`.
std::optional<double> check_noise(Fields& in, const RecordedSetting& setting, const Claims& claims,
                                  std::vector<std::string>& on_trust);

// The listed action leads on these totals, and is the smallest that does; an oracle of the user's own need not know
// which of two equal actions is the smaller.
void check_smallest(std::size_t index, const RecomputedTotals& totals, std::string_view field, RecordState& record);

// A field with a number for each of `size`, each the one expected.
struct ExpectedNumbers {
  std::size_t size;
  const std::function<double(std::size_t)>& value;
};
void check_numbers(Fields& end, const char* name, const Claims& claims, const ExpectedNumbers& expected);

}  // namespace hannan::detail
