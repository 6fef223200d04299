// A record line by line: its header, its lines through the driver (driver.hpp), its end and the digest over all bytes;
// and records in parts, each of which goes on where the rows before it end. Lines are read once, but for rows of a part
// beyond those that the next one goes on from: the parts up to there are verified once more.
#include "hannan/verify/verifier.hpp"

#include <cassert>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "hannan/core/digest.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/verify/driver.hpp"

namespace hannan::detail {
namespace {

constexpr std::uint64_t kAllRows = std::numeric_limits<std::uint64_t>::max();

// Faults of a line's form get the place of the line; what was rejected has it already.
Error placed(const Error& e, const Claims& claims) {
  if (claims.placed(e) || e.code() == Code::kInternal) return e;
  if (e.code() == Code::kTruncated) return e;
  // A record of a version that is not read any more, a learner without a rule to check it by, or a problem whose rules
  // are not in this process.
  if (e.code() == Code::kUnavailable && (e.at() == "program" || e.at() == "learner.kind" || e.at() == "kind"))
    return Error(e.code(), e.message(), claims.place());
  // Code of the user's own that fails says nothing about the record.
  if (e.code() == Code::kOracleEnded || e.code() == Code::kOracleAnswer)
    return Error(e.code(), e.message(), claims.place());
  const bool form = e.code() == Code::kMissingField || e.code() == Code::kUnknownField || e.code() == Code::kWrongType;
  const Code code = e.code() == Code::kNotJson             ? Code::kNotJson
                    : form || e.code() == Code::kMalformed ? Code::kMalformed
                                                           : Code::kRejected;
  return Error(code, e.at().empty() ? e.message() : e.at() + ": " + e.message(), claims.place());
}

// The digest is over the text of `end`: nothing else of the line may differ from what the program writes.
void check_last(const RecordLines& at, const Digest& before, const Claims& claims) {
  Fields last(at.json(), "");
  Digest digest = before;
  digest.add(dump(last.need("end")));
  const std::string found = last.word("digest");
  if (found != digest.hex())
    claims.reject("digest", "found " + found + ", expected " + digest.hex() + ": the record was changed");
  last.done();
  if (at.text() != dump(at.json()))
    claims.reject("end", "found other spaces or digits than the program writes: the record was changed");
}

}  // namespace

class RecordVerifier::State {
 public:
  State(const std::string& name, const VerifyLimits& limits) : claims_(name), limits_(limits) {}

  // The next file, which goes on where the rows that were looked at end. Of its rows those are looked at that are among
  // the first `most` of all parts: the part after it begins there.
  void begin_part(const std::string& name, std::uint64_t most) {
    claims_.begin(name);
    digest_ = {};
    headed_ = false;
    most_ = most;
    passed_ = 0;
  }

  void line(const RecordLines& at) {
    claims_.next_line();
    try {
      if (!headed_) {
        headed_ = true;
        header(at.json());
      } else if (const Json* end = at.json().find("end")) {
        if (!at.last()) {
          claims_.next_line();
          throw Error(Code::kMalformed, "found a line after the end of the record", claims_.place());
        }
        if (passed_ == 0) result_ = run_->end(*end);
        check_last(at, digest_, claims_);
        end_part();
        return;
      } else if (rows_ < most_) {
        run_->line(at.json());
        ++rows_;
      } else {
        ++passed_;
      }
    } catch (const Error& e) {
      throw placed(e, claims_);
    }
    digest_.add(at.text());
    digest_.add("\n");
    if (at.last())
      throw Error(Code::kTruncated, "found no end, expected a last line {\"end\":...,\"digest\":...}", claims_.place());
  }

  std::uint64_t passed() const { return passed_; }
  const Verification& result() const {
    assert(result_);
    return *result_;
  }

 private:
  void header(const Json& line) {
    if (run_) return continue_with(line);
    RecordedSetting setting = read_header(line);
    if (setting.from > 0) {
      claims_.reject("from", "found " + std::to_string(setting.from) +
                                 ", so that this record goes on from rows that are not in it, expected the earlier "
                                 "part before it: hannan verify EARLIER LATER");
    }
    first_ = line;
    data_ = setting.data;
    run_ = std::make_unique<Driver>(std::move(setting), claims_, limits_);
  }

