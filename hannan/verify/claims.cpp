#include "hannan/verify/claims.hpp"

#include <utility>

#include "hannan/io/json.hpp"

namespace hannan::detail {
namespace {

std::string found_expected(double found, double expected) {
  return "found " + number_text(found) + ", expected " + number_text(expected);
}

}  // namespace

std::string Claims::place() const { return name_ + ":" + std::to_string(line_); }

Error Claims::complaint(std::string_view field, const std::string& message) const {
  return Error(Code::kRejected, "field \"" + prefix_ + std::string(field) + "\": " + message, place());
}

void Claims::reject(std::string_view field, const std::string& message) const { throw complaint(field, message); }

void Claims::reject_number(std::string_view field, double found, double expected) const {
  reject(field, found_expected(found, expected));
}

void Claims::expect(std::string_view field, double found, double expected) const {
  if (!agree(found, expected, precision_)) reject_number(field, found, expected);
}

void Claims::expect_plain(std::string_view field, double found, double expected) const {
  if (!agree(found, expected)) reject_number(field, found, expected);
}

void Claims::expect_count(std::string_view field, std::int64_t found, std::uint64_t expected) const {
  if (std::cmp_not_equal(found, expected)) {
    reject(field, "found " + std::to_string(found) + ", expected " + std::to_string(expected));
  }
}

void Claims::suspect(std::string_view field, const std::string& message) {
  if (exact_) reject(field, message);
  ++suspicions_;
  if (!suspicion_) suspicion_ = complaint(field, message);
}

void Claims::expect_of_oracle(std::string_view field, double found, double expected) {
  if (!agree(found, expected, precision_)) suspect(field, found_expected(found, expected));
}

void Claims::settle() const {
  if (suspicion_) throw *suspicion_;
}

std::optional<std::size_t> place_of(const ListedActions& list, const Json& action, std::string_view field,
                                    const Claims& claims) {
  if (!list.listed()) return std::nullopt;
  const auto index = list.index(action);
  if (!index) claims.reject(field, "found " + dump(action) + ", which is no action of the problem");
  return index;
}

}  // namespace hannan::detail
