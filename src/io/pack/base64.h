/* io/pack/base64.h - bytes as text (RFC 4648, section 4, with padding). */
#ifndef TH_IO_PACK_BASE64_H
#define TH_IO_PACK_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Characters for so many bytes; SIZE_MAX when there is no such text. */
size_t th_base64_length(size_t size);

/* Writes th_base64_length(size) characters. */
void th_base64_write(const void *bytes, size_t size, char *text);

/* Whether a text stands for exactly `size` bytes, in the one form in which it is written. */
bool th_base64_fits(const char *text, size_t size);

/* Reads a text that fits. */
void th_base64_read(const char *text, size_t size, void *bytes);

#endif
