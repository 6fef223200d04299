// An address may hold a password in three places: between the user and the host, as an option, or where it was written
// in a form that is not read here ("host=x password=y", mysql://...). The first two are found by libpq's own parser, so
// that no spelling is missed; the third is refused without being shown.
#include "service/secrets.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "hannan/core/error.hpp"
#include "service/postgres_address.hpp"

namespace hannan::detail::service {
namespace {

constexpr std::size_t kMostBytes = 16384;  // of a file with an address; a larger one is another file

std::string trimmed(const std::string& text) {
  constexpr const char* kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

std::string read_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad())
    throw Error(Code::kCannotRead, "found no file that can be read, expected one with the address of a log", path);
  text.resize(static_cast<std::size_t>(file.gcount()));
  const std::string line = trimmed(text);
  if (line.empty()) throw Error(Code::kEmpty, "found nothing, expected one line with the address of a log", path);
  if (text.size() > kMostBytes || line.find('\n') != std::string::npos)
    throw Error(Code::kMalformed, "found more than one line, expected the address of a log alone", path);
  return line;
}

[[noreturn]] void refuse_argument(const AddressFlag& flag) {
  throw Error(Code::kUsage,
              "found a password in an argument, which every user of this machine can read, expected it elsewhere: " +
                  flag.flag + " @FILE with the address in that file, the environment variable " + flag.variable +
                  ", or an address without it and a line of ~/.pgpass",
              flag.flag);
}

// What would be taken for a file of SQLite and is something else.
void refuse_other(const std::string& text, const std::string& from) {
  const bool settings = text.find("password=") != std::string::npos;
  if (!settings && text.find("://") == std::string::npos) return;
  throw Error(Code::kUsage,
              std::string("found ") + (settings ? "settings with a password" : "an address of another kind") +
                  ", expected the path of a file, or postgresql://USER@HOST/NAME",
              from);
}

}  // namespace

bool is_postgres(const std::string& address) {
  return address.starts_with("postgresql://") || address.starts_with("postgres://");
}

std::string take_variable(const std::string& name) {
  const char* found = std::getenv(name.c_str());
  const std::string value = found ? found : "";
  ::unsetenv(name.c_str());
  return value;
}

std::string exposed_file(const std::string& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode) || (found.st_mode & S_IROTH) == 0) return "";
  return "other users of this machine can read " + path + "; chmod o= takes that from them";
}

Address read_address(const AddressFlag& flag) {
  const std::string set = take_variable(flag.variable);
  Address address;
  const bool file = flag.given && flag.given->starts_with("@");
  if (file) {
    address.from = flag.given->substr(1);
    if (address.from.empty())
      throw Error(Code::kUsage, "found @ alone, expected a file behind it, such as @/etc/hannan/db", flag.flag);
    address.text = read_line(address.from);
  } else if (flag.given) {
    address = {.text = *flag.given, .from = flag.flag, .warning = {}};
  } else if (!set.empty()) {
    address = {.text = trimmed(set), .from = flag.variable, .warning = {}};
  } else {
    address = {.text = flag.otherwise, .from = flag.flag, .warning = {}};
  }
  if (!is_postgres(address.text)) {
    refuse_other(address.text, address.from);
    return address;
  }
  const bool secret = !postgres_secrets(address.text, address.from).empty();
  if (secret && address.from == flag.flag) refuse_argument(flag);
  if (secret && file) address.warning = exposed_file(address.from);
  return address;
}

}  // namespace hannan::detail::service
