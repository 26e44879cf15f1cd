#!/bin/bash
# examples.sh PROGRAM NAME LIST - an example ends with code 0, and its last line is the one that LIST has for NAME.
set -uo pipefail
program=$1 name=$2 list=$3
said=$("$program") || { echo "$name ended with code $?"; exit 1; }
found=${said##*$'\n'}
expected=$(sed -n "s/^$name: //p" "$list")
[ -n "$expected" ] || { echo "$list has no line for $name"; exit 1; }
[ "$found" = "$expected" ] && exit 0
printf '%s: expected the last line\n  %s\nfound\n  %s\n' "$name" "$expected" "$found"
exit 1
