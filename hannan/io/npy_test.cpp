#include "hannan/io/npy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace npy_test {

using Numbers = std::vector<std::vector<double>>;

template <class T>
std::string bytes(std::initializer_list<T> values) {
  std::string result;
  for (const T value : values) result.append(reinterpret_cast<const char*>(&value), sizeof value);
  return result;
}

// Version 1.0, written for a little-endian machine like numpy does on one.
std::string file(const std::string& dictionary, const std::string& data, char version = 1) {
  std::string text = std::string(kNpyMagic) + version + '\0';
  text += static_cast<char>(dictionary.size() & 255U);
  text += static_cast<char>(dictionary.size() >> 8U);
  if (version > 1) text += std::string(2, '\0');
  return text + dictionary + data;
}

std::string header(const std::string& type, const std::string& order, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }     \n";
}

Numbers rows_of(const std::string& content) {
  const auto table = open_table(bytes_of_memory(content), "f");
  Numbers rows;
  std::vector<double> row;
  while (table->next(row)) rows.push_back(row);
  return rows;
}

std::string fault(const std::string& content) {
  try {
    rows_of(content);
  } catch (const Error& error) {
    return code_name(error.code()) + " " + error.at();
  }
  return "no error";
}

std::string complaint(const std::string& content) {
  try {
    rows_of(content);
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

const std::string kSix = bytes<double>({1, 2, 3, 4, 5, 6});

TEST(Npy, ReadsRowsInCOrderOfEveryVersion) {
  const Numbers expected{{1, 2, 3}, {4, 5, 6}};
  for (const char version : {char{1}, char{2}, char{3}}) {
    EXPECT_EQ(rows_of(file(header("<f8", "False", "(2, 3)"), kSix, version)), expected);
  }
}

TEST(Npy, ReadsFortranOrder) {
  EXPECT_EQ(rows_of(file(header("<f8", "True", "(2, 3)"), kSix)), (Numbers{{1, 3, 5}, {2, 4, 6}}));
}

TEST(Npy, ReadsOneDimensionAsOneColumn) {
  EXPECT_EQ(rows_of(file(header("<f4", "False", "(2,)"), bytes<float>({0.5F, 1.5F}))), (Numbers{{0.5}, {1.5}}));
}

TEST(Npy, ReadsTheOtherTypes) {
  std::string reversed = bytes<double>({0.25});
  std::ranges::reverse(reversed);
  EXPECT_EQ(rows_of(file(header(">f8", "False", "(1,)"), reversed)), (Numbers{{0.25}}));
  EXPECT_EQ(rows_of(file(header("|u1", "False", "(1, 2)"), bytes<unsigned char>({200, 1}))), (Numbers{{200, 1}}));
  EXPECT_EQ(rows_of(file(header("|b1", "False", "(1, 2)"), bytes<unsigned char>({0, 1}))), (Numbers{{0, 1}}));
  EXPECT_EQ(rows_of(file(header("<i4", "False", "(1, 1)"), bytes<std::int32_t>({-7}))), (Numbers{{-7}}));
  EXPECT_EQ(rows_of(file(header("<i8", "False", "(1, 1)"), bytes<std::int64_t>({-7}))), (Numbers{{-7}}));
}

TEST(Npy, SaysWhichRowIsCutShort) {
  const std::string whole = file(header("<f8", "False", "(2, 3)"), kSix);
  EXPECT_EQ(fault(whole.substr(0, whole.size() - 1)), "H207 f:2:3");
  EXPECT_EQ(complaint(whole.substr(0, whole.size() - 1)), "row 2 of 2 ends after 2 of 3 elements");
  const std::string fortran = file(header("<f8", "True", "(2, 3)"), kSix);
  EXPECT_EQ(complaint(fortran.substr(0, fortran.size() - 8)), "the data end after 5 of 6 elements");
  // From the magic on, every cut is noticed.
  for (std::size_t size = kNpyMagic.size(); size < whole.size(); ++size) {
    EXPECT_EQ(fault(whole.substr(0, size)).substr(0, 4), "H207") << size;
  }
  EXPECT_EQ(fault(whole + "x"), "H202 f");
}

TEST(Npy, RefusesNonFiniteNumbers) {
  const std::string data = bytes<double>({1, 2, 3, std::nan("")});
  EXPECT_EQ(fault(file(header("<f8", "False", "(2, 2)"), data)), "H204 f:2:2");
  EXPECT_EQ(fault(file(header("<f8", "True", "(2, 2)"), data)), "H204 f:2:2");
  const std::string infinite = bytes<double>({-std::numeric_limits<double>::infinity()});
  EXPECT_EQ(complaint(file(header("<f8", "False", "(1,)"), infinite)), "found -inf, expected a finite number");
}

TEST(Npy, RefusesAbsurdShapesBeforeAllocating) {
  EXPECT_EQ(fault(file(header("<f8", "False", "(1, 1000000000000)"), "")), "H208 f");
  EXPECT_EQ(fault(file(header("<f8", "True", "(4294967296, 4294967296)"), "")), "H208 f");  // 2^64 elements
  EXPECT_EQ(fault(file(header("<f8", "True", "(18446744073709551615, 2)"), "")), "H208 f");
  EXPECT_EQ(fault(file(header("<f8", "False", "(1, 99999999999999999999)"), "")).substr(0, 4), "H202");
  EXPECT_EQ(fault(file(header("<f8", "False", "(18446744073709551615, 2)"), kSix)), "H207 f:4:1");
  EXPECT_EQ(fault(file(header("<f8", "False", "(1, 100000000)"), kSix)), "H207 f:1:7");
  EXPECT_EQ(fault(file(header("<f8", "False", "(0, 3)"), "")), "H206 f");
  EXPECT_EQ(fault(file(header("<f8", "False", "(3, 0)"), "")), "H206 f");
}

TEST(Npy, RefusesHeadersItDoesNotUnderstand) {
  const char* bad[] = {
      "",
      "{",
      "{}",
      "{'descr': '<f8'}",
      "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }",
      "{'descr': '=f8', 'fortran_order': False, 'shape': (1,), }",
      "{'descr': '|f8', 'fortran_order': False, 'shape': (1,), }",
      "{'descr': '<u1', 'fortran_order': False, 'shape': (1,), }",
      "{'descr': '', 'fortran_order': False, 'shape': (1,), }",
      "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
      "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2, 3), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}",
      "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,), }",
      "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), } x",
      "{'descr': '<f8, 'fortran_order': False, 'shape': (1,), }",
      "{'descr: <f8}",
  };
  for (const char* text : bad) EXPECT_EQ(fault(file(text, bytes<double>({1}))).substr(0, 4), "H202") << text;
  EXPECT_EQ(fault(file("{'descr': '<c16'}", "")), "H202 f:byte 20");  // ten bytes before, ten within
}

TEST(Npy, RefusesOtherVersionsAndHugeHeaders) {
  EXPECT_EQ(fault(file(header("<f8", "False", "(2, 3)"), kSix, 4)), "H202 f:byte 6");
  EXPECT_EQ(fault(std::string(kNpyMagic) + "\x02" + std::string(1, '\0') + "\xFF\xFF\xFF\xFF"), "H202 f:byte 8");
}

TEST(OpenTable, ChoosesByContent) {
  EXPECT_EQ(rows_of("1,2\n"), (Numbers{{1, 2}}));
  // np.savez writes zip archives, which are neither.
  EXPECT_EQ(fault(std::string("PK\x03\x04\0\0", 6)), "H202 f:1:5");
}

TEST(OpenTable, NamesTheCellOfTheLastRow) {
  const std::string content = file(header("<f8", "False", "(2, 3)"), kSix);
  const auto table = open_table(bytes_of_memory(content), "f");
  EXPECT_EQ(table->columns(), 3U);
  EXPECT_TRUE(table->names().empty());
  std::vector<double> row;
  table->next(row);
  EXPECT_EQ(table->where(2), "f:1:3");
}

}  // namespace npy_test
}  // namespace hannan::detail
