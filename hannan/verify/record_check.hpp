// What checks the lines of a record after its header: of an ordinary run, of one with contexts, of one whose outcomes
// came late.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hannan/verify/claims.hpp"
#include "hannan/verify/setting.hpp"
#include "hannan/verify/verifier.hpp"

namespace hannan::detail {

class RecordCheck {
 public:
  virtual ~RecordCheck() = default;
  virtual void round(const Json& line) = 0;
  // May be called again after more rounds: at the end of each part of a record.
  virtual Verification end(const Json& report) = 0;
  // The lines from here on are those of a log that begins here, made from the state of the learner so far.
  virtual void begin_log() {}
};

// What stays on trust where the problem has no oracle but the one of the run, the user's own.
void trust_own_oracle(const RecordedSetting& setting, Verification& result);

// What the end of a record added, for people.
struct EndWords {
  const std::vector<std::string>& on_trust;
  const std::vector<std::string>& recorded;
  const std::vector<std::string>& bounds;
};
void add_end(const EndWords& words, Verification& result);

// The claims outlive what is made.
std::unique_ptr<RecordCheck> make_run_check(RecordedSetting setting, Claims& claims, const VerifyLimits& limits);
// Of a run with contexts (docs/record.md).
std::unique_ptr<RecordCheck> make_context_check(RecordedSetting setting, Claims& claims, const VerifyLimits& limits);
// Of a learner with `delayed` (docs/record.md).
std::unique_ptr<RecordCheck> make_delayed_check(RecordedSetting setting, Claims& claims, const VerifyLimits& limits);

}  // namespace hannan::detail
