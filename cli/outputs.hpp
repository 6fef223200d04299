// The files a run writes: decisions, record, saved state. Each is written whole or says why not.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hannan/play/record_writer.hpp"

namespace hannan::cli {

class OutputFile {
 public:
  enum class Mode { kNew, kAppend };
  // Throws kCannotWrite.
  OutputFile(const std::string& path, Mode mode);
  void write(std::string_view text);
  void close();

 private:
  struct Closer {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

// Do two paths name one file, existing or not? "-" and nothing are none.
bool same_file(const std::string& a, const std::string& b);

// Writes beside the target first and renames, so that a crash leaves the old file.
void write_whole_file(const std::string& path, std::string_view text);

// round,action,loss,rate,regime: as CSV, or as JSON lines where the name ends in .jsonl.
class DecisionsFile {
 public:
  // After `rounds_so_far` rounds of an earlier run the file goes on where it ended, or starts anew where
  // there is none; one that ends elsewhere is refused.
  DecisionsFile(const std::string& path, std::uint64_t rounds_so_far);
  void round(const PlayedRound& played);
  void close() { file_.close(); }

 private:
  DecisionsFile(const std::string& path, OutputFile::Mode mode);

  bool lines_;  // of JSON
  OutputFile file_;
};

// A record from its beginning, or taken up again where an earlier run stopped: then its closing line
// is dropped and the rounds go on.
class RecordFile {
 public:
  RecordFile(const std::string& path, const AnyProblem& problem, const AnyLearner& learner);
  RecordFile(const std::string& path, std::uint64_t rounds_so_far);
  void round(const PlayedRound& played) { writer_->round(played); }
  void end(AnyLearner& learner) {
    writer_->end(learner);
    file_->close();
  }

 private:
  std::unique_ptr<OutputFile> file_;
  std::unique_ptr<RecordWriter> writer_;
};

}  // namespace hannan::cli
