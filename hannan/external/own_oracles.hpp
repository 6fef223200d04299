// Oracles of the user's own that are code in this process, by name: "own:NAME" wherever an oracle is named.
//
// Whoever embeds the library registers them before a learner names one, or a state that names one is loaded. May be
// called from any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "hannan/external/asked_oracle.hpp"

namespace hannan::detail {

using OwnOracleMaker = std::function<std::unique_ptr<AskedOracle>()>;

bool is_own_oracle(std::string_view oracle);
// `name` without "own:"; replaces one of the same name.
void register_own_oracle(const std::string& name, OwnOracleMaker maker);
void forget_own_oracle(const std::string& name);
// Throws kUnknownName at `path` where none is registered under the name "own:NAME".
std::unique_ptr<AskedOracle> make_own_oracle(const std::string& oracle, std::string_view path);

}  // namespace hannan::detail
