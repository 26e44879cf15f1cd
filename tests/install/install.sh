#!/bin/bash
# install.sh SOURCE BUILD - installs into a temporary prefix and builds examples/hello.c against it in the four ways a
# user would: pkg-config and CMake, shared and static. All four must run and say the same.
set -euo pipefail
source=$1 build=$2
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
prefix=$room/prefix
hello=$source/examples/hello.c
[ -f "$hello" ] || { echo "examples/hello.c is missing"; exit 1; }

cmake --install "$build" --prefix "$prefix" >"$room/install.log" || { cat "$room/install.log"; exit 1; }
libdir=$(dirname "$(find "$prefix" -name libthrong.a)")
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir

cd "$room"
read -ra flags <<<"$(pkg-config --cflags --libs throng)"
cc -std=c17 -o pc_shared "$hello" "${flags[@]}" -lm
read -ra flags <<<"$(pkg-config --static --cflags --libs throng)"
cc -std=c17 -o pc_static "$hello" "${flags[@]/-lthrong/-l:libthrong.a}"
cmake -S "$source/tests/install" -B cm -DCMAKE_PREFIX_PATH="$prefix" -DTH_HELLO="$hello" >cmake.log || { cat cmake.log; exit 1; }
cmake --build cm >cmake.log || { cat cmake.log; exit 1; }

read -ra flags <<<"$(pkg-config --cflags --libs throng_make throng_published)"
cc -std=c17 -o parts "$source/tests/install/parts.c" "${flags[@]}"
[ "$(./parts)" = "a planet of 320 faces, a potential that falls" ] || { echo "parts: $(./parts)"; exit 1; }
[ "$(cm/parts)" = "$(./parts)" ] || { echo "parts by CMake: $(cm/parts)"; exit 1; }

# Not through a pipe: grep -q would end it early, and pipefail would call that a failure.
grep -q "$libdir/libthrong.so" <<<"$(ldd pc_shared)" || { echo "pc_shared does not use the shared library"; exit 1; }
! grep -q libthrong <<<"$(ldd pc_static)" || { echo "pc_static still uses the shared library"; exit 1; }
./pc_shared >expected
[ -s expected ] || { echo "hello says nothing"; exit 1; }
for program in ./pc_static cm/hello_shared cm/hello_static; do
  "$program" >found
  cmp expected found || { echo "$program differs from pc_shared"; exit 1; }
done
# The line that hello.c itself shows needs no LD_LIBRARY_PATH.
line=$(sed -n 's|^ \*   \(cc .*\)|\1|p' "$hello")
cp "$hello" hello.c
env -u LD_LIBRARY_PATH sh -c "$line" >found
cmp expected found || { echo "the line in hello.c does not work: $line"; exit 1; }
# Pages, examples, scenes and the schema come along, and what is installed is enough to run a scene.
share=$prefix/share
for file in docs/first-scene.md examples/hello.c scenes/park.json; do
  cmp "$source/$file" "$share/doc/throng/$file" || { echo "$file is not installed"; exit 1; }
done
for file in README.md docs/scene.md docs/cli.md docs/orca.md; do # without links to what stays in the source
  [ "$(sed 1q "$share/doc/throng/$file")" = "$(sed 1q "$source/$file")" ] || { echo "$file is not installed"; exit 1; }
done
# Every link of the installed pages leads somewhere, and the manual knows every command.
"$source/tools/install_pages" --check "$prefix/share/doc/throng"
if [ -x "$prefix/bin/throng" ]; then
  manual=$prefix/share/man/man1/throng.1
  for command in $("$prefix/bin/throng" help | sed -n 's/^  \([a-z]*\) .*/\1/p' | grep -v '^throng$'); do
    grep -q "^\.SS $command" "$manual" || { echo "the manual does not know $command"; exit 1; }
  done
  if command -v groff >/dev/null; then
    complaints=$(groff -man -Tascii -ww -z "$manual" 2>&1)
    [ -z "$complaints" ] || { echo "$complaints"; exit 1; }
  fi
fi

cmp "$source/scenes/schema.json" "$share/throng/schema.json"
# The laboratory stays at home: neither its program and pages nor an experiment inside the program.
found=$(cd "$prefix" && find . -name '*_lab*' -o -name lab)
[ -z "$found" ] || { echo "of the laboratory: $found"; exit 1; }
if [ -x "$prefix/bin/throng" ]; then
  title='Harmonic field in a room'
  grep -q "$title" "$source/lab/bvp/experiments.h" || { echo "no experiment is called: $title"; exit 1; }
  ! grep -qa "$title" "$prefix/bin/throng" || { echo "the installed program holds experiments"; exit 1; }
  "$prefix/bin/throng" check --quiet "$share/doc/throng/scenes/park.json"
fi
# A component that is not there is told with those that are.
mkdir wrong
printf 'cmake_minimum_required(VERSION 3.25)\nproject(w C)\nfind_package(throng REQUIRED COMPONENTS foo)\n' >wrong/CMakeLists.txt
cmake -S wrong -B wrong/build -DCMAKE_PREFIX_PATH="$prefix" >wrong.log 2>&1 && { echo "component foo was found"; exit 1; }
tr -s ' \n' ' ' <wrong.log | grep -q 'components make.*io.*found no "foo"' || { cat wrong.log; exit 1; }
cat expected
