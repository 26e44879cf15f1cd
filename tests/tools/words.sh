#!/bin/bash
# words.sh SOURCE - check_words accepts a clean tree and finds each kind of thing that must not be there.
set -uo pipefail
source=$1
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir -p "$room/src/base" "$room/docs"
fail=0

clean() {
  printf '/* malloc() is not called here,\n * nor free(). */\nint th_a(void) { return th_free("exit(1)"); }\n' >"$room/src/base/a.c"
  printf 'void *th_take(void) { return malloc(1); }\n' >"$room/src/base/memory.c"
  echo 'add_compile_options(-O2)' >"$room/CMakeLists.txt"
  echo 'See docs/home/place.' >"$room/docs/a.md"
}

expect() { # expect WORDS: the check fails and says so
  local said
  said=$("$source/tools/check_words" "$room" 2>&1) && { echo "accepted: $1"; fail=1; }
  grep -qF -- "$1" <<<"$said" || { printf 'expected "%s", found:\n%s\n' "$1" "$said"; fail=1; }
  clean
}

clean
"$source/tools/check_words" "$room" || { echo "refused a clean tree"; fail=1; }
echo 'char *th_b(void) { char *p = malloc(3); return p; }' >>"$room/src/base/a.c"
expect 'src/base/a.c:4: char *th_b'
echo 'void th_b(void) { /* why */ exit(1); }' >>"$room/src/base/a.c"
expect 'ends the host'
echo 'double th_b(double x) { return hypot(x, x) + th_exp(x); }' >>"$room/src/base/a.c"
expect 'libm rounds differently'
echo 'add_compile_options(-ffast-math)' >>"$room/CMakeLists.txt"
expect 'changes results'
echo '__attribute__((optimize("x"))) int b; // TODO' >>"$room/src/base/a.c"
expect 'unfinished work'
echo 'in /home/me/throng' >>"$room/docs/a.md"
expect 'a path of one machine'
echo 'int b; ' >>"$room/src/base/a.c"
expect 'ends with a blank'
yes 'int b;' | head -n 701 >"$room/src/base/a.c"
expect '701 lines, at most 700'
exit $fail
