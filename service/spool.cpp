// The file is made in the folder for temporary files (TMPDIR, else /tmp) and unlinked at once, so that no other process
// sees it and none is left behind.
#include "service/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "hannan/core/error.hpp"
#include "service/codes.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kSpoolMemory = std::size_t{1} << 20U;  // chosen: as much as a piece of a snapshot
constexpr std::size_t kSpoolChunk = std::size_t{256} << 10U;

[[noreturn]] void refuse_spool(const std::string& folder) {
  throw Error(kNotReady, "found no way to write a temporary file in " + folder + " (" + std::strerror(errno) +
                             "), expected one; see TMPDIR");
}

std::string temporary_folder() {
  std::error_code none;
  const auto folder = std::filesystem::temp_directory_path(none);
  return none ? "/tmp" : folder.string();
}

int nameless_file() {
  const std::string folder = temporary_folder();
  std::string path = folder + "/hannan-XXXXXX";
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) refuse_spool(folder);
  ::unlink(path.c_str());
  return descriptor;
}

class SpoolStream final : public BodyStream {
 public:
  explicit SpoolStream(std::shared_ptr<const Spool> spool) : spool_(std::move(spool)) {}
  Chunk next() override {
    Chunk chunk;
    chunk.text = spool_->read(at_, kSpoolChunk);
    at_ += chunk.text.size();
    chunk.done = at_ == spool_->size();
    return chunk;
  }

 private:
  std::shared_ptr<const Spool> spool_;
  std::uint64_t at_ = 0;
};

}  // namespace

Spool::~Spool() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Spool::add(std::string_view text) {
  text_ += text;
  if (text_.size() >= kSpoolMemory) file_text();
}

void Spool::file_text() {
  if (descriptor_ < 0) descriptor_ = nameless_file();
  for (std::size_t done = 0; done < text_.size();) {
    const ssize_t count = ::write(descriptor_, text_.data() + done, text_.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) refuse_spool(temporary_folder());
    done += static_cast<std::size_t>(count);
  }
  filed_ += text_.size();
  text_.clear();
}

std::string Spool::read(std::uint64_t from, std::size_t most) const {
  if (from >= filed_) return text_.substr(std::min<std::uint64_t>(from - filed_, text_.size()), most);
  std::string found(static_cast<std::size_t>(std::min<std::uint64_t>(most, filed_ - from)), '\0');
  ssize_t count = -1;
  do {
    count = ::pread(descriptor_, found.data(), found.size(), static_cast<off_t>(from));
  } while (count < 0 && errno == EINTR);
  if (count <= 0) throw Error(kNotReady, "found a temporary file that cannot be read back, expected one that can");
  found.resize(static_cast<std::size_t>(count));
  return found;
}

std::shared_ptr<BodyStream> spool_stream(std::shared_ptr<const Spool> spool) {
  return std::make_shared<SpoolStream>(std::move(spool));
}

}  // namespace hannan::detail::service
