// Rounds that are seen in part as requests and answers, those of `hannan pipe` (runtime/pipe.hpp), for
// python/hannan/_part.py.
#pragma once

#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/runtime/pipe.hpp"
#include "learner.hpp"
#include "values.hpp"

namespace hannan::detail::python {

// `answer` is act_in_part or observe_in_part.
inline py::object part_answer(PyLearner& learner, const py::object& request, Json (*answer)(PartLearner&, Fields&)) {
  return learner.held([&](const AnyTurn& turn) {
    PartLearner* found = turn.as<PartLearner>();
    if (!found) throw Error(Code::kUnavailable, "found a learner that sees everything, expected feedback", "feedback");
    const Json json = to_json(request, "request");
    Fields in(json, "");
    return from_json(answer(*found, in));
  });
}

}  // namespace hannan::detail::python
