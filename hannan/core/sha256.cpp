// SHA-256 through OpenSSL's EVP interface (sha256.hpp). The context is owned by the object; hex() finishes a copy of
// it, so that more bytes may follow. A failure of OpenSSL is kInternal: it is never taken for another digest.
#include "hannan/core/sha256.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <array>

#include "hannan/core/error.hpp"

namespace hannan::detail {
namespace {

// OpenSSL's functions return 1. They fail where memory ends, or where its configuration on this machine lacks SHA-256.
void check(int returned) {
  if (returned != 1) throw Error(Code::kInternal, "OpenSSL on this machine does not compute SHA-256");
}

}  // namespace

void Sha256::Release::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  check(context_ ? EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) : 0);
}

void Sha256::add(std::string_view bytes) { check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size())); }

// The end is taken of a copy: it closes the context.
std::string Sha256::hex() const {
  const Sha256 whole;
  check(EVP_MD_CTX_copy_ex(whole.context_.get(), context_.get()));
  std::array<unsigned char, 32> bytes{};
  check(EVP_DigestFinal_ex(whole.context_.get(), bytes.data(), nullptr));
  std::string out;
  for (const unsigned char byte : bytes) {
    out += "0123456789abcdef"[byte >> 4U];
    out += "0123456789abcdef"[byte & 15U];
  }
  return out;
}

std::string sha256(std::string_view text) {
  Sha256 sha;
  sha.add(text);
  return sha.hex();
}

bool same_digest(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace hannan::detail
