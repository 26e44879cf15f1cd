#!/bin/bash
# calls.sh SOURCE - check_calls accepts a tree whose calls name their files, and finds files and calls that do not.
. "$(dirname "$0")/support.sh"

clean() {
  rm -rf "$room/src" "$room/include"
  mkdir -p "$room/src/ground/mesh" "$room/src/io" "$room/src/base" "$room/include/throng"
  echo 'TH_API int th_ground_make(void);' >"$room/include/throng/ground.h"
  printf 'int th_mesh_walk(int far);\nint th_step_on(void);\n' >"$room/src/ground/mesh/step.h"
  printf '/* int th_other(void) { */\nint th_mesh_walk(int far) {\n  return th_other(far);\n}\nstatic int th_own(void) {\n  return 0;\n}\n' \
    >"$room/src/ground/mesh/walk.c"
  printf 'int th_mesh_step(void) {\n  return 0;\n}\nint th_step_on(void) {\n  return 0;\n}\n' >"$room/src/ground/mesh/steps.c"
  printf 'void TH_LANES_NAME(th_rows_fill)(int n) {\n}\n' >"$room/src/base/row.lanes.c"
  printf 'int th_ground_make(void) {\n  return 0;\n}\n' >"$room/src/io/file.c" # public calls may stand anywhere
  printf 'th_result\nth_fail(int code) {\n}\n' >"$room/src/base/error.c"      # an exception
}

accept check_calls
printf 'int th_climb(void) {\n  return 0;\n}\n' >>"$room/src/ground/mesh/walk.c"
expect check_calls 'src/ground/mesh/walk.c: th_climb has no word of the file, its folders or its header'
printf 'int th_mesh_climb(void) {\n  return 0;\n}\n' >"$room/src/ground/mesh/slope.c"
expect check_calls 'src/ground/mesh/slope.c: none of its 1 calls has a word of its name, such as th_mesh_climb'
sed -i 's/th_rows_fill/th_fill/' "$room/src/base/row.lanes.c"
expect check_calls 'src/base/row.lanes.c: th_fill has no word of the file, its folders or its header'
exit $fail
