// What checks the lines of a record after its header: of an ordinary run, or of one with contexts.
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
  virtual Verification end(const Json& report) = 0;
};

// What stays on trust where the oracle of the run was the user's own; nothing where it was not.
enum class OracleClaim { kExact, kFloors };
std::vector<std::string> trusted_of_oracle(const RecordedSetting& setting, OracleClaim claim);

// Of a run with contexts (docs/record.md). The claims outlive it.
std::unique_ptr<RecordCheck> make_context_check(RecordedSetting setting, Claims& claims, const VerifyLimits& limits);

}  // namespace hannan::detail
