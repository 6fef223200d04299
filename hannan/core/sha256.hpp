// SHA-256 (FIPS 180-4) by OpenSSL's libcrypto: the digest by which a record names the bytes of its data file and a file
// of tokens names its tokens. Unlike core/digest.hpp it cannot be met by other bytes on purpose.
//
// One pass; memory does not depend on the number of bytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace hannan::detail {

class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  // Of all bytes so far, 64 small hexadecimal digits; more may be added after it.
  std::string hex() const;

 private:
  struct Release {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Release> context_;
};

// Of one text.
std::string sha256(std::string_view text);

// Whether two digests are equal, in a time that does not depend on where they differ.
bool same_digest(std::string_view a, std::string_view b);

}  // namespace hannan::detail
