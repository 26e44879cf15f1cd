#!/bin/bash
# api.sh SOURCE - every function of the core and of the published planners that a public header declares is called, and
# every table named, in tests/whole/test_api*.c and tests/lab/test_api*.c.
set -euo pipefail
source=$1
headers=$(awk -v folder="$source/include/throng/" '$1 ~ /^[0-5]$/ || $2 == "published" {for (i = 3; i <= NF; i++) print folder $i}' \
  "$source/tools/layers.txt")
headers=$(ls $headers 2>/dev/null || true)
declared=$(cat $headers | awk '/^TH_API/ && match($0, /th_[a-z0-9_]+(\(|;|\[)/) {
             print substr($0, RSTART, RLENGTH - 1)}' | sort -u)
named=$(cat "$source"/tests/{whole,lab}/test_api*.c | grep -oE '\bth_[a-z0-9_]+' | sort -u)
missing=$(comm -23 <(echo "$declared") <(echo "$named"))
[ -z "$missing" ] && echo "$(wc -l <<<"$declared") calls" && exit 0
printf 'no call in tests/{whole,lab}/test_api*.c:\n%s\n' "$missing"
exit 1
