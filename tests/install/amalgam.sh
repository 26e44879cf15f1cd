#!/bin/bash
# amalgam.sh ROOT BUILD - the files of tools/amalgam, by nothing but the compiler: an example with the core beside it, golden
# crowds on every width, and again without threads and without vectors. No warning, and no other result than the library's.
set -uo pipefail
root=$1 folder=$2/amalgam
cc=${CC:-cc}
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
fail() { echo "amalgam: $*"; exit 1; }
"$root/tools/amalgam" . || fail "tools/amalgam ended with code $?"
sed 's|<throng/throng.h>|"throng.h"|' "$root/examples/hello.c" >app.c
warnings="-Wall -Werror"

# Crowds need more than a user sees: what makes them, and internal headers for their hash.
includes="-I$root/include -I$root/src -I$root/tests -I$root/bench"
$cc $includes -c "$root/tests/port/crowds.c" "$root/bench/workloads.c" $(find "$root/src/make" -name '*.c') || fail "crowds.c failed"
crowds=$(ls ./*.o)
wide=
[ "$(uname -m)" != x86_64 ] || wide="-DTH_WIDER throng_avx2.c throng_avx512.c"
$cc $warnings -o hello throng.c app.c -lm -lpthread & hello=$!
$cc $warnings -o crowds throng.c $wide $crowds -lm -lpthread & wider=$!
wait $hello || fail "$cc throng.c app.c failed"
$cc $warnings -DTH_NO_THREADS -DTH_PLAIN_LANES -o bare throng.c $crowds -lm || fail "$cc without threads and vectors failed"
wait $wider || fail "$cc throng.c $wide failed"

found=$(./hello | tail -n 1)
expected=$(sed -n 's/^hello: //p' "$root/tests/install/examples.txt")
[ -n "$expected" ] && [ "$found" = "$expected" ] || fail "expected '$expected', found '$found'"

! nm -u bare | grep -q pthread_create || fail "pthread_create is called where there are no threads"
cd "$root" || exit 1
for simd in four ${wide:+avx2 avx512}; do
  TH_SIMD=$simd "$folder/crowds" early orca_hills || fail "crowds differ with TH_SIMD=$simd"
done
"$folder/bare" early hills_cross || fail "crowds differ without threads and vectors"
