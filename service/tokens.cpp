// Tokens of a file: a line has the SHA-256 of a token, its scopes and a pattern of learner names. The file is read when
// the service starts and when it is told to; a file that cannot be read leaves the old lines in force. Times do not
// tell which line matched: all are compared, each in constant time.
#include "service/tokens.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "hannan/core/error.hpp"
#include "hannan/core/sha256.hpp"
#include "hannan/core/small_letters.hpp"
#include "service/codes.hpp"

namespace hannan::detail::service {
namespace {

[[noreturn]] void malformed(const std::string& path, std::size_t line, const std::string& found) {
  throw Error(Code::kMalformed, "found " + found + ", expected: sha256 scopes pattern label",
              path + ":" + std::to_string(line));
}

bool is_hash(const std::string& text) {
  return text.size() == 64 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// The token of "Bearer TOKEN", whose first word is of any case; empty where there is none.
std::string_view bearer_of(std::string_view authorization) {
  constexpr std::string_view kBearer = "bearer ";
  if (small_letters(authorization.substr(0, kBearer.size())) != kBearer) return {};
  return authorization.substr(kBearer.size());
}

}  // namespace

Tokens::Tokens(std::string path) : path_(std::move(path)), required_(true), tokens_(parse_file(path_)) {}

Tokens::Tokens(const Lines& lines) : required_(true) {
  std::istringstream in(lines.text);
  tokens_ = parse(in, lines.from);
}

std::size_t Tokens::size() const {
  const std::lock_guard lock(mutex_);
  return tokens_.size();
}

// The file is parsed before the lock is taken: requests are checked against the old lines until the new ones are whole.
void Tokens::read_again() {
  if (path_.empty()) return;
  auto fresh = parse_file(path_);
  const std::lock_guard lock(mutex_);
  tokens_ = std::move(fresh);
}

// A name that is no file may be a token that was given in place of one: it is not shown.
std::vector<Tokens::Token> Tokens::parse_file(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw Error(Code::kCannotRead, "found no file of this name that can be read, expected a file of tokens",
                "--tokens");
  return parse(file, path);
}

// Empty lines and those that begin with # are comments. Words behind the third are a label for people. Words are not
// shown: a token may stand in the wrong place.
std::vector<Tokens::Token> Tokens::parse(std::istream& file, const std::string& path) {
  std::vector<Token> all;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line);
    Token token;
    std::string scopes;
    if (!(words >> token.hash) || token.hash[0] == '#') continue;
    if (!is_hash(token.hash)) malformed(path, number, "a first word that is no SHA-256 in lower case");
    if (!(words >> scopes >> token.pattern)) malformed(path, number, "fewer than three words");
    std::istringstream each(scopes);
    for (std::string scope; std::getline(each, scope, ',');) {
      if (scope == "read") {
        token.read = true;
      } else if (scope == "observe") {
        token.observe = true;
      } else if (scope == "admin") {
        token.admin = true;
      } else {
        malformed(path, number, "a scope that is none of read, observe and admin");
      }
    }
    all.push_back(std::move(token));
  }
  return all;
}

void Tokens::check(Scope scope, const std::string& authorization, const std::string& name) const {
  if (!required() || scope == Scope::kOpen) return;
  check_lines(scope, authorization, [&](const std::string& pattern) {
    return name.empty() ? pattern == "*" : ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  });
}

Tokens::Allowed Tokens::allowed(Scope scope, const std::string& authorization) const {
  if (!required() || scope == Scope::kOpen) return Allowed({"*"});
  std::vector<std::string> patterns;
  check_lines(scope, authorization, [&](const std::string& pattern) {
    patterns.push_back(pattern);
    return true;
  });
  return Allowed(std::move(patterns));
}

bool Tokens::Allowed::all() const { return std::find(patterns_.begin(), patterns_.end(), "*") != patterns_.end(); }

bool Tokens::Allowed::has(const std::string& name) const {
  return std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const std::string& pattern) { return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0; });
}

// Compared by their SHA-256, so that the file holds no token; every line is compared, whichever matched before.
void Tokens::check_lines(Scope scope, const std::string& authorization, const Fits& fits) const {
  const std::string_view given = bearer_of(authorization);
  const std::string hash = given.empty() ? "" : sha256(given);
  const std::lock_guard lock(mutex_);
  bool known = false, allowed = false;
  for (const Token& token : tokens_) {
    // All of them are compared, each in constant time. What several lines of one token allow adds up.
    if (hash.empty() || !same_digest(token.hash, hash)) continue;
    known = true;
    const bool in_scope = scope == Scope::kRead      ? token.read || token.admin
                          : scope == Scope::kObserve ? token.observe || token.admin
                                                     : token.admin;
    if (in_scope && fits(token.pattern)) allowed = true;
  }
  if (!known)
    throw Error(kNoToken, "found no token or an unknown one, expected the header Authorization: Bearer TOKEN");
  if (!allowed) throw Error(kNotAllowed, "found a token that does not allow this, expected another");
}

}  // namespace hannan::detail::service
