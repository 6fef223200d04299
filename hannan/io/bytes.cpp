// Sources of bytes and gzip. Invariant of GzipSource: input ends only between members, anything else is kTruncated; a
// fault is reported after all good bytes before it were handed out, however large the reads are.
#include "hannan/io/bytes.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/io/gzip.hpp"

namespace hannan::detail {
namespace {

[[noreturn]] void cannot_read(const std::string& name, int reason) {
  throw Error(Code::kCannotRead, "cannot be read: " + std::generic_category().message(reason), name);
}

// Standard input, or a file through FileSource; does not own the stream.
class StreamSource : public ByteSource {
 public:
  StreamSource(std::FILE* stream, std::string name) : stream_(stream), name_(std::move(name)) {}

  std::size_t read(char* to, std::size_t most) override {
    errno = 0;
    const std::size_t count = std::fread(to, 1, most, stream_);
    if (count == 0 && std::ferror(stream_) != 0) cannot_read(name_, errno);
    return count;
  }

 private:
  std::FILE* stream_;
  std::string name_;
};

struct Close {
  void operator()(std::FILE* stream) const { std::fclose(stream); }
};

// Without a buffer: readers ask for tens of thousands of bytes at a time, which then come straight from the system.
class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : file_(std::fopen(path.c_str(), "rb")), source_(file_.get(), path) {
    if (file_ == nullptr) cannot_read(path, errno);
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  }
  std::size_t read(char* to, std::size_t most) override { return source_.read(to, most); }

