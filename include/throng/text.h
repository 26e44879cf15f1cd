/* throng/text.h - texts that calls of throng_io and throng_report hand over.
 *
 * Threads: any; a text belongs to the caller.
 */
#ifndef THRONG_TEXT_H
#define THRONG_TEXT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Releases a text that a call has made, with the allocator that made it; NULL is allowed. */
TH_API void th_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
