// The parameter in the name of a noise law, as in "uniform:0.5".
#pragma once

#include <string_view>

namespace hannan::detail {

// The finite number that is the whole text; `form` ("uniform:B") names the law in the message. Throws kNotANumber at
// `at`.
double noise_parameter(std::string_view text, std::string_view form, std::string_view at);

}  // namespace hannan::detail
