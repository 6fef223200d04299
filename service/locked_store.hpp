// A store that any thread may use: one call at a time.
#pragma once

#include <memory>

#include "service/store.hpp"

namespace hannan::detail::service {

std::unique_ptr<Store> make_locked_store(std::unique_ptr<Store> store);

}  // namespace hannan::detail::service
