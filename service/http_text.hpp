// Texts and heads of Boost.Beast.
#pragma once

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/field.hpp>
#include <string>

#include "hannan/core/small_letters.hpp"

namespace hannan::detail::service {

inline std::string text_of(boost::beast::string_view text) { return {text.data(), text.size()}; }

// What makes a head one that two readers may understand as two requests; null: nothing.
template <class Head>
const char* ambiguity_of(const Head& head) {
  namespace http = boost::beast::http;
  const std::size_t hosts = head.count(http::field::host), codings = head.count(http::field::transfer_encoding);
  if (hosts > 1 || (hosts == 0 && head.version() >= 11)) return "found no header Host, or several, expected one";
  if (codings > 0 && small_letters(text_of(head[http::field::transfer_encoding])) != "chunked")
    return "found another Transfer-Encoding, expected chunked or none";
  return nullptr;
}

}  // namespace hannan::detail::service
