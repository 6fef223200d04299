// Where secrets come from: a file or the environment, each read once. Arguments stand in the list of processes, which
// every user of a machine can read, so an address with a password among them is refused. No message has a secret in it,
// nor what may be one.
#pragma once

#include <optional>
#include <string>

namespace hannan::detail::service {

// A flag that takes the address of a log, and where the address is looked for.
struct AddressFlag {
  std::string flag;                  // "--db"
  std::optional<std::string> given;  // its value; "@FILE": the line of that file
  std::string variable;              // of the environment, where the flag is not given
  std::string otherwise;             // where neither is; may be empty
};

struct Address {
  std::string text;     // a path, or postgresql://...; never shown
  std::string from;     // the flag, the file or the variable: for messages
  std::string warning;  // for the operator; empty: none
};

// Throws kUsage for an address with a password in an argument and for what is no address, kCannotRead, kEmpty and
// kMalformed for files. A variable that was read is removed: programs that the service starts do not get it.
Address read_address(const AddressFlag& flag);

bool is_postgres(const std::string& address);

// A variable of the environment, which is removed; empty: it is not set.
std::string take_variable(const std::string& name);

// "other users of this machine can read it", where they can; empty otherwise.
std::string exposed_file(const std::string& path);

}  // namespace hannan::detail::service
