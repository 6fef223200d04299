// Becomes another program by exec: looked for beside this one and in the folders of an installation around it first,
// then on PATH. Returns only by throwing H108, which says where it looked.
#include "program_beside.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "hannan/core/error.hpp"

namespace hannan::detail::cli {
namespace {

namespace fs = std::filesystem;

// The kernel names the program itself, not the links that led to it. Empty where there is no /proc.
fs::path own_folder() {
  std::error_code failure;
  return fs::read_symlink("/proc/self/exe", failure).parent_path();
}

std::vector<fs::path> folders() {
  std::vector<fs::path> found;
  if (const fs::path own = own_folder(); !own.empty())
    found = {own, own.parent_path() / "libexec" / "hannan", own.parent_path() / "bin"};
  const char* path = std::getenv("PATH");
  std::istringstream list(path ? path : "");
  for (std::string folder; std::getline(list, folder, ':');) {
    if (!folder.empty()) found.emplace_back(folder);
  }
  return found;
}

}  // namespace

void run_beside(const std::string& name, const std::vector<const char*>& arguments) {
  for (const fs::path& folder : folders()) {
    const std::string file = (folder / name).string();
    std::vector<char*> words{const_cast<char*>(file.c_str())};  // execv() changes none of them
    for (const char* argument : arguments) words.push_back(const_cast<char*>(argument));
    words.push_back(nullptr);
    execv(file.c_str(), words.data());
    const int reason = errno;  // where execv() returns, it failed
    if (reason != ENOENT && reason != ENOTDIR && reason != EACCES)
      throw Error(Code::kCannotRead,
                  "found a program that cannot be started: " + std::generic_category().message(reason), file);
    std::error_code unseen;
    if (reason == EACCES && fs::exists(file, unseen))
      throw Error(Code::kCannotRead, "found a file that may not be run, expected a program", file);
  }
  throw Error(Code::kUnavailable, "found no program " + name + " in " + own_folder().string() +
                                      " or on PATH, expected it beside hannan: install the package " + name +
                                      ", or build it (cmake --build BUILD_FOLDER --target " + name + ")");
}

}  // namespace hannan::detail::cli
