/* io/pack/base64.c - bytes as text: three bytes are four characters (RFC 4648, section 4). Only the one form that is
 * written is read, so a pack that is read and written again is the same. Cost: linear.
 */
#include "io/pack/base64.h"

#include <string.h>

static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
enum { NOTHING = 64 };

static uint32_t value_of(char c) {
  if (c >= 'A' && c <= 'Z') return (uint32_t)(c - 'A');
  if (c >= 'a' && c <= 'z') return (uint32_t)(c - 'a') + 26;
  if (c >= '0' && c <= '9') return (uint32_t)(c - '0') + 52;
  return c == '+' ? 62 : c == '/' ? 63 : NOTHING;
}

size_t th_base64_length(size_t size) { return size > SIZE_MAX / 4 * 3 - 3 ? SIZE_MAX : (size + 2) / 3 * 4; }

void th_base64_write(const void *bytes, size_t size, char *text) {
  const uint8_t *from = bytes;
  for (size_t at = 0; at < size; at += 3, text += 4) {
    const size_t left = size - at;
    const uint32_t three = (uint32_t)from[at] << 16 | (left > 1 ? (uint32_t)from[at + 1] << 8 : 0) |
                           (left > 2 ? (uint32_t)from[at + 2] : 0);
    for (uint32_t k = 0; k < 4; k++) text[k] = k > left ? '=' : letter[three >> (18 - 6 * k) & 63];
  }
}

bool th_base64_fits(const char *text, size_t size) {
  const size_t length = strlen(text), padding = (3 - size % 3) % 3;
  if (length != th_base64_length(size)) return false;
  for (size_t k = 0; k < length - padding; k++)
    if (value_of(text[k]) == NOTHING) return false;
  for (size_t k = length - padding; k < length; k++)
    if (text[k] != '=') return false;
  return !padding || !(value_of(text[length - padding - 1]) & (padding == 1 ? 3u : 15u)); /* no bit beyond the bytes */
}

void th_base64_read(const char *text, size_t size, void *bytes) {
  uint8_t *to = bytes;
  for (size_t at = 0; at < size; at += 3, text += 4) {
    uint32_t three = 0;
    for (uint32_t k = 0; k < 4; k++) three = three << 6 | (text[k] == '=' ? 0 : value_of(text[k]));
    for (size_t k = 0; k < 3 && at + k < size; k++) to[at + k] = (uint8_t)(three >> (16 - 8 * k));
  }
}
