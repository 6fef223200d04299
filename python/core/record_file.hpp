// A record written while a run is played: the bytes of `hannan run --record`.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "hannan/core/error.hpp"
#include "hannan/play/record_writer.hpp"

namespace hannan::detail::python {

class RecordFile {
 public:
  // Writes the header. Throws kUsage where the learner has played rounds already: a record has all of them.
  RecordFile(std::string path, const AnyProblem& problem, const AnyLearner& learner)
      : path_(std::move(path)), writer_([this](std::string_view text) { write(text); }) {
    if (learner.rounds() > 0)
      throw Error(Code::kUsage,
                  "found a learner that has played " + std::to_string(learner.rounds()) +
                      " rounds, expected a new one: a record begins with the first round",
                  "record");
    file_.reset(std::fopen(path_.c_str(), "wb"));
    if (!file_) fail();
    writer_.begin(problem, learner);
  }
  void round(const Round& round) { writer_.round(round); }
  // Where outcomes come late: two lines a round.
  void decided(const Round& round) { writer_.line(dump(decision_line(++lines_, round))); }
  void arrived(const Round& round) { writer_.line(dump(arrival_line(++lines_, round))); }
  void end(AnyLearner& learner) {
    writer_.end(learner);
    if (std::fclose(file_.release()) != 0) fail();
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail();
  }
  [[noreturn]] void fail() const { throw Error(Code::kCannotWrite, std::strerror(errno), path_); }

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  RecordWriter writer_;
  std::uint64_t lines_ = 0;
};

}  // namespace hannan::detail::python
