// Where bytes come from: a file, an open stream, memory, and any of these through gzip.
//
// Whether a source is compressed is read from its first two bytes (1F 8B), never from its name.
// One layer is taken off; concatenated gzip members are one stream, as gzip itself has it.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace hannan::detail {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `most` > 0 bytes; fewer only means fewer, 0 means the end. Throws kCannotRead.
  virtual std::size_t read(char* to, std::size_t most) = 0;
};

// kCannotRead when the file cannot be opened.
std::unique_ptr<ByteSource> bytes_of_file(const std::string& path);
// The stream stays the caller's; `name` is for messages. A read waits until it has all it asked for or
// the stream ends.
std::unique_ptr<ByteSource> bytes_of_stream(std::FILE* stream, std::string name);
// The memory must outlive the source.
std::unique_ptr<ByteSource> bytes_of_memory(std::string_view memory);

// A source whose first bytes can be looked at before they are read.
class PeekedSource : public ByteSource {
 public:
  explicit PeekedSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  // The next `count` bytes, fewer only at the end. Valid until the next call.
  std::string_view peek(std::size_t count);
  std::size_t read(char* to, std::size_t most) override;

 private:
  std::unique_ptr<ByteSource> source_;
  std::string held_;
};

// The source itself, or what it holds when that is gzip: a stream cut short is kTruncated, a broken
// one kMalformed, both at `name`.
std::unique_ptr<PeekedSource> unzipped(std::unique_ptr<ByteSource> source, const std::string& name);

}  // namespace hannan::detail
