// How many connections the limit of open files allows: the soft limit is raised as far as the hard one permits, and
// some files are kept for databases and streams, so that a full server can still write its log.
#include "service/open_files.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace hannan::detail::service {
namespace {

// Databases, their readers (one per record that is streamed), connections that are refused, and standard streams.
constexpr std::size_t kOtherFiles = 192;

}  // namespace

std::size_t raise_open_files(std::size_t wanted) {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  if (limit.rlim_cur < wanted) {
    rlimit raised = limit;
    raised.rlim_cur = std::min<rlim_t>(limit.rlim_max, wanted);
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, wanted));
}

// As many as the limit of files leaves beside kOtherFiles, at least one.
std::size_t possible_connections(std::size_t wanted) {
  const std::size_t files = raise_open_files(wanted + kOtherFiles);
  return files >= wanted + kOtherFiles ? wanted : std::max<std::size_t>(1, files - std::min(files - 1, kOtherFiles));
}

}  // namespace hannan::detail::service
