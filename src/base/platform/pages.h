/* base/platform/pages.h - aligned memory of the system. */
#ifndef TH_BASE_PLATFORM_PAGES_H
#define TH_BASE_PLATFORM_PAGES_H

#include <stddef.h>

/* Memory at a multiple of `align`, a power of two; NULL when there is none. Large blocks ask for large pages, where the
 * system has them: fields and factors are read in scattered order, and each small page costs a walk of the page table.
 */
void *th_pages_take(size_t size, size_t align);
void th_pages_give(void *memory);

#endif
