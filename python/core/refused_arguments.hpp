// Arguments of act and observe that only some kinds of learner take: refused where they are given to another.
#pragma once

#include <cstdint>

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "values.hpp"

namespace hannan::detail::python {

inline void refuse_awake(const py::object& awake) {
  if (awake.is_none()) return;
  throw Error(Code::kUnknownField,
              "found a list of experts, which only a learner of experts that sleep takes (missing=\"sleep\")", "awake");
}
inline void refuse_context(const py::object& context) {
  if (context.is_none()) return;
  throw Error(Code::kUnknownField, "found a context, which only a learner with contexts takes", "context");
}
inline void refuse_round(const py::object& round) {
  if (round.is_none()) return;
  throw Error(Code::kUnknownField,
              "found \"round\", which only a learner with delayed outcomes takes (\"ada\" with delayed=True); this "
              "one plays its rounds in turn",
              "round");
}
inline std::uint64_t round_number(const py::object& round) {
  if (round.is_none())
    throw Error(Code::kMissingField, "found none, expected the number of the round: its outcomes come late", "round");
  const Json number = to_json(round, "round");
  return static_cast<std::uint64_t>(to_integer(number, "round", {1, std::int64_t{1} << 52}));
}

}  // namespace hannan::detail::python
