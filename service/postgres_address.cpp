// libpq's messages about an address may quote a part of it: they are not passed on. A password with an @ or / that is
// not written as %40 or %2F is read as a part of the host, the port or the name of the database and would be shown as
// such, so ports that are no numbers and names with an @ are refused.
#include "service/postgres_address.hpp"

#include <memory>
#include <string_view>

#include "hannan/core/error.hpp"
#include "service/postgres_connection.hpp"

namespace hannan::detail::service {

std::vector<std::string> postgres_secrets(const std::string& url, const std::string& from) {
  char* why = nullptr;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(PQconninfoParse(url.c_str(), &why),
                                                                             &PQconninfoFree);
  if (why) PQfreemem(why);
  std::vector<std::string> secrets;
  bool readable = options != nullptr;
  for (const PQconninfoOption* one = options.get(); readable && one->keyword; ++one) {
    if (!one->val || *one->val == '\0') continue;
    const std::string_view keyword = one->keyword, value = one->val;
    if (keyword == "password" || keyword == "sslpassword") secrets.emplace_back(value);
    if (keyword == "port" && value.find_first_not_of("0123456789,") != std::string_view::npos) readable = false;
    const bool name = keyword == "dbname" || (keyword == "host" && !value.starts_with('/'));
    if (name && value.find('@') != std::string_view::npos) readable = false;
  }
  if (readable) return secrets;
  throw Error(
      Code::kUsage,
      "found an address of PostgreSQL that cannot be read, expected postgresql://USER@HOST:PORT/NAME?OPTION=VALUE; "
      "in a password write @ : / ? % and blanks as %XX",
      from);
}

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  constexpr std::string_view kHidden = "***";
  for (const std::string& secret : secrets) {
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + kHidden.size()))
      text.replace(at, secret.size(), kHidden);
  }
  return text;
}

}  // namespace hannan::detail::service
