// From getrusage, getrlimit and /proc/self, which is there under ProtectProc= and ProcSubset=pid of systemd too. The
// time of the start is the present one less the seconds that it has been up.
#include "service/process_figures.hpp"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace hannan::detail::service {
namespace {

using Type = Exposition::Type;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

void add_memory(Exposition& out) {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;  // pages
  if (!(file >> all >> resident)) return;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  out.single({"process_virtual_memory_bytes", Type::kGauge, "Virtual memory of the process."},
             page * static_cast<double>(all));
  out.single({"process_resident_memory_bytes", Type::kGauge, "Memory of the process that is in use."},
             page * static_cast<double>(resident));
}

void add_files(Exposition& out) {
  std::error_code error;
  std::uint64_t open = 0;
  for (std::filesystem::directory_iterator it("/proc/self/fd", error), end; !error && it != end; it.increment(error))
    ++open;
  if (!error && open > 0)
    out.single({"process_open_fds", Type::kGauge, "Files and connections that are open."},
               static_cast<double>(open - 1));
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0)
    out.single({"process_max_fds", Type::kGauge, "Files and connections that may be open."},
               static_cast<double>(limit.rlim_cur));
}

}  // namespace

void add_process_figures(Exposition& out, double seconds_up) {
  using namespace std::chrono;
  const double now = duration<double>(system_clock::now().time_since_epoch()).count();
  rusage used = {};
  if (::getrusage(RUSAGE_SELF, &used) == 0)
    out.single({"process_cpu_seconds_total", Type::kCounter, "CPU time of the process, its own and the kernel's."},
               seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
  add_memory(out);
  add_files(out);
  out.single({"process_start_time_seconds", Type::kGauge, "When the process started, in seconds since 1970."},
             now - seconds_up);
}

}  // namespace hannan::detail::service
