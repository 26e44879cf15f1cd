#!/bin/bash
# bench.sh PROGRAM - the arguments, exit codes and document of throng_bench, measuring next to nothing.
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
expect 2 --repeat
expect 2 --repeat 0
expect 2 --repeat 100
expect 2 --repeat many
expect 3 no.such.name
[ -z "$said" ] || { echo "a table of nothing says: $said"; fail=1; }
expect 3 no.such.name --json
[ "$(tr -d '\n' <<<"$said")" = '{"results":[]}' ] || { echo "found: $said"; fail=1; }
# The figure of several repeats is their median, with the range beside it.
expect 0 bvp.cost.obstacles --json --repeat 3
grep -qE '"value":[0-9.]+,"unit":"x","min":[0-9.]+,"max":[0-9.]+,"repeats":3\}' <<<"$said" || { echo "found: $said"; fail=1; }
awk -F'[:,}]' '/"min"/ { if (!($8 <= $4 && $4 <= $10)) exit 1 }' <<<"$said" || { echo "median out of range: $said"; fail=1; }
exit $fail
