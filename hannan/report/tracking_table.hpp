// The tracking regret of a record, gathered one line at a time: its loss less that of the best sequences of actions
// with at most 0, 1, 2, 4, 8 and 16 switches in hindsight.
//
// The lines may be of a record that does not verify: where the problem cannot be made, an outcome cannot be read or
// there is too much to compute (play/tracking.hpp), the table says that it is unavailable, and why.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "hannan/io/json.hpp"
#include "hannan/play/tracking.hpp"
#include "hannan/runtime/any_problem.hpp"

namespace hannan::detail {

class TrackingTable {
 public:
  void begin(const Json& header);
  void round(const Json& line);
  void write(Json& blocks) const;

 private:
  void observe(const Json& line);
  void stop(const std::string& why);

  std::shared_ptr<const AnyProblem> problem_;
  std::optional<Tracking> tracking_;
  std::string why_not_ = "there is no round";
  AnyOutcome outcome_;
  std::uint64_t rounds_ = 0;
  double total_ = 0;
};

}  // namespace hannan::detail
