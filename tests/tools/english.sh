#!/bin/bash
# english.sh SOURCE - check_english accepts plain sentences and finds each kind that a reader has to read twice.
. "$(dirname "$0")/support.sh"
mkdir -p "$room/src/base" "$room/include/throng"

clean() {
  cat >"$room/src/base/a.c" <<'TEXT'
/* base/a.c - agents that are under way give way to whoever is in the way, half way or on the way; in the same way a
 * two-way stream, or the other way round. People who wait cost 10 ns per agent. Who waits? Lengths are in metres, always
 * 2 metres; an edge takes some 40 ns over a vertex. */
int th_agent_under_way(double metres_per_unit, int always, int in_the_way);
TEXT
  echo '/* throng/a.h */' >"$room/include/throng/a.h"
}

refuse() { # refuse LINE WORDS: the check names the line and says what to write instead
  echo "$1" >>"$room/src/base/a.c"
  expect check_english "$1" "$2"
}

accept check_english
path='path, route, displacement, direction or step instead of way'
refuse '/* Ways are up to 8.2 % longer. */' "$path"
refuse '/* the way of this step so far */' "$path"
refuse 'typedef struct way {' "$path"
refuse 'static bool try_way(float wayx);' "$path"
refuse 'float way_out;' "$path"
refuse 'k->wayx[lane] = 0;' "$path"
refuse '/* Metres are good until the target leaves its face. */' 'distance or length instead of metres'
refuse 'static void go(double metres) {' 'distance or length instead of metres'
refuse 'field->metres[v] = 0;' 'distance or length instead of metres'
refuse '/* about 10 ns a vertex and sweep */' 'per instead of a'
refuse '/* a node of 32 bytes a place */' 'per instead of a'
refuse '/* nothing for who can only watch */' 'the noun before who'
refuse '/* Who decides every step takes up its advice at once. */' 'the noun before who'
refuse '/* some are made anew at once */' 'instead of anew'
refuse 'typedef struct th_face_class {' 'th_terrain'
exit $fail
