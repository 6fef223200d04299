// The digest of a data file in chunks, and outcomes of a record held against the rows of the file, one at a time.
#include "hannan/play/record_data.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <system_error>

#include "hannan/core/error.hpp"
#include "hannan/core/sha256.hpp"
#include "hannan/io/bytes.hpp"

namespace hannan::detail {
namespace {

struct Summed {
  std::string sha256;
  std::uint64_t bytes = 0;
};

// Of the first `most` bytes.
Summed digest_of_file(const std::string& path, std::uint64_t most) {
  const auto source = bytes_of_file(path);
  std::array<char, 1 << 16> buffer{};
  Sha256 sha;
  Summed found;
  while (found.bytes < most) {
    const auto wanted = std::min<std::uint64_t>(buffer.size(), most - found.bytes);
    const std::size_t read = source->read(buffer.data(), static_cast<std::size_t>(wanted));
    if (read == 0) break;
    sha.add({buffer.data(), read});
    found.bytes += read;
  }
  found.sha256 = sha.hex();
  return found;
}

// A header whose learner does not see everything.
bool sees_a_part(const Json& header) {
  const Json* learner = header.find("learner");
  const Json* params = learner && learner->is_object() ? learner->find("params") : nullptr;
  return params && params->is_object() && params->find("feedback");
}

}  // namespace

// Null for standard input and pipes: they cannot be read again, and a record then names no digest.
Json data_file_facts(const std::string& path) {
  std::error_code error;
  if (path.empty() || path == "-" || !std::filesystem::is_regular_file(path, error)) return {};
  const Summed found = digest_of_file(path, std::numeric_limits<std::uint64_t>::max());
  return Json::object(
      {{"file", std::filesystem::path(path).filename().string()}, {"sha256", found.sha256}, {"bytes", found.bytes}});
}

void HeldAgainstData::reject(const std::string& message) const {
  throw Error(Code::kRejected, message, record_ + ":" + std::to_string(lines_));
}

// Of as many bytes as the header names: a file that has grown since is still the file of the record.
void HeldAgainstData::check_digest(const Json& header) {
  const Json* data = header.find("data");
  digest_ = data && data->is_object();
  if (!*digest_) return;
  const auto bytes = data->find_number("bytes");
  const Json* sha256 = data->find("sha256");
  if (!bytes || !(*bytes >= 0 && *bytes < 0x1p53) || !sha256 || !sha256->is_string()) return;  // the verifier says so
  const Summed found = digest_of_file(data_, static_cast<std::uint64_t>(*bytes));
  if (found.sha256 == sha256->as_string()) return;
  reject("field \"data\": found " + sha256->as_string() + ", but " + data_ + " has the SHA-256 digest " + found.sha256 +
         (found.bytes < static_cast<std::uint64_t>(*bytes) ? " and fewer bytes" : "") +
         ": the record is of another file");
}

// Compared as text: both sides are written by the same dump(), so equal outcomes are equal bytes.
void HeldAgainstData::check_outcome(const Json& line) {
  if (line.find("observe") || line.find("decide"))
    throw Error(Code::kUnavailable, "found outcomes that came late, expected a record in the order of its data", "-d");
  const Json* found = line.find("outcome");
  if (!found || !opened_.source) return;
  ++rounds_;
  if (!opened_.source->next(outcome_))
    reject("field \"outcome\": found round " + std::to_string(rounds_) + ", but " + data_ + " has no such row");
  if (hindsight_) return check_part(line, *found);
  const std::string ours = dump(opened_.game->outcome_json(outcome_));
  if (const std::string theirs = dump(*found); theirs != ours)
    reject("field \"outcome\": found " + theirs + ", but the outcome in " + data_ + " is " + ours);
}

// What was seen of the row; what was not goes into hindsight alone.
void HeldAgainstData::check_part(const Json& line, const Json& found) {
  const Json* action = line.find("action");
  if (!action) return;  // the verifier says so
  const AnyAction played = opened_.game->parse_action(*action, "action");
  hindsight_->round(played, outcome_);
  if (const auto limit = line.find_number("limit"); limit && hindsight_->regret() > *limit + tie_window(*limit))
    ++broken_;
  Json ours = opened_.game->outcome_json(outcome_);
  if (const Json* seen = found.is_object() ? found.find("seen") : nullptr) {
    std::vector<std::int32_t> elements;
    opened_.game->action_row(played, elements);
    std::vector<double> losses(elements.size());
    opened_.game->element_losses(outcome_, elements, losses);
    ours = Json(losses);
    if (dump(*seen) == dump(ours)) return;
  } else if (found.is_null() || dump(found) == dump(ours)) {
    return;
  }
  reject("field \"outcome\": found " + dump(found) + ", but " + data_ + " has " + dump(ours));
}

// The first object is the header. A line that is no JSON is left to the verifier, which reads the same lines and
// refuses it with its own reason.
void HeldAgainstData::line(const std::string& text) {
  ++lines_;
  Json line;
  try {
    line = parse_json(text);
  } catch (const Error&) {
    return;
  }
  if (!line.is_object()) return;
  if (!digest_) {
    check_digest(line);
    if (open_) opened_ = open_(line);
    if (opened_.game && sees_a_part(line)) hindsight_.emplace(*opened_.game);
  } else {
    check_outcome(line);
  }
}

std::string HeldAgainstData::words() {
  std::string text = digest_.value_or(false) ? "the SHA-256 digest of " + data_ : "";
  if (hindsight_) {
    return "what was seen of " + std::to_string(rounds_) + " rounds against " + data_ +
           "; hindsight, from that file: loss " + number_text(hindsight_->total()) + ", best " +
           number_text(hindsight_->best().value) + ", regret " + number_text(hindsight_->regret()) +
           "; the limit of a line was broken " + std::to_string(broken_) + " times";
  }
  if (opened_.source)
    text += (text.empty() ? "" : ", and ") + std::string("the outcomes of all ") + std::to_string(rounds_) +
            " rounds against " + data_;
  return text + (digest_.value_or(false) ? "" : "; the record does not name the digest of its data");
}

}  // namespace hannan::detail
