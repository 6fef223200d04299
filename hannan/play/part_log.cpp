#include "hannan/play/part_log.hpp"

#include <string_view>

#include "hannan/core/error.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/lines.hpp"

namespace hannan::detail {

std::uint64_t play_log(PartLearner& learner, const std::string& path) {
  LineReader lines(bytes_of_file(path), path);
  std::string_view line;
  std::uint64_t told = 0;
  while (lines.next(line)) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      const Json json = parse_json(line);
      Fields in(json, "");
      learner.act();
      learner.observe(learner.read_seen(in));
    } catch (const Error& e) {
      throw Error(e.code(), e.message(), lines.where() + (e.at().empty() ? "" : ": " + e.at()));
    }
    ++told;
  }
  if (told == 0) throw Error(Code::kEmpty, "found no line, expected at least one", path);
  return told;
}

}  // namespace hannan::detail
