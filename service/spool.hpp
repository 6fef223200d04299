// A text that is made faster than it is sent: small ones stay in memory, larger ones go to a file without a name, which
// is gone with the process. Memory: at most kSpoolMemory bytes, whatever the length.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "service/http_message.hpp"

namespace hannan::detail::service {

class Spool {
 public:
  Spool() = default;
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  // Throws kNotReady where the file cannot be made or written; then the spool is of no more use.
  void add(std::string_view text);
  std::uint64_t size() const { return filed_ + text_.size(); }
  // At most `most` bytes from `from` on; empty at the end.
  std::string read(std::uint64_t from, std::size_t most) const;

 private:
  void file_text();

  std::string text_;         // behind what is in the file
  std::uint64_t filed_ = 0;  // bytes in the file
  int descriptor_ = -1;      // of the file; -1: none
};

// Its bytes as the body of a reply.
std::shared_ptr<BodyStream> spool_stream(std::shared_ptr<const Spool> spool);

}  // namespace hannan::detail::service
