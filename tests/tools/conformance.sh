#!/bin/bash
# conformance.sh SOURCE - the table says done only for what ran and passed, and marks that lie are refused; ctest's log
# is read rightly, also when a suite dies.
set -uo pipefail
source=$1
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1
mkdir -p docs tests/base scenes build
fail=0

row() { # row TEXT: the table has this line
  grep -qxF -- "$1" table.md && return
  printf 'expected: %s\nfound:\n%s\n' "$1" "$(cat table.md)"
  fail=1
  return 1
}

refused() { # refused WORDS
  "$source/tools/conformance" . >/dev/null 2>errors && { echo "accepted: $1"; fail=1; return; }
  grep -qF -- "$1" errors || { printf 'expected "%s", found:\n%s\n' "$1" "$(cat errors)"; fail=1; }
}

printf 'BVP-01\nBVP-02\nBVP-03\nBVP-04\nBVP-05\nPLAN-01\n' >docs/conformance.ids
echo 'BVP-04 [tests/base/test_a.c:reversed]: the printed sign leads away' >docs/differences.txt
cat >tests/base/test_a.c <<'C'
/* shows: BVP-01, BVP-02 */
static void good(void **state) {}
/* shows: BVP-02 */
static void bad(void **state) {}
/* shows: BVP-05 */
static void never_ran(void **state) {}
/* shows: BVP-04 */
static void reversed(void **state) {}
C
printf '{\n  "shows": ["PLAN-01",\n    "BVP-01"],\n  "dt": 1\n}\n' >scenes/park.json
cat >ctest.log <<'L'
1/3 Testing: test_a
1..3
ok 1 - good
not ok 2 - bad
ok 3 - reversed
# not ok - tests
Test Failed.
"test_a" end time: now
2/3 Testing: headers
12 compilations
Test Passed.
3/3 Testing: test_crash
ok 1 - first
"test_crash" end time: now
L
"$source/tools/collect_results" release ctest.log >build/results.tsv
expected=$'tests/base/test_a.c:good\tpass\trelease\ntests/base/test_a.c:bad\tfail\trelease
tests/base/test_a.c:reversed\tpass\trelease\nheaders\tpass\trelease
tests/test_crash.c:first\tpass\trelease\ntest_crash\tfail\trelease'
[ "$(cat build/results.tsv)" = "$expected" ] || { echo "results:"; cat build/results.tsv; fail=1; }
printf 'scenes/park.json\tpass\trelease\n' >>build/results.tsv
results() { # results BUILDS: the file begins with the hash of the tree as it is now
  { printf '# tree\t%s\n# builds\t%s\n' "$("$source/tools/tree_hash" .)" "$1"; grep -v '^#' build/results.tsv; } >new
  mv new build/results.tsv
}

results release
"$source/tools/conformance" . >table.md || fail=1
row '| BVP-01 | done | `tests/base/test_a.c:good`, `scenes/park.json` |'
row '| BVP-02 | open | `tests/base/test_a.c:good`, `tests/base/test_a.c:bad` |'
row '| BVP-03 | open |  |'
row '| BVP-04 | different (`tests/base/test_a.c:reversed`): the printed sign leads away | `tests/base/test_a.c:reversed` |'
row '| BVP-05 | open | `tests/base/test_a.c:never_ran` |'
row '| PLAN-01 | done | `scenes/park.json` |'
row '| BVP | 5 | 1 | 1 | 3 |'

# What is missing stands beside what is open; what is shown is not missing.
echo 'BVP-03: no window' >docs/open.txt
"$source/tools/conformance" . >table.md || fail=1
row '| BVP-03 | open: no window |  |'
for line in 'BVP-01: no window|BVP-01 is shown by' 'BVP-99: no window|unknown id BVP-99' 'no window|expected "ID: what is missing"'; do
  echo "${line%|*}" >docs/open.txt
  refused "${line#*|}"
done
rm docs/open.txt

# A build in which nothing ran opens all but scenes, which run in the first only.
results 'release sanitize'
"$source/tools/conformance" . >table.md || fail=1
row '| BVP-01 | open | `tests/base/test_a.c:good`, `scenes/park.json` |'
row '| BVP-04 | open | `tests/base/test_a.c:reversed` |'
row '| PLAN-01 | done | `scenes/park.json` |'

