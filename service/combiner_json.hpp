// Learners that combine forecasts as the API shows them, and the check of their records.
#pragma once

#include <string>

#include "service/host.hpp"

namespace hannan::detail::service {

// What GET and lists say of one, without its configuration.
Json combiner_json(const CombinerEntry& entry);

// The same without a field.
Json without(const Json& object, std::string_view field);

// What was answered for the decision of this name. Throws kUnknownDecision, kOldGeneration, kTrimmed.
Json answer_of_decision(const HostedCombiner& learner, RowReader& log, const std::string& name);

// The record, computed again by hannan/verify; as verify_jobs.hpp has the states "running", "holds", "differs" and
// "unavailable". On the thread that calls, with a reader of its own.
Json begun_check(const CombinerEntry& entry);
Json check_record(const CombinerEntry& entry, Host& host);

}  // namespace hannan::detail::service
