// hannan generate: manual pages and completion, in the folders that an installation has below share/. Run by the build.
#include <filesystem>
#include <memory>

#include "command.hpp"
#include "completion.hpp"
#include "hannan/core/error.hpp"
#include "manual.hpp"
#include "outputs.hpp"
#include "program.hpp"

namespace hannan::detail::cli {
namespace {

void write_into(const std::filesystem::path& folder, const std::string& name, const std::string& text) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw Error(Code::kCannotWrite, failed.message(), folder.string());
  write_whole_file((folder / name).string(), text);
}

int generate(const std::filesystem::path& folder) {
  const Program program = make_program([](std::string_view) { return true; });
  const auto pages = folder / "man" / "man1";
  write_into(pages, program.name + ".1", manual_page(program));
  for (const Command& command : program.commands) {
    if (command.is_listed()) write_into(pages, program.name + "-" + command.name + ".1", manual_page(program, command));
  }
  write_into(folder / "bash-completion" / "completions", program.name, bash_completion(program));
  write_into(folder / "zsh" / "site-functions", "_" + program.name, zsh_completion(program));
  return 0;
}

}  // namespace

void define_generate(Command& command) {
  auto folder = std::make_shared<std::string>();
  command.add("folder", folder.get(), "where to write them; made where it does not exist").required();
  command.examples = {"hannan generate share"};
  command.run = [folder] { return generate(*folder); };
}

}  // namespace hannan::detail::cli