  // The same problem and learner; the program may be a later one.
  void continue_with(const Json& line) {
    const RecordedSetting setting = read_header(line);
    for (const char* name : {"problem", "learner"}) {
      if (!(line.at(name) == first_.at(name)))
        claims_.reject(name, std::string("found another ") + name + " than in the part before, expected the same");
    }
    if (rows_ == 0)
      claims_.reject("t",
                     "found a record that begins at its first round, expected one that goes on from the part before");
    if (setting.from == 0) return;
    claims_.expect_count("from", static_cast<std::int64_t>(setting.from), rows_);
    run_->begin_log();
  }

  void end_part() {
    if (!result_) return;
    result_->checked.push_back("the digest");
    result_->data = data_;
  }

  Claims claims_;
  VerifyLimits limits_;
  Digest digest_;
  bool headed_ = false;
  Json first_;        // the header of the first part
  std::string data_;  // that it names
  std::uint64_t rows_ = 0, most_ = kAllRows;
  std::uint64_t passed_ = 0;  // rows of this part that belong to no round of the whole
  std::unique_ptr<Driver> run_;
  std::optional<Verification> result_;
};

RecordVerifier::RecordVerifier(const std::string& name, const VerifyLimits& limits)
    : state_(std::make_unique<State>(name, limits)) {}
RecordVerifier::~RecordVerifier() = default;
void RecordVerifier::line(const RecordLines& at) { state_->line(at); }
void RecordVerifier::begin_part(const std::string& name, std::uint64_t most) { state_->begin_part(name, most); }
std::uint64_t RecordVerifier::passed_rows() const { return state_->passed(); }
const Verification& RecordVerifier::result() const { return state_->result(); }

Verification verify_record(const LineSource& lines, const std::string& name, const VerifyLimits& limits) {
  RecordLines record(lines, name);
  RecordVerifier verifier(name, limits);
  while (record.next()) verifier.line(record);
  return verifier.result();
}

namespace {

// How many rows there are before this part: its header says so, or its first row. What is said wrongly is found when
// the part is read.
std::uint64_t rows_before(const RecordPart& part) {
  RecordLines lines(part.open(), part.name);
  lines.next();
  if (const auto from = lines.json().find_number("from"); from && *from >= 1) return static_cast<std::uint64_t>(*from);
  if (lines.last() || !lines.next()) return kAllRows;
  const auto first = lines.json().find_number("t");
  return first && *first >= 1 && *first < 0x1p53 ? static_cast<std::uint64_t>(*first) - 1 : kAllRows;
}

struct Joined {
  Verification found;
  std::vector<std::uint64_t> passed;  // rows at the end of each part that belong to no round of the whole
};

Joined verify_joined(std::span<const RecordPart> parts, const VerifyLimits& limits) {
  RecordVerifier verifier(parts.front().name, limits);
  std::vector<std::uint64_t> passed;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    verifier.begin_part(parts[i].name, i + 1 < parts.size() ? rows_before(parts[i + 1]) : kAllRows);
    RecordLines record(parts[i].open(), parts[i].name);
    while (record.next()) verifier.line(record);
    passed.push_back(verifier.passed_rows());
  }
  return {verifier.result(), std::move(passed)};
}

}  // namespace

Verification verify_parts(const std::vector<RecordPart>& parts, const VerifyLimits& limits) {
  assert(!parts.empty());
  auto [found, passed] = verify_joined(parts, limits);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (passed[i] == 0) continue;
    const std::string rows = "the last " + std::to_string(passed[i]) + " rows of " + parts[i].name;
    const Verification other = verify_joined(std::span(parts).first(i + 1), limits).found;
    found.checked.push_back(rows + ", before which the next part goes on: as a record that ends with them");
    for (const auto& what : other.trusted) found.trusted.push_back("with " + rows + ": " + what);
    found.choices_on_trust = found.choices_on_trust || other.choices_on_trust;
  }
  return found;
}

}  // namespace hannan::detail
