#!/bin/bash
# narrow.sh ROOT BUILD - a processor of 32 bits is refused, by CMake and, where somebody compiles without it, by the sources, and
# the message says what is wanted. Nothing is linked, so no library of such a processor is needed.
set -uo pipefail
root=$1 folder=$2/narrow
cc=${CC:-cc}
fail() { printf 'narrow: %s\n' "$@"; exit 1; }
$cc -m32 -ffreestanding -E -x c /dev/null >/dev/null 2>&1 || { echo "narrow: $cc does not know -m32, skipped"; exit 77; }

rm -rf "$folder"
said=$(cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_C_FLAGS=-m32 -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY 2>&1) &&
  fail "CMake took a compiler for 32 bits"
said=$(tr -s ' \n' ' ' <<<"$said")
[[ $said = *"needs a processor of 64 bits, or WebAssembly; this compiler builds for 32 bits"*"docs/platforms.md"* ]] ||
  fail "CMake did not say what is wanted:" "$said"

said=$(printf '#include "base/platform/system.h"\n' | $cc -m32 -ffreestanding -fsyntax-only -I "$root/src" -x c - 2>&1) &&
  fail "the sources took a compiler for 32 bits"
[[ $said = *"Throng needs a processor of 64 bits, or WebAssembly"* ]] || fail "the sources did not say what is wanted:" "$said"
