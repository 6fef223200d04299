// The HTTP status of an error code (docs/errors.md). Codes of the library are 400 unless listed; 8xx are the service's
// own.
#include "service/codes.hpp"

namespace hannan::detail::service {

int http_status(Code code) {
  switch (static_cast<int>(code)) {
    case 107:
      return 404;
    case 208:
      return 413;
    case 801:
    case 803:
      return 409;
    case 802:
      return 422;
    case 806:
      return 410;
    case 807:
      return 412;
    case 808:
      return 421;
    case 810:
      return 401;
    case 811:
    case 812:
      return 403;
    case 820:
    case 823:
      return 429;
    case 821:
      return 503;
    case 822:
      return 507;
    case 900:
      return 500;
    default:
      return 400;
  }
}

}  // namespace hannan::detail::service
