// The one writer of every file that the program writes.
//
// A file that is written whole (a state, a page, a table) is written beside its place as NAME.new and renamed when it
// is complete and on disk, so that at any moment the name holds the old file or the new one. Its mode is kept, its
// owner where that is allowed, and a symbolic link stays one: the file it leads to is replaced. What is not a regular
// file (a named pipe, a device, /dev/stdout) is written in place. "-" is standard output.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace hannan::detail::cli {

// Do two paths name one file, existing or not? "-" and nothing are none.
bool same_file(const std::string& a, const std::string& b);
// Is there a regular file here, or nothing yet?
bool regular_or_none(const std::string& path);

// An output, by its flag, and where it goes.
struct OutputTarget {
  const char* flag;
  std::string_view path;
};
// Is one of the outputs "-", so that nothing else may be printed? Two are kUsage.
bool takes_standard_output(std::initializer_list<OutputTarget> outputs);

// A file that grows, written in place: decisions and records. Every call throws kCannotWrite; after a failure nothing
// more is written, not by the destructor either.
class OutputFile {
 public:
  // Opens what is there and changes nothing of it; cut() says where writing starts.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  bool regular() const { return regular_; }
  // A regular file ends after so many bytes, and writing goes on there; other targets have no length.
  void cut(std::uint64_t bytes);
  void write(std::string_view text);
  void sync();  // all of it is on disk, where it is a regular file, or has been passed on
  void close();

 private:
  void pass_on();
  [[noreturn]] void fail(int reason);

  std::string path_;
  int descriptor_ = -1;
  bool regular_ = false;
  bool failed_ = false;
  std::string held_;  // not yet passed on
};

// A file that is written whole. Without commit() nothing has changed and no file is left beside it.
class WholeFile {
 public:
  explicit WholeFile(const std::string& path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  bool regular() const { return !beside_.empty(); }
  void write(std::string_view text) { file_write(text); }
  // Writes over the first bytes; of regular files only.
  void rewrite_start(std::string_view text);
  void commit();

 private:
  void open_beside();
  void keep_mode(const std::string& target);
  void file_write(std::string_view text);
  void pass_on();
  void drop();
  [[noreturn]] void fail(int reason);

  std::string path_;
  std::string target_;  // behind symbolic links
  std::string beside_;  // empty: written in place
  int descriptor_ = -1;
  std::string held_;
};

void write_whole_file(const std::string& path, std::string_view text);

}  // namespace hannan::detail::cli
