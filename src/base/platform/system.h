/* base/platform/system.h - which family of systems this is; only files of this folder ask.
 *
 * A call of the layer is declared once, in the header of its idea, and defined once per family: in posix/ (Linux,
 * macOS, WebAssembly's libc), in windows/, and, for threads, in none/. Each of these files is empty for other families,
 * so a build may compile all of them. */
#ifndef TH_BASE_PLATFORM_SYSTEM_H
#define TH_BASE_PLATFORM_SYSTEM_H

#include <stdint.h>

#if defined(_WIN32)
#define TH_SYSTEM_WINDOWS
#else
#define TH_SYSTEM_POSIX
#endif

/* Threads: TH_NO_THREADS takes them away, and so does an emscripten that was not asked for them. */
#if defined(TH_NO_THREADS) || (defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__))
#define TH_THREADS_NONE
#elif defined(TH_SYSTEM_WINDOWS)
#define TH_THREADS_WINDOWS
#else
#define TH_THREADS_POSIX
#endif

#if UINTPTR_MAX < UINT64_MAX && !defined(__wasm__)
#error "Throng needs a processor of 64 bits, or WebAssembly"
#endif

#endif
