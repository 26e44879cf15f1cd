#!/bin/bash
# headers.sh INCLUDE SRC - each public header compiles on its own, as C17 and as C++, without a warning; for gcc and g++
# after what <windows.h> defines, too. All public headers and the private ones below SRC compile together: any file may
# include any of them, so no two may give one name to two things.
set -uo pipefail
include=$1 src=$2
fail=0 count=0

windows=$'#define near\n#define far\n#define small char\n#define interface struct'

try() { # try COMPILER LANGUAGE STANDARD HEADER BEFORE
  command -v "$1" >/dev/null || return 0
  count=$((count + 1))
  "$1" -x "$2" -std="$3" -fsyntax-only -Wall -Wextra -pedantic -Werror -I "$include" - <<<"$5
#include <throng/$4>" && return
  echo "$4 does not compile alone with $1 -std=$3"
  fail=1
}

for path in $(find "$include/throng" -name '*.h' | sort); do
  header=${path#"$include"/throng/}
  try gcc c c17 "$header" "$windows"
  try clang c c17 "$header" ""
  try g++ c++ c++11 "$header" ""
  try g++ c++ c++20 "$header" "$windows"
  try clang++ c++ c++17 "$header" ""
done
# Kernels are texts that are compiled for lanes, or several times; pictures need cairo.
together=$( (cd "$include" && find throng -name '*.h' | sort)
  cd "$src" && find . -name '*.h' ! -name '*kernel.h' ! -path './report/*' ! -path './base/platform/windows/*' -exec grep -LwE 'vf|vi|vm|TH_LANES' {} + | sort)
for compiler in gcc clang; do
  command -v $compiler >/dev/null || continue
  count=$((count + 1))
  sed 's/.*/#include "&"/' <<<"$together" | $compiler -x c -std=gnu17 -fsyntax-only -I "$include" -I "$src" - && continue
  echo "public and private headers do not compile together with $compiler"
  fail=1
done
echo "$count compilations"
[ "$count" -gt 0 ] || fail=1
exit $fail
