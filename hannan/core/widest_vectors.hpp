// HANNAN_WIDEST_VECTORS before a function whose loop works number by number: it is compiled for several vector units,
// and the widest that the machine has is chosen when the program starts.
//
// The bits do not depend on the choice as long as every number is computed by itself, since the build never fuses a
// multiplication with an addition (-ffp-contract=off). Without such a choice (other machines, other C libraries), under
// sanitizers, which start too late for it, and by clang++ 19, which leaves out functions that only such clones call, it
// is one plain function.
#pragma once

#include <cstddef>  // names the C library

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HANNAN_WIDEST_VECTORS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HANNAN_WIDEST_VECTORS
#endif
#endif

#ifndef HANNAN_WIDEST_VECTORS
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__)
#define HANNAN_WIDEST_VECTORS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define HANNAN_WIDEST_VECTORS
#endif
#endif
