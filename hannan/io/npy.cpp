// Rows of .npy arrays (npy.hpp). Sizes come from the file and are trusted nowhere: memory grows with the bytes that
// arrive, and products are checked by division. Element (r, k) of an array in Fortran order is held_[k * rows + r].
#include "hannan/io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "hannan/core/error.hpp"
#include "hannan/core/widest_vectors.hpp"

namespace hannan::detail {
namespace {

constexpr std::size_t kDecodedAtOnce = std::size_t{1} << 16;  // elements decoded at a time
constexpr std::size_t kAhead = std::size_t{1} << 12;          // doubles read ahead: they stay in the first cache
constexpr std::size_t kMaxHeader = std::size_t{1} << 16;      // bytes; numpy itself writes 118

enum class Order { kOurs, kReversed };

template <class T, Order order>
// Through memcpy, since the bytes need not be aligned for the type.
double decode(const char* bytes) {
  char own[sizeof(T)];
  std::memcpy(own, bytes, sizeof(T));
  if constexpr (order == Order::kReversed) std::reverse(own, own + sizeof(T));
  T value{};
  std::memcpy(&value, own, sizeof(T));
  return static_cast<double>(value);
}

// + 0.0 makes a positive zero of a negative one. The order is known outside the loop, so that it becomes vectors.
template <class T, Order order>
void decode_in(const std::vector<char>& raw, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = decode<T, order>(raw.data() + i * sizeof(T)) + 0.0;
}

template <class T>
void decode_all(const std::vector<char>& raw, Order order, std::span<double> to) {
  order == Order::kOurs ? decode_in<T, Order::kOurs>(raw, to) : decode_in<T, Order::kReversed>(raw, to);
}

// Infinite or no number is what has all exponent bits set: without its sign, one more in the last of them carries into
// the sign. In whole numbers and collected, not searched, so that it becomes vectors on any machine.
std::uint64_t carry_if_strange(double value) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63, kLastExponentBit = std::uint64_t{1} << 52;
  return (std::bit_cast<std::uint64_t>(value) & ~kSign) + kLastExponentBit;
}
bool has_carry(std::uint64_t carries) { return (carries >> 63) != 0; }
HANNAN_WIDEST_VECTORS bool all_finite(std::span<const double> row) {
  std::uint64_t carries = 0;
  for (const double value : row) carries |= carry_if_strange(value);
  return !has_carry(carries);
}
// The same, making a positive zero of a negative one on the way.
HANNAN_WIDEST_VECTORS bool clean(std::span<double> numbers) {
  std::uint64_t carries = 0;
  for (double& value : numbers) {
    value += 0.0;
    carries |= carry_if_strange(value);
  }
  return !has_carry(carries);
}

// By the type of the header: six types in two byte orders.
void decode_elements(const NpyHeader& header, const std::vector<char>& raw, std::span<double> to) {
  const bool little = std::endian::native == std::endian::little;
  const bool ours = header.order == '|' || (header.order == '<') == little;
  const Order order = ours ? Order::kOurs : Order::kReversed;
  if (header.kind == 'f')
    return header.width == 8 ? decode_all<double>(raw, order, to) : decode_all<float>(raw, order, to);
  if (header.kind == 'i') {
    return header.width == 8 ? decode_all<std::int64_t>(raw, order, to) : decode_all<std::int32_t>(raw, order, to);
  }
  decode_all<std::uint8_t>(raw, order, to);
}

}  // namespace

// An array in C order is read row by row. One in Fortran order has its columns one behind another, so it is read whole.
NpyReader::NpyReader(std::unique_ptr<ByteSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)) {
  read_header();
  if (header_.rows == 0 || header_.columns == 0) {
    throw Error(Code::kEmpty, fmt::format("the array has {} rows and {} columns", header_.rows, header_.columns),
                name_);
  }
  // By division, so that no product can overflow.
  const std::uint64_t held = header_.fortran ? header_.rows : 1;
  // In Fortran order the whole array is held before the first row can be given, in C order one row.
  if (header_.columns > kMaxNpyHeld / held) {
    throw Error(Code::kTooLarge,
                fmt::format("an array of {} by {}{} is beyond the limit of {} elements at a time", header_.rows,
                            header_.columns, header_.fortran ? " in Fortran order" : "", kMaxNpyHeld),
                name_);
  }
  if (!header_.fortran) return;
  const std::uint64_t count = header_.rows * header_.columns;
  const std::uint64_t got = read_elements(held_, count);
  // Columns come first in the file, so a cut loses the end of every row.
  if (got < count) {
    throw Error(Code::kTruncated, fmt::format("the data end after {} of {} elements", got, count), name_);
  }
  check_end();
}

// As many bytes as asked for, fewer only at the end.
std::size_t NpyReader::read_some(char* to, std::size_t most) {
  std::size_t done = 0;
  while (done < most) {
    const std::size_t got = source_->read(to + done, most - done);
    if (got == 0) break;
    done += got;
  }
  return done;
}

