// What the parts of the host share.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "service/host.hpp"

namespace hannan::detail::service {

std::int64_t now_in_milliseconds();  // since 1970
double seconds_since(std::chrono::steady_clock::time_point start);
std::string engine_name();  // a snapshot is of this very program: another one may go on otherwise
[[noreturn]] void refuse_not_ready(const std::string& why);
std::exception_ptr not_written(const StoreFailure& failure);  // kNotReady
std::size_t rows_of(const Submission& submission);

}  // namespace hannan::detail::service
