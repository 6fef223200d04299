// What most sources of the library include, compiled once where HANNAN_PRECOMPILE is on: the preset dev. Every source
// still includes what it uses; the other presets see to it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hannan/core/error.hpp"
#include "hannan/game/game.hpp"
#include "hannan/io/fields.hpp"
#include "hannan/io/json.hpp"
