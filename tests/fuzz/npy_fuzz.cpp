// Any bytes behind open_table(), gzip included; and any text as the header of an otherwise sound .npy
// file, so that mutations need not keep its length right. Rows are finite and as wide as claimed, and
// one byte at a time gives the same rows and the same error.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "drip.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/npy.hpp"
#include "hannan/io/table.hpp"

namespace hannan::detail {
namespace {

using fuzz::Drip;
using fuzz::require;

struct Content {
  std::vector<std::vector<double>> rows;
  std::string fault;
  bool operator==(const Content&) const = default;
};

Content content_of(std::unique_ptr<ByteSource> source) {
  Content result;
  try {
    const auto table = open_table(std::move(source), "f");
    std::vector<double> row;
    while (table->next(row)) {
      require(row.size() == table->columns() && !row.empty());
      for (const double x : row) require(std::isfinite(x));
      require(table->where(0).starts_with("f:"));
      result.rows.push_back(row);
    }
  } catch (const Error& error) {
    require(error.at().starts_with("f"));
    result.fault = error.what();
  }
  return result;
}

void check(std::string_view bytes) {
  const Content content = content_of(bytes_of_memory(bytes));
  require(content_of(std::make_unique<Drip>(bytes)) == content);
}

// The input up to its first line end is the header, the rest the data.
std::string with_header(std::string_view input) {
  const std::size_t end = std::min({input.find('\n'), input.size(), std::size_t{65535}});
  std::string file(kNpyMagic);
  file += {'\1', '\0', static_cast<char>(end & 255U), static_cast<char>(end >> 8U)};
  file.append(input.substr(0, end));
  return file.append(input.substr(std::min(end + 1, input.size())));
}

}  // namespace
}  // namespace hannan::detail

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  hannan::detail::check(input);
  hannan::detail::check(hannan::detail::with_header(input));
  return 0;
}
