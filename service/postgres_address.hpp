// What an address of PostgreSQL says, as libpq reads it, without a connection.
#pragma once

#include <string>
#include <vector>

namespace hannan::detail::service {

// Its passwords, of the user and of a key; none where it has none. Throws kUsage at `from`, without the address, where
// it cannot be read.
std::vector<std::string> postgres_secrets(const std::string& url, const std::string& from);

// With *** for each of the secrets.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

}  // namespace hannan::detail::service
