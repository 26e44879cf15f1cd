#!/bin/bash
# platform.sh SOURCE - check_platform accepts a tree that leaves the system to src/base/platform, and finds what does not.
. "$(dirname "$0")/support.sh"

clean() {
  rm -rf "$room/src" "$room/apps" "$room/lab" "$room/include"
  mkdir -p "$room/src/base/platform/posix" "$room/src/base/simd" "$room/apps" "$room/lab" "$room/include/throng"
  printf '#define _GNU_SOURCE\n#include <unistd.h>\nint x = __builtin_ctz(1);\n' >"$room/src/base/platform/posix/file.c"
  printf '#include <immintrin.h>\nvf a = _mm256_setzero_ps();\n' >"$room/src/base/simd/avx2.h"
  printf '#if defined(_WIN32)\n#define TH_API __attribute__((visibility("default")))\n#endif\n' >"$room/include/throng/base.h"
  printf '#include <stdio.h>\n/* fopen(path) on __linux__ */\nvoid f(void) {\n  puts("fopen(x)");\n  rules->remove(x);\n}\n' >"$room/src/base/text.c"
  printf '#include <math.h>\n' | tee "$room/apps/main.c" >"$room/lab/main.c"
}

accept check_platform
echo '#include <unistd.h>' >>"$room/src/base/text.c"
expect check_platform 'src/base/text.c:7: <unistd.h> belongs in src/base/platform'
echo '#include <immintrin.h>' >>"$room/src/base/text.c"
expect check_platform '<immintrin.h> belongs'
echo 'FILE *file = fopen("a", "r");' >>"$room/apps/main.c"
expect check_platform 'apps/main.c:2: a call that differs between systems'
printf '#define _GNU_SOURCE\n#ifdef _WIN32\n' >>"$room/lab/main.c"
expect check_platform 'lab/main.c:2: asks for a platform' 'lab/main.c:3: asks for a platform'
echo 'int n = __builtin_ctz(8);' >>"$room/src/base/text.c"
expect check_platform 'src/base/text.c:7: an extension of a compiler'
exit $fail
