// The body of POST outcomes, and of POST batch, as submissions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "service/host.hpp"
#include "service/http_message.hpp"

namespace hannan::detail::service {

struct OutcomeLimits {
  std::size_t outcomes = 10'000;  // a request
};

struct ReadOutcomes {
  Submission submission;
  bool repeatable = true;  // every outcome has an id that a retry would have too
};

// Of one learner: {"outcomes":[{...}]}, one {"outcome":...}, or a line of JSON each (application/x-ndjson).
ReadOutcomes read_outcomes(const Request& request, const EntryPointer& entry, const OutcomeLimits& limits);
// Lines of JSON with the learner's name in the field "in".
ReadOutcomes read_batch(const Request& request, const Host& host, const OutcomeLimits& limits);

// The texts of a batch whose learners are in several places, by place.
using PlaceOf = std::function<std::string(const std::string& name, const std::string& at)>;
std::map<std::string, std::string> split_batch(const Request& request, const OutcomeLimits& limits,
                                               const PlaceOf& place_of);

// Each line that is not empty, and its number.
using EachLine = std::function<void(Json json, std::size_t number)>;
void for_each_line(const std::string& text, const EachLine& each);
bool is_lines(const Request& request);                                // ndjson
const std::string& name_in(const Json& json, const std::string& at);  // of a line of a batch: its learner
[[noreturn]] void refuse_many(const OutcomeLimits& limits, const std::string& path);
[[noreturn]] void refuse_empty();

// "g1.1042" or "1042"-less forms are refused: throws kUnknownDecision, or kOldGeneration for another generation.
std::uint64_t read_decision(const std::string& text, std::uint64_t generation, const std::string& path);

}  // namespace hannan::detail::service
