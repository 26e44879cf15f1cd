#!/bin/sh
# Golden tests of a command line. Each NAME.cmd of this folder, or of $CASES, is a shell script that runs in an empty folder
# with $throng (the program), $scenes, $matrix (scenes made beside the program) and $cases (the folder); what it prints, on both outputs, must be NAME.out.
# Usage: tests/cli/run.sh [PROGRAM] [NAME...]; UPDATE=1 writes the expectations anew; SKIP="NAME ..." leaves some out.
# Code 77: what was named needs a pseudo-terminal or ogr2ogr, and there is none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cases=$(cd "${CASES:-$here}" && pwd)
root=$(cd "$here/../.." && pwd)
program=${1:-$root/build/release/throng}
[ $# -gt 0 ] && shift
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
matrix=$(dirname "$program")/matrix
[ -x "$program" ] || { echo "$program is not there"; exit 2; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
# under the address sanitizer only our own leaks count
export LSAN_OPTIONS="suppressions=$here/leaks.txt:print_suppressions=0"

# Times of the machine are no results.
steady() { sed -e 's/ in [0-9.]* s\( (interrupted)\)\{0,1\}$/ in T s\1/' -e "s|$root/||g" -e "s|$work/||g"; }

has_terminal() { script -qec true /dev/null >/dev/null 2>&1; }

for file in "$cases"/*.cmd; do
  name=$(basename "$file" .cmd)
  if [ $# -gt 0 ]; then
    case " $* " in *" $name "*) ;; *) continue ;; esac
  fi
  case " ${SKIP:-} " in *" $name "*) continue ;; esac
  if [ "$name" = terminal ] && ! has_terminal; then
    echo "tests/cli/terminal.cmd: skipped, for no pseudo-terminal can be made here"
    [ $# -eq 0 ] || exit 77
    continue
  fi
  if [ "$name" = ogr ] && ! command -v ogr2ogr >/dev/null; then
    echo "tests/cli/ogr.cmd: skipped, for ogr2ogr is not installed (package gdal-bin; ./dev test --all installs it)"
    [ $# -eq 0 ] || exit 77
    continue
  fi
  mkdir "$work/$name"
  (cd "$work/$name" && throng=$program scenes=$root/scenes matrix=$matrix cases=$cases sh "$file" 2>&1) | steady >"$work/$name.out"
  if [ "${UPDATE:-}" ]; then cp "$work/$name.out" "$cases/$name.out"; fi
  if diff -u "$cases/$name.out" "$work/$name.out"; then
    passed=$((passed + 1))
  else
    echo "$name.cmd: FAILED"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
