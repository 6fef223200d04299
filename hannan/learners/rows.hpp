// The row of every line of all.hpp, each defined in the source of its name.
#pragma once

#include "hannan/learners/learner_params.hpp"

namespace hannan::detail {

#define HANNAN_LEARNER(file) LearnerKind file##_row();
#include "hannan/learners/all.hpp"
#undef HANNAN_LEARNER

}  // namespace hannan::detail
