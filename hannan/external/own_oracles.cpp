// Oracles that code of this process registers by name ("own:NAME"); Python does. The maker is called outside the lock,
// since it may take the interpreter's.
#include "hannan/external/own_oracles.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace hannan::detail {
namespace {

constexpr std::string_view kOwn = "own:";

struct OwnOracles {
  std::mutex lock;
  std::map<std::string, OwnOracleMaker, std::less<>> makers;
};
OwnOracles& own_oracles() {
  static OwnOracles all;
  return all;
}

}  // namespace

bool is_own_oracle(std::string_view oracle) { return oracle.starts_with(kOwn); }

void register_own_oracle(const std::string& name, OwnOracleMaker maker) {
  OwnOracles& all = own_oracles();
  const std::lock_guard lock(all.lock);
  all.makers[name] = std::move(maker);
}

void forget_own_oracle(const std::string& name) {
  OwnOracles& all = own_oracles();
  const std::lock_guard lock(all.lock);
  all.makers.erase(name);
}

std::unique_ptr<AskedOracle> make_own_oracle(const std::string& oracle, std::string_view path) {
  OwnOracleMaker maker;
  {
    OwnOracles& all = own_oracles();
    const std::lock_guard lock(all.lock);
    if (const auto found = all.makers.find(oracle.substr(kOwn.size())); found != all.makers.end())
      maker = found->second;
  }
  if (!maker)
    throw Error(Code::kUnknownName, "found \"" + oracle + "\", expected an oracle that was registered in this process",
                std::string(path));
  return maker();
}

}  // namespace hannan::detail
