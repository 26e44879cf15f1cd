/* base/letters.h - words that are the same but for capital letters, in ASCII, whatever the host's locale. */
#ifndef TH_BASE_LETTERS_H
#define TH_BASE_LETTERS_H

#include <stdbool.h>

bool th_letters_same(const char *a, const char *b);

/* Does `text` begin with `word`? */
bool th_letters_begin(const char *text, const char *word);

#endif