 private:
  std::unique_ptr<std::FILE, Close> file_;
  StreamSource source_;
};

// Bytes of the caller, who keeps them alive.
class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view memory) : rest_(memory) {}

  std::size_t read(char* to, std::size_t most) override {
    const std::size_t count = std::min(most, rest_.size());
    std::copy_n(rest_.data(), count, to);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

// Inflates as it is read, 64 KiB of input at a time. A file may have several members one behind another, as appending
// to a gzip file makes them.
class GzipSource : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), input_(kInput) {
    // 15 is the largest window, 16 asks for the gzip frame and no other.
    if (inflateInit2(&state_, 15 + 16) != Z_OK) throw Error(Code::kInternal, "zlib does not start", name_);
  }
  ~GzipSource() override { inflateEnd(&state_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(char* to, std::size_t most) override {
    if (broken_) fail();
    const std::size_t space = std::min(most, kOutput);
    state_.next_out = reinterpret_cast<Bytef*>(to);
    state_.avail_out = static_cast<uInt>(space);
    // Runs until at least one byte came out, the input ended, or a fault was met.
    while (state_.avail_out == space) {
      const bool ended = state_.avail_in == 0 && !refill();
      if (between_members_) {
        if (ended) return 0;  // only here may the input end
        inflateReset(&state_);
        between_members_ = false;
      }
      // Even without input: zlib may hold output that did not fit before.
      const int status = inflate(&state_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        between_members_ = true;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        // A fault behind good bytes waits for the next call: what is read before a fault must not
        // depend on how much was asked for.
        broken_ = true;
        if (state_.avail_out == space) fail();
        break;
      } else if (ended && state_.avail_out == space) {
        throw Error(Code::kTruncated, "the gzip data end in the middle", name_);
      }
    }
    return space - state_.avail_out;
  }

 private:
  static constexpr std::size_t kInput = std::size_t{1} << 16;
  static constexpr std::size_t kOutput = std::size_t{1} << 30;  // fits zlib's counter

  [[noreturn]] void fail() const {
    const char* reason = state_.msg == nullptr ? "no reason given" : state_.msg;
    throw Error(Code::kMalformed, fmt::format("broken gzip data: {}", reason), name_);
  }

  // False at the end of the packed bytes.
  bool refill() {
    const std::size_t count = packed_->read(input_.data(), input_.size());
    state_.next_in = reinterpret_cast<Bytef*>(input_.data());
    state_.avail_in = static_cast<uInt>(count);
    return count > 0;
  }

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::vector<char> input_;
  z_stream state_{};
  bool between_members_ = false;
  bool broken_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> bytes_of_file(const std::string& path) { return std::make_unique<FileSource>(path); }

std::unique_ptr<ByteSource> bytes_of_stream(std::FILE* stream, std::string name) {
  return std::make_unique<StreamSource>(stream, std::move(name));
}

std::unique_ptr<ByteSource> bytes_of_memory(std::string_view memory) { return std::make_unique<MemorySource>(memory); }

// Reads on until so many bytes are held or the input ends; what was peeked is read again later. Waits for a slow pipe
// only as long as fewer bytes are there.
std::string_view PeekedSource::peek(std::size_t count) {
  while (held_.size() < count) {
    const std::size_t before = held_.size();
    held_.resize(count);
    const std::size_t got = source_->read(held_.data() + before, count - before);
    held_.resize(before + got);
    if (got == 0) break;
  }
  return std::string_view(held_).substr(0, count);
}

std::size_t PeekedSource::read(char* to, std::size_t most) {
  assert(most > 0);
  if (held_.empty()) return source_->read(to, most);
  const std::size_t count = std::min(most, held_.size());
  std::copy_n(held_.data(), count, to);
  held_.erase(0, count);
  return count;
}

namespace {

// Parquet begins with these letters and goes on with binary data, which no text does.
void refuse_parquet(PeekedSource& source, const std::string& name) {
  if (source.peek(2) != "PA") return;  // what is read from a pipe is not waited for without need
  // "PAR1" and a byte below 0x20 that no text has there: a table whose first column is called PAR1 is not refused.
  const std::string_view start = source.peek(5);
  if (!start.starts_with("PAR1") || start.size() < 5 || static_cast<unsigned char>(start[4]) >= 0x20 ||
      start[4] == '\n' || start[4] == '\r' || start[4] == '\t')
    return;
  std::string stem = name.ends_with(".parquet") ? name.substr(0, name.size() - 8) : name;
  throw Error(Code::kMalformed,
              "found a Parquet file, expected text; two lines of Python convert it: import pandas; "
              "pandas.read_parquet(\"" +
                  name + "\").to_csv(\"" + stem + ".csv\", index=False)",
              name);
}

}  // namespace

// By the first two bytes and not by the name: logs are renamed. A file in several gzip members reads as one.
std::unique_ptr<PeekedSource> unzipped(std::unique_ptr<ByteSource> source, const std::string& name) {
  auto plain = std::make_unique<PeekedSource>(std::move(source));
  if (plain->peek(2) == "\x1F\x8B")
    return std::make_unique<PeekedSource>(std::make_unique<GzipSource>(std::move(plain), name));
  refuse_parquet(*plain, name);
  return plain;
}

// zlib counts what is left of input and output in 32 bits, so that both are handed over in pieces.
std::string gzipped(const std::string& text, std::size_t piece) {
  assert(piece > 0 && piece <= kMostGzipPiece);
  z_stream stream = {};
  constexpr int kWindow = 15 + 16;  // the largest one, with the header of gzip
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  // deflateBound is an upper limit of one call; more is asked for only where the count of it has 32 bits.
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  std::string in = text;  // zlib's input is not const
  // What zlib has taken and given so far; its own totals may have 32 bits.
  std::size_t taken = 0, given = 0;
  int result = Z_OK;
  while (result == Z_OK) {
    if (given == out.size()) out.resize(2 * out.size());
    const std::size_t input = std::min(piece, in.size() - taken), output = std::min(piece, out.size() - given);
    stream.next_in = reinterpret_cast<Bytef*>(in.data() + taken);
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + given);
    stream.avail_out = static_cast<uInt>(output);
    result = deflate(&stream, taken + input == in.size() ? Z_FINISH : Z_NO_FLUSH);
    taken += input - stream.avail_in;
    given += output - stream.avail_out;
  }
  out.resize(given);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::bad_alloc();
  return out;
}

// Of the header Accept-Encoding; "gzip;q=0" refuses it.
bool accepts_gzip(const std::string& accept_encoding) {
  for (std::size_t at = 0; at < accept_encoding.size();) {
    const std::size_t end = std::min(accept_encoding.find(',', at), accept_encoding.size());
    std::string one = accept_encoding.substr(at, end - at);
    std::erase(one, ' ');
    if (one == "gzip" || (one.starts_with("gzip;q=") && one.find_first_of("123456789") != std::string::npos))
      return true;
    at = end + 1;
  }
  return false;
}

}  // namespace hannan::detail
