// The text of an error and the exit status of its code. One line, "H205: place: what", is what every surface prints;
// statuses: 1 a limit of work was met, 2 the call is wrong, 3 the data or the machine is.
#include "hannan/core/error.hpp"

#include <utility>

namespace hannan {

Error::Error(Code code, std::string message, std::string at)
    : code_(code), message_(std::move(message)), at_(std::move(at)) {
  what_ = code_name(code_) + (at_.empty() ? ": " : ": " + at_ + ": ") + message_;
}

std::string code_name(Code code) { return "H" + std::to_string(static_cast<int>(code)); }

int exit_status(Code code) {
  switch (code) {
    case Code::kWorkLimit:
      return 1;
    case Code::kUsage:
    case Code::kMissingField:
    case Code::kUnknownField:
    case Code::kWrongType:
    case Code::kOutOfRange:
    case Code::kUnknownName:
    case Code::kUndefined:
    case Code::kUnavailable:
      return 2;
    default:
      return 3;
  }
}

}  // namespace hannan
