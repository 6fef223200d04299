// Names and one-line descriptions of all commands, from cli/all.hpp.
#include "command_list.hpp"

namespace hannan::detail::cli {

#define HANNAN_COMMAND(name, about) {#name, about},
#define HANNAN_HIDDEN_COMMAND(name, about)
#define HANNAN_KIND_COMMAND(name, kind, about)
const std::vector<NamedValue>& listed_commands() {
  static const std::vector<NamedValue> kCommands{
#include "all.hpp"
  };
  return kCommands;
}
#undef HANNAN_COMMAND
#undef HANNAN_HIDDEN_COMMAND
#undef HANNAN_KIND_COMMAND

}  // namespace hannan::detail::cli
