// keep() reads a file from its beginning, round after round, and moves kept_ to the end of each line that belongs to
// the run: begin() then cuts the file there. Digest or sum of losses, what the state has, decides whether the rounds
// are those of this run. O(bytes), once a resumed run.
#include "outputs.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "hannan/contexts/context_values.hpp"
#include "hannan/core/error.hpp"
#include "hannan/core/long_sums.hpp"
#include "hannan/core/printable.hpp"
#include "hannan/io/lines.hpp"
#include "hannan/io/text_cell.hpp"
#include "hannan/play/record_data.hpp"
#include "hannan/runtime/round_json.hpp"

namespace hannan::detail::cli {
namespace {

using round_fields::seen_loss;
constexpr std::string_view kHeading = "round,action,loss,rate,regime";
constexpr std::string_view kMoneyHeading = ",money";
constexpr std::string_view kSegmentHeading = "round,segment,action,loss,rate,regime";

[[noreturn]] void another_run(const std::string& path, const std::string& found, const std::string& expected) {
  throw Error(Code::kBadState,
              "found " + found + ", expected " + expected + " as in the saved state; the file was not changed", path);
}

[[noreturn]] void too_short(const std::string& path, std::uint64_t found, std::uint64_t expected) {
  throw Error(Code::kTruncated,
              "found " + std::to_string(found) + " rounds, expected at least the " + std::to_string(expected) +
                  " of the saved state; the file was not changed",
              path);
}

// The lines of a file from its beginning, and the bytes up to there.
class Lines {
 public:
  explicit Lines(const std::string& path)
      : lines_(bytes_of_file(path), path, {.beyond = LineRules::Beyond::kStop, .end = LineRules::End::kLf}) {}
  // The next line, if it has an end.
  bool next() {
    if (!lines_.next(line_)) line_ = {};
    if (cut_short()) return false;
    end_ += line_.size() + 1;
    return true;
  }
  std::string_view text() const { return line_; }
  bool cut_short() const { return !lines_.ended_with_newline(); }  // the last line has no end
  std::uint64_t end() const { return end_; }                       // of the last line, in bytes

