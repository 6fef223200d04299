// Who may do what: a file with one token a line, `sha256(T) scopes pattern label`, scopes of read, observe, admin
// joined by commas, pattern a glob of learners' names. A token may have several lines: what they allow adds up.
#pragma once

#include <functional>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hannan::detail::service {

enum class Scope { kOpen, kRead, kObserve, kAdmin };

class Tokens {
 public:
  Tokens() = default;                 // everything is allowed
  explicit Tokens(std::string path);  // kCannotRead or kMalformed where the file is not one
  struct Lines {
    std::string text, from;
  };
  explicit Tokens(const Lines& lines);  // of the environment: they are not read again
  void read_again();                    // keeps what it had where the file is damaged, and throws
  bool required() const { return required_; }
  std::size_t size() const;  // tokens
  // Throws kNoToken or kNotAllowed. `authorization` is the header; `name` the learner, empty: all of them.
  void check(Scope scope, const std::string& authorization, const std::string& name) const;
  // For a request about several learners: those that the token is for. Throws as check() where it is for none.
  class Allowed {
   public:
    explicit Allowed(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {}
    bool all() const;
    bool has(const std::string& name) const;

   private:
    std::vector<std::string> patterns_;
  };
  Allowed allowed(Scope scope, const std::string& authorization) const;

 private:
  struct Token {
    std::string hash, pattern;
    bool read = false, observe = false, admin = false;
  };
  static std::vector<Token> parse_file(const std::string& path);
  static std::vector<Token> parse(std::istream& lines, const std::string& from);
  using Fits = std::function<bool(const std::string& pattern)>;
  void check_lines(Scope scope, const std::string& authorization, const Fits& fits) const;

  std::string path_;  // empty: there is no file
  bool required_ = false;
  mutable std::mutex mutex_;
  std::vector<Token> tokens_;
};

}  // namespace hannan::detail::service
