#include "outputs.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/lines.hpp"

namespace hannan::cli {

OutputFile::OutputFile(const std::string& path, Mode mode)
    : path_(path), file_(std::fopen(path.c_str(), mode == Mode::kNew ? "wb" : "ab")) {
  if (!file_) throw Error(Code::kCannotWrite, std::strerror(errno), path);
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
    throw Error(Code::kCannotWrite, std::strerror(errno), path_);
  }
}

void OutputFile::close() {
  if (file_ && std::fclose(file_.release()) != 0) throw Error(Code::kCannotWrite, std::strerror(errno), path_);
}

void write_whole_file(const std::string& path, std::string_view text) {
  const std::string beside = path + ".new";
  OutputFile file(beside, OutputFile::Mode::kNew);
  file.write(text);
  file.close();
  std::error_code failed;
  std::filesystem::rename(beside, path, failed);
  if (!failed) return;
  std::error_code ignored;
  std::filesystem::remove(beside, ignored);
  throw Error(Code::kCannotWrite, failed.message(), path);
}

bool same_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty() || a == "-" || b == "-") return false;
  std::error_code failed;
  if (std::filesystem::equivalent(a, b, failed) && !failed) return true;
  return std::filesystem::weakly_canonical(a, failed) == std::filesystem::weakly_canonical(b, failed);
}

namespace {

// The mode in which a decisions file of a run that has played so many rounds is opened.
OutputFile::Mode decisions_mode(const std::string& path, std::uint64_t rounds_so_far) {
  if (rounds_so_far == 0 || !std::filesystem::exists(path)) return OutputFile::Mode::kNew;
  LineReader lines(bytes_of_file(path), path);
  std::string_view line;
  std::string last;
  const std::string_view before = path.ends_with(".jsonl") ? "{\"round\":" : "";
  while (lines.next(line))
    last = line.starts_with(before) ? line.substr(before.size(), line.find(',') - before.size()) : line;
  if (last != std::to_string(rounds_so_far)) {
    throw Error(Code::kBadState,
                "found that it ends at round " + last + ", expected " + std::to_string(rounds_so_far) +
                    ", where the saved run stopped",
                path);
  }
  return OutputFile::Mode::kAppend;
}

}  // namespace

DecisionsFile::DecisionsFile(const std::string& path, std::uint64_t rounds_so_far)
    : DecisionsFile(path, decisions_mode(path, rounds_so_far)) {}

DecisionsFile::DecisionsFile(const std::string& path, OutputFile::Mode mode)
    : lines_(path.ends_with(".jsonl")), file_(path, mode) {
  if (mode == OutputFile::Mode::kNew && !lines_) file_.write("round,action,loss,rate,regime\n");
}

void DecisionsFile::round(const PlayedRound& played) {
  const auto& rate = played.learner.adapts_multiplier() ? played.act.multiplier : played.act.eta;
  if (lines_) {
    Json line = Json::object({{"round", played.act.round}, {"action", played.action}, {"loss", played.observed.loss}});
    line.set("rate", rate ? Json(*rate) : Json()).set("regime", played.act.regime);
    file_.write(dump(line) + "\n");
    return;
  }
  std::string text = std::to_string(played.act.round) + ",";
  if (played.action.is_array()) {
    for (std::size_t i = 0; i < played.action.size(); ++i) text += (i ? " " : "") + dump(played.action[i]);
  } else {
    text += dump(played.action);
  }
  text += "," + number_text(played.observed.loss) + "," + (rate ? number_text(*rate) : "") + ",";
  text += std::string(played.act.regime) + "\n";
  file_.write(text);
}

RecordFile::RecordFile(const std::string& path, const AnyProblem& problem, const AnyLearner& learner)
    : file_(std::make_unique<OutputFile>(path, OutputFile::Mode::kNew)),
      writer_(std::make_unique<RecordWriter>([this](std::string_view text) { file_->write(text); })) {
  writer_->begin(problem, learner);
}

RecordFile::RecordFile(const std::string& path, std::uint64_t rounds_so_far)
    : writer_(std::make_unique<RecordWriter>([this](std::string_view text) { file_->write(text); })) {
  std::uint64_t kept = 0;  // bytes of the header and the rounds so far
  {
    LineReader lines(bytes_of_file(path), path);
    std::string_view line;
    for (std::uint64_t i = 0; i <= rounds_so_far; ++i) {
      if (!lines.next(line)) {
        throw Error(Code::kTruncated,
                    "found " + std::to_string(i) + " lines, expected a header and " + std::to_string(rounds_so_far) +
                        " rounds: this is not the record of the run to be resumed",
                    path);
      }
      writer_->seen(line);
      kept += line.size() + 1;
    }
  }
  std::error_code failed;
  std::filesystem::resize_file(path, kept, failed);
  if (failed) throw Error(Code::kCannotWrite, failed.message(), path);
  file_ = std::make_unique<OutputFile>(path, OutputFile::Mode::kAppend);
}

}  // namespace hannan::cli