 private:
  LineReader lines_;
  std::string_view line_;
  std::uint64_t end_ = 0;
};

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<double> loss_in(std::string_view json) {
  try {
    return parse_json(json).find_number("loss");
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The numbers of a list with blanks between them; any other action as JSON.
std::string action_text(const Json& action) {
  if (!action.is_array()) return dump(action);
  std::string text;
  for (std::size_t i = 0; i < action.size(); ++i) text += (i ? " " : "") + dump(action[i]);
  return text;
}

// round,action,loss,rate,regime and so many more: an action may hold commas, the cells behind it do not.
// From the end: regime, rate and `more` cells stand behind the loss, and none of them has a comma.
std::optional<double> loss_in_row(std::string_view row, int more) {
  std::size_t end = row.size();
  for (int i = 0; i < 2 + more && end != std::string_view::npos; ++i)
    end = end == 0 ? row.npos : row.rfind(',', end - 1);
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  const std::size_t start = row.rfind(',', end - 1);
  return start == row.npos ? std::nullopt : number_in(row.substr(start + 1, end - start - 1));
}

// What tells a file of this run from one of another: its digest, or where the state has none, the sum of its losses.
// States of earlier versions summed without carries, hence the tolerance.
void check_rounds(const std::string& path, const EarlierRounds& earlier, const std::string& digest, double total) {
  if (earlier.digest ? *earlier.digest == digest
                     : std::abs(total - earlier.total) <= 1e-9 * std::max(1.0, std::abs(earlier.total)))
    return;
  another_run(path, "other rounds", "the " + std::to_string(earlier.rounds) + " rounds that were played");
}

bool nothing_there(const std::string& path) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  return failed || size == 0;
}

// A kill within the first line leaves a part of it. What it says of the data is not compared: no round was played, and
// the line is written again.
bool begins_header(std::string_view part, std::string_view header) {
  const std::string_view run = header.substr(0, header.rfind(",\"data\":"));
  return run.starts_with(part) || part.starts_with(run);
}

// A record that is missing is said so before an empty file is made.
std::string there(std::string path, const std::optional<EarlierRounds>& earlier) {
  if (earlier && earlier->rounds > 0 && !std::filesystem::exists(path)) bytes_of_file(path);
  return path;
}

}  // namespace

DecisionsFile::DecisionsFile(const std::string& path, Decides decides, const std::optional<EarlierRounds>& earlier,
                             std::optional<ActionMoney> money)
    : path_(path),
      heading_(decides == Decides::kForAll ? kHeading : kSegmentHeading),
      money_(std::move(money)),
      lines_(path.ends_with(".jsonl")),
      file_(path) {
  if (money_ && money_->what().empty()) money_.reset();
  if (money_) heading_ += kMoneyHeading;
  if (earlier && file_.regular() && !nothing_there(path)) keep(*earlier);
}

// A file of an earlier version may lack the column of money: then it goes on without.
void DecisionsFile::keep(const EarlierRounds& earlier) {
  Lines lines(path_);
  if (!lines_) {
    bool headed = lines.next() && lines.text() == heading_;
    if (!headed && money_ && !lines.cut_short() && std::string(lines.text()) + std::string(kMoneyHeading) == heading_) {
      money_.reset();
      heading_ = lines.text();
      headed = true;
    }
    // A kill within the first line leaves a part of it.
    if (lines.cut_short() && earlier.rounds == 0 && heading_.starts_with(lines.text())) return;
    if (!headed) another_run(path_, "no table of decisions", "those");
    digest_.add(heading_ + "\n");
    kept_ = lines.end();
  }
  const std::string_view before = lines_ ? "{\"round\":" : "";
  std::optional<std::uint64_t> last;
  CarriedSum total;
  while ((last ? *last : 0) < earlier.rounds) {
    if (!lines.next()) too_short(path_, last.value_or(0), earlier.rounds);
    const std::string_view text = lines.text();
    const std::string_view number = text.substr(std::min(before.size(), text.size()));
    const auto round = number_in(number.substr(0, number.find(',')));
    const auto loss = lines_ ? loss_in(text) : loss_in_row(text, money_ ? 1 : 0);
    // Where a resumed run has started the file anew, its first round is a later one; the digest covers that.
    const bool follows = last ? round == static_cast<double>(*last + 1) : round == 1.0 || earlier.digest;
    // Where the digest tells the file, a loss may be missing: it was not seen.
    if (!text.starts_with(before) || !round || !(loss || earlier.digest) || !follows || !(*round >= 1))
      another_run(path_, "a line that is not the decision of round " + std::to_string(last.value_or(0) + 1), "it");
    last = static_cast<std::uint64_t>(*round);
    total.add(loss.value_or(0));
    digest_.add(text);
    digest_.add("\n");
    kept_ = lines.end();
  }
  if (last && *last != earlier.rounds) too_short(path_, 0, earlier.rounds);
  check_rounds(path_, earlier, digest_.hex(), total.value());
}

void DecisionsFile::begin() {
  file_.cut(kept_);
  if (kept_ == 0 && !lines_) put(heading_ + "\n");
}

void DecisionsFile::put(const std::string& text) {
  digest_.add(text);
  file_.write(text);
}

namespace decision_line {

using namespace round_fields;
constexpr RoundField kFields[] = {kNumber, kAction,         kSeenLoss, named(kRate, "rate"),
                                  kRegime, known(kContext), kDepth,    kOrder};

}  // namespace decision_line

void DecisionsFile::round(const Round& round) {
  const Json action = round.action_json();
  if (lines_) {
    Json line = round_json(round, decision_line::kFields);
    if (money_) line.set("money", Json(money_->of(action)));
    return put(dump(line) + "\n");
  }
  std::string text = std::to_string(round.number) + ",";
  // A row is a line: line ends and other control characters are shown as printable() has them.
  if (round.segment) text += text_cell(printable(shown_segment(round.of->tree->path_of(*round.segment)))) + ",";
  text += csv_cell(action_text(action)) + "," + (seen_loss(round) ? number_text(*seen_loss(round)) : "") + "," +
          (round.rate() ? number_text(*round.rate()) : "") + ",";
  text += round.regime;
  if (money_) {
    const auto amounts = money_->of(action);
    for (std::size_t i = 0; i < amounts.size(); ++i) text += (i ? " " : ",") + number_text(amounts[i]);
  }
  put(text + "\n");
}

RecordFile::RecordFile(const std::string& path, Run run, const std::optional<EarlierRounds>& earlier)
    : path_(there(path, earlier)),
      run_(std::move(run)),
      file_(path),
      writer_([this](std::string_view text) { file_.write(text); }) {
  if (!earlier) return;
  if (!file_.regular())
    throw Error(Code::kUsage, "found no regular file, expected one: a resumed run goes on with the record", path);
  std::string header;
  RecordWriter([&](std::string_view text) { header += text; }).begin(run_.problem, run_.learner);
  keep(*earlier, header);
}

void RecordFile::keep(const EarlierRounds& earlier, const std::string& header) {
  Lines lines(path_);
  if (!lines.next()) {
    if (lines.cut_short() && earlier.rounds == 0 && begins_header(lines.text(), header)) return;
    if (nothing_there(path_)) too_short(path_, 0, earlier.rounds);
    another_run(path_, "no header of a record", "that of this run");
  }
  const auto part = [&](const Json& json, const char* name) {
    const Json* found = json.is_object() ? json.find(name) : nullptr;
    return found ? dump(*found) : std::string("nothing");
  };
  Json found;
  try {
    found = parse_json(lines.text());
  } catch (const Error&) {
    another_run(path_, "no header of a record", "that of this run");
  }
  const Json expected = parse_json(std::string_view(header).substr(0, header.size() - 1));
  if (part(found, "record") != part(expected, "record"))
    another_run(path_, "no header of a record", "that of this run");
  for (const char* name : {"problem", "learner"}) {
    if (part(found, name) == part(expected, name)) continue;
    another_run(path_, std::string("the record of another ") + name, part(expected, name));
  }
  writer_.seen(lines.text());
  kept_ = lines.end();
  CarriedSum total;
  for (std::uint64_t t = 1; t <= earlier.rounds; ++t) {
    if (!lines.next()) too_short(path_, t - 1, earlier.rounds);
    const std::string_view text = lines.text();
    if (text.starts_with("{\"end\":")) too_short(path_, t - 1, earlier.rounds);
    if (!text.starts_with("{\"t\":" + std::to_string(t) + ","))
      another_run(path_, "a line that is not round " + std::to_string(t), "it");
    if (!earlier.digest) total.add(loss_in(text).value_or(NAN));
    writer_.seen(text);
    kept_ = lines.end();
  }
  check_rounds(path_, earlier, writer_.digest(), total.value());
}

void RecordFile::begin() {
  file_.cut(kept_);
  if (kept_ == 0) writer_.begin(run_.problem, run_.learner, data_file_facts(run_.data));
}

}  // namespace hannan::detail::cli
