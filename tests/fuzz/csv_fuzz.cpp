// Any bytes read as rows of words, as a table, and as either of them one byte at a time: same rows,
// same error. Rows written back with every cell quoted read as the same rows.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "drip.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/number_table.hpp"

namespace hannan::detail {
namespace {

using fuzz::Drip;
using fuzz::require;

struct Words {
  std::vector<std::vector<std::string>> rows;
  std::string fault;  // empty when the text was read to its end
  bool operator==(const Words&) const = default;
};

constexpr CsvOptions kSmall{.max_line = 300};

Words words_of(std::unique_ptr<ByteSource> source, CsvOptions options) {
  Words result;
  try {
    CsvReader reader(std::move(source), "f", options);
    std::vector<std::string_view> cells;
    while (reader.next(cells)) {
      require(!cells.empty());
      result.rows.emplace_back(cells.begin(), cells.end());
      for (std::size_t k = 0; k <= cells.size(); ++k) require(reader.where(k).starts_with("f:"));
    }
  } catch (const Error& error) {
    result.fault = error.what();
  }
  return result;
}

void check_round_trip(const Words& words) {
  std::string text;
  for (const auto& row : words.rows) {
    const char* comma = "";
    for (const std::string& cell : row) {
      text.append(comma).append(1, '"');
      for (const char c : cell) text.append(c == '"' ? 2 : 1, c);
      text.append(1, '"');
      comma = ",";
    }
    text.append("\r\n");
  }
  const Words again = words_of(bytes_of_memory(text), {.separator = ','});
  require(again.fault.empty() && again.rows == words.rows);
}

void check_table(std::string_view text) {
  try {
    TableReader reader(bytes_of_memory(text), "f");
    std::vector<double> row;
    while (reader.next(row)) {
      require(row.size() == reader.columns() && !row.empty());
      require(reader.names().empty() || reader.names().size() == reader.columns());
      for (const double x : row) require(std::isfinite(x));
    }
  } catch (const Error& error) {
    require(error.at().starts_with("f"));
  }
}

void check(std::string_view text) {
  const Words words = words_of(bytes_of_memory(text), {});
  require(words_of(std::make_unique<Drip>(text), {}) == words);
  require(words_of(std::make_unique<Drip>(text), kSmall) == words_of(bytes_of_memory(text), kSmall));
  check_round_trip(words);
  check_table(text);
}

}  // namespace
}  // namespace hannan::detail

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hannan::detail::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
