#!/bin/bash
# names.sh SOURCE - check_names and check_threads accept a clean tree and find each kind of thing that must not be there.
. "$(dirname "$0")/support.sh"

clean() {
  rm -rf "$room/src" "$room/include" "$room/docs"
  mkdir -p "$room/src/base" "$room/src/ground/mesh" "$room/include/throng" "$room/docs"
  echo 'See `src/base/b.h` and `ground/mesh/walk.c`.' >"$room/docs/page.md"
  cat >"$room/include/throng/a.h" <<'TEXT'
/* throng/a.h - an example. Not struct th_b { here.
 * Threads: any. */
typedef struct th_a { int x; } th_a;
typedef enum th_colour { TH_RED = 1, /* TH_BLUE */ TH_GREEN } th_colour;
TH_API int th_get(const th_a *a);
TEXT
  echo 'struct th_b { int use_of_th_a; };' >"$room/src/base/b.h"
  echo 'int th_walk(void) { return TH_RED; }' >"$room/src/ground/mesh/walk.c"
}

accept check_names
accept check_threads
echo 'struct th_a { float y; };' >>"$room/src/base/b.h"
expect check_names 'th_a is declared in include/throng/a.h and in src/base/b.h'
printf 'enum {\n  TH_FIRST, /* why */\n  TH_GREEN = 7\n};\n' >>"$room/src/base/b.h"
expect check_names 'TH_GREEN is declared in include/throng/a.h and in src/base/b.h'
for i in $(seq 31); do echo >"$room/src/base/c$i.c"; done
expect check_names 'src/base: 32 files, at most 30'
echo >"$room/src/ground/mesh/mesh_walk.c"
expect check_names 'src/ground/mesh/mesh_walk.c: the name repeats that of its folder'
echo 'int th_surface_walk(void);' >>"$room/src/base/b.h"
expect check_names 'a retired word, now mesh'
echo 'typedef enum th_bvp_precision { TH_BVP_FLOAT, TH_BVP_DOUBLE } th_bvp_precision;' >>"$room/src/base/b.h"
expect check_names 'a retired word, now th_precision'
echo 'typedef enum th_colour { TH_WHITE } th_colour;' >>"$room/src/base/b.h"
expect check_names 'th_colour is declared in include/throng/a.h and in src/base/b.h'
echo 'See `ground/walk.c`.' >>"$room/docs/page.md"
expect check_names 'names ground/walk.c, which is not there'
sed -i 's/ \* Threads: any\./ */' "$room/include/throng/a.h"
expect check_threads 'include/throng/a.h:5: th_get has no line "Threads: ..."'
exit $fail