# A suite that died spoils what it had passed.
sanitize() { # sanitize LINE...: ctest's log of the second build, beside what the first found
  printf '%s\n' "1/1 Testing: test_a" "$@" '"test_a" end time: now' >ctest.log
  grep -v 'sanitize$' build/results.tsv >new
  mv new build/results.tsv
  "$source/tools/collect_results" sanitize ctest.log >>build/results.tsv
  results 'release sanitize'
  "$source/tools/conformance" . >table.md || fail=1
}
sanitize 1..2 'ok 1 - good' 'ok 2 - reversed' 'Test Passed.'
row '| BVP-01 | done | `tests/base/test_a.c:good`, `scenes/park.json` |'
row '| BVP | 5 | 1 | 1 | 3 |'
for died in 'crash before the second:1..2:ok 1 - good:Test Failed.' \
  'time-out:1..2:ok 1 - good' \
  'crash of the last, after a failure:1..3:ok 1 - good:not ok 2 - bad:Test Failed.' \
  'leak at the end:1..2:ok 1 - good:ok 2 - reversed:Test Failed.' \
  'leak beside a failure:1..3:ok 1 - good:not ok 2 - bad:ok 3 - reversed:==7==ERROR% LeakSanitizer:Test Failed.' \
  'nothing said:Test Failed.' 'nothing said, and passed:Test Passed.' \
  'exit in the midst of a test:1..2:ok 1 - good:Test Passed.' 'one skipped:1..2:ok 1 - reversed:not ok 2 # SKIP good:Test Passed.'; do
  IFS=: read -ra lines <<<"$died"
  sanitize "${lines[@]//%/:}"
  row '| BVP-01 | open | `tests/base/test_a.c:good`, `scenes/park.json` |' || echo "after: $died"
  row '| BVP | 5 | 0 | '"$([ "${lines[0]}" = 'one skipped' ] && echo '1 | 4' || echo '0 | 5')"' |'
done

# One that never ended, for ctest was killed: the log stops, or goes on with the next.
for cut in '2/2 Testing: test_b' ''; do
  printf '%s\n' '1/2 Testing: test_a' '1..2' 'ok 1 - good' $'\n'"$cut" >ctest.log
  found=$("$source/tools/collect_results" sanitize ctest.log)
  grep -q "^tests/base/test_a.c	fail	sanitize$" <<<"$found" || { echo "a log that stops: $found"; fail=1; }
done

printf '%s\n' 'Unable to find executable: x' '1/2 Testing: headers' 'Test Passed.' '2/2 Testing: words' 'Test Passed.' >ctest.log
[ "$("$source/tools/collect_results" release ctest.log)" = $'headers\tfail\trelease\nwords\tpass\trelease' ] ||
  { echo 'a program that is not there:'; "$source/tools/collect_results" release ctest.log; fail=1; }

# Results of another tree are refused, whatever part of it changed.
sanitize 1..2 'ok 1 - good' 'ok 2 - reversed' 'Test Passed.'
for file in tests/base/test_a.c scenes/park.json src/new.c include/throng/new.h apps/new.c docs/differences.txt \
  lab/new.c lab/bvp/new.h lab/planarization-trips.csv lab/planarization.md; do
  mkdir -p "$(dirname $file)"
  cp $file kept 2>/dev/null || rm -f kept
  echo >>$file
  refused 'of another tree'
  if [ -f kept ]; then cp kept $file; else rm $file; fi
done
grep -v '^# tree' build/results.tsv >new
cp build/results.tsv kept
cp new build/results.tsv
refused 'of another tree'
cp kept build/results.tsv

# A test that runs less under sanitizers says so, however it comes by it.
mkdir -p tests/support
printf '%s\n' '#include "support/slow.h"' '#define STARTS LONG_RUN(1000, 10)' >tests/support/starts.h
printf '%s\n' '#include "support/starts.h"' >tests/support/more.h
cat >tests/base/test_b.c <<'C'
#include "support/more.h"
#if SLOW_BUILD
enum { CROWD = 3 };
#else
enum { CROWD = 30 };
#endif
static void helper(int n) {
  run(n, STARTS);
}
/* shows: BVP-03 */
static void by_helper(void **state) {
  helper(1);
}
/* shows: BVP-05 */
static void by_branch(void **state) {
  walk(CROWD);
}
/* shows: PLAN-01 */
static void the_same(void **state) {
  walk(1);
}
C
results 'release sanitize'
"$source/tools/conformance" . >table.md || fail=1
row '| BVP-03 | open | `tests/base/test_b.c:by_helper` (smaller under sanitizers) |'
row '| BVP-05 | open | `tests/base/test_a.c:never_ran`, `tests/base/test_b.c:by_branch` (smaller under sanitizers) |'
row '| PLAN-01 | open | `tests/base/test_b.c:the_same`, `scenes/park.json` |'

# Marks that lie; the hash is right each time.
refused_now() { results 'release sanitize'; refused "$1"; }
echo '/* shows: BVP-99 */
static void x(void **state) {}' >tests/base/test_b.c
refused_now 'unknown id BVP-99'
echo '/* shows: BVP-01 */
int y;' >tests/base/test_b.c
refused_now 'directly above a test function'
echo '/* shows: BVP-01, BVP-02, BVP-03, BVP-04, BVP-05, PLAN-01 */
static void x(void **state) {}' >tests/base/test_b.c
refused_now 'at most 5 ids'
rm tests/base/test_b.c
echo 'BVP-03: without a test' >docs/differences.txt
refused_now 'expected "ID [tests/file.c:function]: reason"'
echo 'BVP-03 [tests/base/test_a.c:good]: shown by a test without the mark' >docs/differences.txt
refused_now 'BVP-03 names tests/base/test_a.c:good, which has no mark'
exit $fail
