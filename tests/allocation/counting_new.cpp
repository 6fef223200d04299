// Apart from those who allocate: a compiler that sees both sides takes the malloc in here for a mistake.
#include "tests/allocation/counting_new.hpp"

#include <cstdlib>
#include <new>

namespace {
std::uint64_t made = 0;
}

std::uint64_t hannan::detail::allocations() { return made; }

void* operator new(std::size_t size) {
  ++made;
  if (void* block = std::malloc(size == 0 ? 1 : size)) return block;
  throw std::bad_alloc();
}
// A sanitizer has one of its own, whose blocks must not come to the delete below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++made;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
