// NumPy's .npy files (format 1.0 to 3.0) as tables: rows T by columns K, a one-dimensional array
// being one column.
//
// Types: <f8 >f8 <f4 >f4, and as a convenience |u1 |b1 <i4 >i4 <i8 >i8; integers of 64 bits are
// rounded to the nearest double. Rows of a C-ordered array are read as they are asked for; an array
// in Fortran order has to be held whole. Memory follows the bytes that are there, never the shape
// that is claimed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hannan/io/bytes.hpp"
#include "hannan/io/table.hpp"

namespace hannan::detail {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// Largest number of elements in a row, and in an array in Fortran order: 1 GiB as doubles.
inline constexpr std::uint64_t kMaxNpyHeld = std::uint64_t{1} << 27;

struct NpyHeader {
  char order = '<';  // of the bytes: '<', '>' or '|'
  char kind = 'f';   // 'f', 'i', 'u' or 'b'
  std::size_t width = 8;
  bool fortran = false;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
};

// The text of the header, a Python dictionary with exactly the keys descr, fortran_order and shape.
// kMalformed with at = "name:byte N", where `offset` is the place of `text` in the file.
struct NpyHeaderText {
  std::string_view text;
  std::string_view name;
  std::size_t offset;
};
NpyHeader parse_npy_header(const NpyHeaderText& header);

class NpyReader : public Table {
 public:
  // `source` gives plain bytes (see unzipped()). Reads the header, and all of an array in Fortran
  // order; kMalformed, kTruncated, kEmpty (no elements) or kTooLarge.
  NpyReader(std::unique_ptr<ByteSource> source, std::string name);

  // Throws kTruncated where rows are missing, kNotANumber for NaN and infinities, and after the last
  // row kMalformed when more bytes follow.
  bool next(std::vector<double>& row) override;
  std::size_t columns() const override { return static_cast<std::size_t>(header_.columns); }
  const std::vector<std::string>& names() const override { return names_; }
  std::string where(std::size_t column) const override;
  void allow_gaps() override { gaps_ = true; }
  std::uint64_t rows() const { return header_.rows; }

 private:
  std::size_t read_some(char* to, std::size_t most);
  void read_header();
  std::uint64_t read_elements(std::vector<double>& to, std::uint64_t count);
  std::uint64_t read_row(std::vector<double>& row);
  std::uint64_t read_plain_row(std::vector<double>& row);
  void check_end();

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  NpyHeader header_;
  std::uint64_t row_ = 0;      // rows handed out
  std::vector<double> held_;   // the array in Fortran order
  std::vector<char> raw_;      // bytes on their way to becoming numbers
  std::vector<double> ahead_;  // whole rows of doubles read in one go, of which the first taken_ numbers are handed out
  std::size_t taken_ = 0;
  bool ahead_finite_ = false;
  bool gaps_ = false;  // a NaN is a cell without a value
  std::vector<std::string> names_;
};

}  // namespace hannan::detail
