// Loops that are compiled twice, for any x86-64 and for AVX2 with FMA; the better one is picked when the program starts.
#pragma once

// The sanitizers and clang do without: their run-time cannot be called from the code that picks.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define DISC_SIMD __attribute__((target_clones("arch=x86-64-v3", "default")))
#define DISC_HAS_SIMD
#else
#define DISC_SIMD
#endif
