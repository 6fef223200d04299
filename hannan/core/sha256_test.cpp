// The examples of FIPS 180-4, and every way of cutting a text into parts.
#include "hannan/core/sha256.hpp"

#include <gtest/gtest.h>

namespace hannan::detail {
namespace sha256_test {

TEST(Sha256, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, IsTheSameHoweverTheBytesAreCut) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += static_cast<char>(i);
  const std::string whole = sha256(text);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Sha256 sha;
    sha.add(std::string_view(text).substr(0, cut));
    sha.hex();  // changes nothing
    sha.add(std::string_view(text).substr(cut));
    ASSERT_EQ(sha.hex(), whole) << cut;
  }
}

TEST(Sha256, ComparesDigestsWhole) {
  const std::string digest = sha256("abc");
  EXPECT_TRUE(same_digest(digest, sha256("abc")));
  for (std::size_t at = 0; at < digest.size(); ++at) {
    std::string other = digest;
    other[at] = other[at] == '0' ? '1' : '0';
    ASSERT_FALSE(same_digest(digest, other)) << at;
  }
  EXPECT_FALSE(same_digest(digest, digest.substr(1)));
}

}  // namespace sha256_test
}  // namespace hannan::detail
