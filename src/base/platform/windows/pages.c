/* base/platform/windows/pages.c - aligned memory of Windows' C library, which has calls of its own for it. */
#include "base/platform/pages.h"

#include "base/platform/system.h"

#ifdef TH_SYSTEM_WINDOWS

#include <malloc.h>

void *th_pages_take(size_t size, size_t align) { return _aligned_malloc(size, align); }
void th_pages_give(void *memory) { _aligned_free(memory); }

#endif
