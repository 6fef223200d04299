// Whether the class of classifiers is too weak: a rival without a class errs less than its best member in hindsight.
//
// The gains D_t of a rival over the best fixed classifier are judged as those of a learner over what is done today
// (judgement.hpp): both lower ends must be above 0, with the 5 % shared by all rivals. The best in hindsight was chosen
// on these very rounds and the rival was not, so that the choice favours the class.
#pragma once

#include "hannan/compare/comparison.hpp"

namespace hannan::detail {

// Of the rival with the fewest mistakes among those that are ahead beyond chance; none: there is no such rival.
std::optional<ComparisonResult::WeakClass> weak_class(const Comparison& comparison, const Doubts& doubts);

}  // namespace hannan::detail
