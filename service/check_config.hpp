// What a start needs to know before it opens its port: secrets, and whether everything else is as it must be.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/serve_flags.hpp"
#include "service/secrets.hpp"
#include "service/tokens.hpp"

namespace hannan::detail::service {

// Read once, from files and the environment.
struct ServiceSecrets {
  std::unique_ptr<Tokens> tokens;
  Address database;
  std::optional<Address> copy_from;
  std::vector<std::string> warnings;
};
ServiceSecrets read_secrets(const cli::ServeFlags& flags);

// kUsage where an address that other machines reach has no tokens.
void check_tokened(const Tokens& tokens);

// `hannan serve --check-config`: one line for each finding on standard output, "ok", "warning" or "error" first. The
// exit status is that of the first error, as a start would end with it, or 0. Nothing is written, and no port opened.
int check_config(const cli::ServeFlags& flags);

}  // namespace hannan::detail::service
