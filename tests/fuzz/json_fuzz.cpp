// Any bytes either parse or give kNotJson with a place. What parses comes back equal from dump() and
// from pretty(), on one line from dump(); reading it as numbers and fields gives values or errors.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "drip.hpp"
#include "hannan/core/error.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

using fuzz::require;

void read_as_anything(const Json& value) {
  try {
    require(std::isfinite(to_number(value, "x")));
  } catch (const Error&) {
  }
  try {
    const std::int64_t n = to_integer(value, "x", {-5, 1000});
    require(n >= -5 && n <= 1000 && static_cast<double>(n) == to_number(value, "x"));
  } catch (const Error&) {
  }
  try {
    for (const auto& row : to_matrix(value, "x", kUnit)) {
      for (const double entry : row) require(entry >= 0 && entry <= 1);
    }
  } catch (const Error&) {
  }
  try {
    // The list must say what its items say one by one.
    const auto integers = to_integers(value, "x", {0, 9});
    for (std::size_t i = 0; i < integers.size(); ++i) require(integers[i] == to_integer(value[i], "x", {0, 9}));
  } catch (const Error&) {
  }
  try {
    Fields fields(value, "params");
    fields.number("a", kUnit, 0);
    fields.choice("b", {"one", "two"}, "one");
    fields.done();
    require(value.size() <= 2);
  } catch (const Error&) {
  }
  describe(value);
}

void check(std::string_view text) {
  Json value;
  try {
    value = parse_json(text);
  } catch (const Error& error) {
    require(error.code() == Code::kNotJson && error.at().starts_with("line "));
    require(!error.message().empty());
    parse_json(dump(Json(error.message())));  // a message can always be sent as an answer
    return;
  }
  const std::string line = dump(value);
  require(line.find('\n') == std::string::npos);
  require(parse_json(line) == value);
  require(parse_json(pretty(value)) == value);
  read_as_anything(value);
}

}  // namespace
}  // namespace hannan::detail

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  hannan::detail::check(text);
  hannan::detail::parse_json(hannan::detail::dump(hannan::detail::Json(text)));  // any bytes can be dumped as a string
  return 0;
}
