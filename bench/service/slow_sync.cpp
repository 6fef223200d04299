// A disk whose syncs take at least HANNAN_SYNC_MS milliseconds, for a program that loads this first (LD_PRELOAD): a
// virtual disk answers in a tenth of one, a disk that keeps what it acknowledged in one to ten. service_bench.py
// --sync-ms.
#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace {

using Sync = int (*)(int);

int slowly(const char* name, int file) {
  const auto begin = std::chrono::steady_clock::now();
  const auto real = reinterpret_cast<Sync>(dlsym(RTLD_NEXT, name));
  const int result = real(file);
  const char* least = std::getenv("HANNAN_SYNC_MS");
  if (least) std::this_thread::sleep_until(begin + std::chrono::duration<double, std::milli>(std::atof(least)));
  return result;
}

}  // namespace

extern "C" {

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
}
