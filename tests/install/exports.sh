#!/bin/bash
# exports.sh STATIC SHARED SOURCE - the core libraries define th_ names only, the shared one offers exactly what public
# headers declare, nothing in them is writable at file scope (no global state: worlds are independent), and results do
# not depend on the machine's libm. No published relaxation is in them.
set -euo pipefail
static=$1 shared=$2 source=$3
fail=0

complain() { # complain WHAT LINES
  [ -z "$2" ] && return
  printf '%s:\n%s\n' "$1" "$2"
  fail=1
}

# Headers of the core: all up to the layer world.
headers=$(awk -v folder="$source/include/throng/" '$1 ~ /^[0-5]$/ {for (i = 3; i <= NF; i++) print folder $i}' \
  "$source/tools/layers.txt")
headers=$(ls $headers 2>/dev/null || true)
exported=$(nm -D --defined-only "$shared" | awk '{print $NF}' | sort -u)
declared=$(cat $headers | awk '/^TH_API/ && match($0, /th_[a-z0-9_]+(\(|;|\[)/) {
             print substr($0, RSTART, RLENGTH - 1)}' | sort -u)
[ -n "$exported" ] || complain "nothing is exported" "$shared"
complain "exported without th_ prefix" "$(grep -v '^th_' <<<"$exported" || true)"
complain "global without th_ prefix in the static library" \
  "$(nm -g --defined-only "$static" | awk 'NF == 3 && $3 !~ /^th_/ {print $3}')"
complain "declared in a public header, not in the library" "$(comm -13 <(echo "$exported") <(echo "$declared"))"
complain "exported, declared in no public header" "$(comm -23 <(echo "$exported") <(echo "$declared"))"
# Published relaxations are a library of their own; hidden symbols count, too.
complain "a published relaxation in the core" "$(nm "$static" | awk '$NF ~ /^th_(relax|relaxation)(_|$)/ {print $NF}' | sort -u)"
# .data.rel.ro is constant after loading: tables of pointers live there.
complain "writable data at file scope" "$(objdump -t "$static" |
  awk '$3 == "O" && ($4 ~ /^\.(data|bss|tdata|tbss)/ || $4 == "*COM*") && $4 !~ /^\.data\.rel\.ro/ {print $4, $NF}')"

# Square roots and rounding are exact everywhere; these are not.
complain "a function that other machines round differently; base/exp_log.h and base/trig.h have our own" \
  "$(nm -u "$static" | awk '{print $2}' | sort -u |
  grep -E '^(a?(sin|cos|tan)h?|atan2|exp(2|10|m1)?|log(2|10|1p)?|pow|cbrt|hypot|fma|tgamma|lgamma|erfc?|sincos)[fl]?$' || true)"

echo "$(wc -l <<<"$exported") symbols exported"
exit $fail