// Magic and version, the length of the header, and the header itself.
void NpyReader::read_header() {
  const auto need = [&](std::size_t count, std::size_t offset) {
    std::string bytes(count, '\0');
    const std::size_t got = read_some(bytes.data(), count);
    if (got < count)
      throw Error(Code::kTruncated, "the header ends in the middle", fmt::format("{}:byte {}", name_, offset + got));
    return bytes;
  };
  const std::string start = need(kNpyMagic.size() + 2, 0);
  if (!start.starts_with(kNpyMagic)) {
    throw Error(Code::kMalformed, "found no .npy magic", name_ + ":byte 0");
  }
  const auto major = static_cast<unsigned char>(start[6]);
  const auto minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0) {
    throw Error(Code::kMalformed, fmt::format("found format {}.{}, expected 1.0, 2.0 or 3.0", major, minor),
                name_ + ":byte 6");
  }
  // Format 1 has a length of two bytes, later ones of four, both little-endian.
  const std::size_t digits = major == 1 ? 2 : 4;
  const std::string size_bytes = need(digits, 8);
  std::size_t size = 0;
  for (std::size_t i = digits; i-- > 0;) size = size * 256 + static_cast<unsigned char>(size_bytes[i]);
  if (size > kMaxHeader) {
    throw Error(Code::kMalformed, fmt::format("found a header of {} bytes, expected at most {}", size, kMaxHeader),
                name_ + ":byte 8");
  }
  const std::string text = need(size, 8 + digits);
  header_ = parse_npy_header({.text = text, .name = name_, .offset = 8 + digits});
}

// Appends up to `count` elements to `to`, which grows with what is read; returns how many came.
std::uint64_t NpyReader::read_elements(std::vector<double>& to, std::uint64_t count) {
  std::uint64_t done = 0;
  while (done < count) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(kDecodedAtOnce, count - done));
    raw_.resize(wanted * header_.width);
    const std::size_t got = read_some(raw_.data(), raw_.size()) / header_.width;
    const std::size_t before = to.size();
    to.resize(before + got);
    decode_elements(header_, raw_, std::span(to).subspan(before));
    done += got;
    if (got < wanted) break;
  }
  return done;
}

// Data behind the last element mean that the header does not belong to them.
void NpyReader::check_end() {
  char more = 0;
  if (read_some(&more, 1) != 0) throw Error(Code::kMalformed, "found bytes behind the last element", name_);
}

// Rows beyond a chunk grow with what is read.
std::uint64_t NpyReader::read_row(std::vector<double>& row) {
  const bool ours = (header_.order == '<') == (std::endian::native == std::endian::little);
  if (ours && header_.kind == 'f' && header_.width == sizeof(double) && header_.columns <= kAhead)
    return read_plain_row(row);
  row.clear();
  return read_elements(row, header_.columns);
}

// Doubles in our own order: many rows at a time, looked through while they are in the cache.
std::uint64_t NpyReader::read_plain_row(std::vector<double>& row) {
  const auto columns = static_cast<std::size_t>(header_.columns);
  if (taken_ == ahead_.size()) {
    // columns <= kAhead, so at least one row; row_ < rows, since next() returns false at the end.
    const std::uint64_t rows = std::min<std::uint64_t>(kAhead / columns, header_.rows - row_);
    ahead_.resize(static_cast<std::size_t>(rows) * columns);
    ahead_.resize(read_some(reinterpret_cast<char*>(ahead_.data()), ahead_.size() * sizeof(double)) / sizeof(double));
    ahead_finite_ = clean(ahead_);
    taken_ = 0;
  }
  const std::size_t size = std::min(columns, ahead_.size() - taken_);
  const auto from = ahead_.begin() + static_cast<std::ptrdiff_t>(taken_);
  row.assign(from, from + static_cast<std::ptrdiff_t>(size));
  taken_ += size;
  return size;
}

// A row is complete and finite, or an error says which element is not. With gaps allowed NaN passes.
bool NpyReader::next(std::vector<double>& row) {
  if (row_ == header_.rows) return false;
  if (header_.fortran) {
    row.clear();
    for (std::uint64_t k = 0; k < header_.columns; ++k) row.push_back(held_[k * header_.rows + row_]);
  } else {
    const std::uint64_t got = read_row(row);
    if (got < header_.columns) {
      throw Error(
          Code::kTruncated,
          fmt::format("row {} of {} ends after {} of {} elements", row_ + 1, header_.rows, got, header_.columns),
          fmt::format("{}:{}:{}", name_, row_ + 1, got + 1));
    }
  }
  ++row_;
  const bool finite = ahead_finite_ || all_finite(row);
  for (std::size_t k = 0; k < row.size() && !finite; ++k) {
    if (std::isfinite(row[k])) continue;
    if (gaps_ && std::isnan(row[k])) {
      row[k] = std::numeric_limits<double>::quiet_NaN();  // one NaN for all, whatever bits the file has
      continue;
    }
    const std::string_view found = std::isnan(row[k]) ? "NaN" : row[k] > 0 ? "inf" : "-inf";
    throw Error(Code::kNotANumber, fmt::format("found {}, expected a finite number", found), where(k));
  }
  if (row_ == header_.rows && !header_.fortran) check_end();
  return true;
}

std::string NpyReader::where(std::size_t column) const { return fmt::format("{}:{}:{}", name_, row_, column + 1); }

}  // namespace hannan::detail
