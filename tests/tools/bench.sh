#!/bin/bash
# bench.sh PROGRAM - the arguments, exit codes and document of throng_bench, without measuring anything.
set -uo pipefail
program=$1
fail=0

expect() { # expect CODE ARGUMENT...
  local code=0 wanted=$1
  shift
  said=$("$program" "$@" 2>/dev/null) || code=$?
  [ $code = "$wanted" ] && return
  echo "expected code $wanted for \"$*\", found $code"
  fail=1
}

expect 2 --unknown
expect 2 one two
expect 3 no.such.name
[ -z "$said" ] || { echo "a table of nothing says: $said"; fail=1; }
expect 3 no.such.name --json
[ "$(tr -d '\n' <<<"$said")" = '{"results":[]}' ] || { echo "found: $said"; fail=1; }
exit $fail
