#!/bin/bash
# words.sh SOURCE - check_words accepts a clean tree and finds each kind of thing that must not be there.
. "$(dirname "$0")/support.sh"
mkdir -p "$room/src/base" "$room/docs"

clean() {
  printf '/* malloc() is not called here,\n * nor free(). */\nint th_a(void) { return th_free("exit(1)"); }\n' >"$room/src/base/a.c"
  printf 'void *th_take(void) { return malloc(1); }\n' >"$room/src/base/memory.c"
  echo 'add_compile_options(-O2)' >"$room/CMakeLists.txt"
  echo 'See docs/home/place.' >"$room/docs/a.md"
}

accept check_words
echo 'char *th_b(void) { char *p = malloc(3); return p; }' >>"$room/src/base/a.c"
expect check_words 'src/base/a.c:4: char *th_b'
echo 'void th_b(void) { /* why */ exit(1); }' >>"$room/src/base/a.c"
expect check_words 'ends the host'
echo 'double th_b(double x) { return hypot(x, x) + th_exp(x); }' >>"$room/src/base/a.c"
expect check_words 'libm rounds differently'
echo 'add_compile_options(-ffast-math)' >>"$room/CMakeLists.txt"
expect check_words 'changes results'
echo '__attribute__((optimize("x"))) int b; // TODO' >>"$room/src/base/a.c"
expect check_words 'unfinished work'
echo 'in /home/me/throng' >>"$room/docs/a.md"
expect check_words 'a path of one machine'
echo 'int b; ' >>"$room/src/base/a.c"
expect check_words 'ends with a blank'
yes 'int b;' | head -n 701 >"$room/src/base/a.c"
expect check_words '701 lines, at most 700'
exit $fail
