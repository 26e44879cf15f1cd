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
  grep -qxF -- "$1" table.md || { printf 'expected: %s\nfound:\n%s\n' "$1" "$(cat table.md)"; fail=1; }
}

refused() { # refused WORDS
  "$source/tools/conformance" . >/dev/null 2>errors && { echo "accepted: $1"; fail=1; return; }
  grep -qF -- "$1" errors || { printf 'expected "%s", found:\n%s\n' "$1" "$(cat errors)"; fail=1; }
}

printf 'BVP-01\nBVP-02\nBVP-03\nBVP-04\nBVP-05\nPLAN-01\n' >docs/conformance.ids
echo 'BVP-04: the printed sign leads away' >docs/differences.txt
cat >tests/base/test_a.c <<'C'
/* shows: BVP-01, BVP-02 */
static void good(void **state) {}
/* shows: BVP-02 */
static void bad(void **state) {}
/* shows: BVP-05 */
static void never_ran(void **state) {}
C
printf '{\n  "shows": ["PLAN-01",\n    "BVP-01"],\n  "dt": 1\n}\n' >scenes/park.json
cat >ctest.log <<'L'
1/3 Testing: test_a
ok 1 - good
not ok 2 - bad
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
expected=$'tests/base/test_a.c:good\tpass\trelease\ntests/base/test_a.c:bad\tfail\trelease\nheaders\tpass\trelease
tests/test_crash.c:first\tpass\trelease\ntest_crash\tfail\trelease'
[ "$(cat build/results.tsv)" = "$expected" ] || { echo "results:"; cat build/results.tsv; fail=1; }
printf 'scenes/park.json\tpass\trelease\n' >>build/results.tsv

"$source/tools/conformance" . >table.md || fail=1
row '| BVP-01 | done | `tests/base/test_a.c:good`, `scenes/park.json` |'
row '| BVP-02 | open | `tests/base/test_a.c:good`, `tests/base/test_a.c:bad` |'
row '| BVP-03 | open |  |'
row '| BVP-04 | different: the printed sign leads away |  |'
row '| BVP-05 | open | `tests/base/test_a.c:never_ran` |'
row '| PLAN-01 | done | `scenes/park.json` |'
row '| BVP | 5 | 1 | 1 | 3 |'

printf 'tests/base/test_a.c:good\tfail\tsanitize\n' >>build/results.tsv
"$source/tools/conformance" . >table.md || fail=1
row '| BVP-01 | open | `tests/base/test_a.c:good`, `scenes/park.json` |'

echo '/* shows: BVP-99 */
static void x(void **state) {}' >tests/base/test_b.c
refused 'unknown id BVP-99'
echo '/* shows: BVP-01 */
int y;' >tests/base/test_b.c
refused 'directly above a test function'
echo '/* shows: BVP-01, BVP-02, BVP-03, BVP-04, BVP-05, PLAN-01 */
static void x(void **state) {}' >tests/base/test_b.c
refused 'at most 5 ids'
rm tests/base/test_b.c
echo 'BVP-3 no colon' >docs/differences.txt
refused 'expected "ID: reason"'
exit $fail
