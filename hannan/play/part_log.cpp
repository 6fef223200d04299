#include "hannan/play/part_log.hpp"

#include <string_view>

#include "hannan/core/error.hpp"
#include "hannan/io/bytes.hpp"
#include "hannan/io/lines.hpp"

namespace hannan::detail {
namespace {

class PartLog final : public Source {
 public:
  explicit PartLog(const std::string& path) : lines_(bytes_of_file(path), path), path_(path) {}

  bool next(AnyOutcome&) override {
    std::string_view line;
    do {
      if (!lines_.next(line)) {
        if (told_.is_null()) throw Error(Code::kEmpty, "found no line, expected at least one", path_);
        return false;
      }
    } while (line.find_first_not_of(" \t\r") == std::string_view::npos);
    try {
      told_ = parse_json(line);
    } catch (const Error& e) {
      throw Error(e.code(), e.message(), lines_.where() + (e.at().empty() ? "" : ": " + e.at()));
    }
    return true;
  }
  bool tells() const override { return true; }
  const Json& told() const override { return told_; }
  std::string place() const override { return lines_.where(); }
  // Runs over logs are not saved: a line may be of many rounds.
  bool skip() override { return false; }

 private:
  LineReader lines_;
  std::string path_;
  Json told_;
};

}  // namespace

std::unique_ptr<Source> part_log_source(const std::string& path) { return std::make_unique<PartLog>(path); }

}  // namespace hannan::detail
