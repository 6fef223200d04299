// Texts of Boost.Beast as strings.
#pragma once

#include <boost/beast/core/string.hpp>
#include <string>

namespace hannan::detail::service {

inline std::string text_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace hannan::detail::service
