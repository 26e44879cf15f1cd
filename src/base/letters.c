/* base/letters.c - compares words letter by letter; bytes that are no letters of ASCII are only the same as themselves.
 */
#include "base/letters.h"

static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool th_letters_begin(const char *text, const char *word) {
  while (*word && small(*text) == small(*word)) text++, word++;
  return *word == 0;
}

bool th_letters_same(const char *a, const char *b) {
  while (*a && small(*a) == small(*b)) a++, b++;
  return small(*a) == small(*b);
}
