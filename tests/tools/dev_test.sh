#!/bin/bash
# dev_test.sh SOURCE - what ./dev test writes down and ./dev conformance makes of it, with a build that builds nothing and
# tests that only say what they found.
set -uo pipefail
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
tree=$room/tree
mkdir -p "$tree"/{tools,docs,tests/base,scenes/deep,scenes/plans,src,build/release/matrix,build/sanitize} "$room/bin"
cp "$1/dev" "$tree"
cp "$1"/tools/{collect_results,conformance,run_scene,slowest,smaller_runs,tree_hash} "$tree/tools"
touch "$tree"/build/{release,sanitize}/build.ninja
export PATH="$room/bin:$PATH" TH_PACKAGES=ready TH_JOBS=2 ROOM=$room
fail=0

# The build fails for the preset in ROOM/broken; tests say what lies in ROOM/<preset>; a scene fails when it says so.
cat >"$room/bin/ninja" <<'TEXT'
#!/bin/bash
[ "build/$(cat "$ROOM/broken" 2>/dev/null)" != "$2" ]
TEXT
cat >"$room/bin/ctest" <<'TEXT'
#!/bin/bash
[ ! -f "$ROOM/dies" ] || exit 8
mkdir -p "$2/Testing/Temporary"
cat "$ROOM/$(basename "$2")" >"$2/Testing/Temporary/LastTest.log"
[ ! -f "$ROOM/meddle" ] || echo "int changed;" >>src/a.c
[ ! -f "$ROOM/stops" ] || exit 8
TEXT
cat >"$tree/build/release/throng" <<'TEXT'
#!/bin/bash
! grep -q fails "$2"
TEXT
chmod +x "$room"/bin/* "$tree/build/release/throng"

printf 'BVP-01\nBVP-02\nBVP-03\n' >"$tree/docs/conformance.ids"
printf '/* shows: BVP-01 */\nstatic void good(void **state) {}\n' >"$tree/tests/base/test_a.c"
echo '{"shows": ["BVP-02"]}' >"$tree/scenes/park.json"
echo '{"shows": ["BVP-03"]}' >"$tree/scenes/deep/cell.json"
echo '{"fails": "as a scene, for it is none"}' | tee "$tree/scenes/schema.json" >"$tree/scenes/plans/office.json"
passed=$'1/1 Testing: test_a\n1..1\nok 1 - good\nTest time =   3.20 sec\nTest Passed.\n"test_a" end time: now'
echo "$passed" | tee "$room/release" >"$room/sanitize"

tested() { # tested CODE [OPTION]: runs the tests, then writes the table
  local code=0
  (cd "$tree" && ./dev test ${2:-} >"$room/tested" 2>&1) || code=$?
  [ $code = "$1" ] || { echo "expected code $1 of ./dev test, found $code:"; cat "$room/tested"; fail=1; }
  (cd "$tree" && ./dev conformance >"$room/said" 2>&1)
}

state() { # state ID STATE
  grep -q "^| $1 | $2 |" "$tree/docs/conformance.md" && return
  printf 'expected %s %s, found:\n%s\n' "$1" "$2" "$(grep "^| $1 " "$tree/docs/conformance.md")"
  fail=1
}

states() { state BVP-01 "$1"; state BVP-02 "$2"; state BVP-03 "$3"; }

tested 0
states 'done' 'done' 'done'
grep -q 'slowest of sanitize: test_a 3 s' "$room/tested" || { cat "$room/tested"; fail=1; }

# The block of a scene in a folder counts as that of any other, and that of a scene that is made for the tests.
echo '{"shows": ["BVP-03"], "fails": 1}' >"$tree/scenes/deep/cell.json"
tested 1
states 'done' 'done' open
echo '{"shows": ["BVP-03"]}' >"$tree/scenes/deep/cell.json"
echo '{"fails": 1}' >"$tree/build/release/matrix/cell.json"
tested 1
states 'done' 'done' 'done'
grep -q 'failed: build/release/matrix/cell.json' "$room/tested" || { cat "$room/tested"; fail=1; }
echo '{}' >"$tree/build/release/matrix/cell.json"

# A suite that dies under sanitizers only; a build with sanitizers that fails; a build of which an old program is left.
printf '1/1 Testing: test_a\n1..1\n"test_a" end time: now\n' >"$room/sanitize"
tested 1
states open 'done' 'done'
echo "$passed" >"$room/sanitize"
echo sanitize >"$room/broken"
tested 1
states open 'done' 'done'
echo release >"$room/broken"
tested 1
states open open open
rm "$room/broken"
tested 0
states 'done' 'done' 'done'

# A ctest that dies before it has a log, while that of the last run lies there; one that stops between two suites.
touch "$room/dies"
tested 1
states open 'done' 'done'
rm "$room/dies"
touch "$room/stops"
tested 1
grep -q 'failed: tests of sanitize: code 8' "$room/tested" || { cat "$room/tested"; fail=1; }
rm "$room/stops"
tested 0
states 'done' 'done' 'done'

# A port that cannot be built because something cannot be fetched is a skip, one that fails is not.
mkdir -p "$tree/tools/port"
for port in 'arm64 0' 'wasm 75' 'windows 0'; do
  printf '#!/bin/bash\n[ "$1" = --packages ] || exit %s\n' ${port#* } >"$tree/tools/port/${port% *}"
done
chmod +x "$tree"/tools/port/*
tested 0 --ports
grep -q 'skipped: port wasm (wasm)' "$room/tested" || { cat "$room/tested"; fail=1; }
printf '#!/bin/bash\n[ "$1" = --packages ] || exit 1\n' >"$tree/tools/port/windows"
tested 1 --ports
grep -q 'failed: port windows (windows)' "$room/tested" || { cat "$room/tested"; fail=1; }
rm -r "$tree/tools/port"
tested 0

# A tree that changed after the tests, or while they ran, gets no table.
touch "$room/meddle"
tested 1 && { echo "a tree that changed while it was tested got its table"; fail=1; }
rm "$room/meddle"
tested 0 || { cat "$room/said"; fail=1; }
echo '/* more */' >>"$tree/tests/base/test_a.c"
(cd "$tree" && ./dev conformance >"$room/said" 2>&1) && { echo "a table from results of another tree"; fail=1; }
grep -q 'of another tree' "$room/said" || { cat "$room/said"; fail=1; }

# ./dev golden says which results differ; a build that takes its time shows how far it is.
mkdir -p "$tree"/tests/whole "$tree"/build/release/tests
printf '# head\nsame 200 1 2\nother 200 3 4\nold 200 5 6\n' >"$tree/tests/whole/golden.txt"
cat >"$tree/build/release/tests/test_golden" <<'TEXT'
#!/bin/bash
[ "$UPDATE" = 1 ] && printf '# head\nsame 200 1 2\nother 200 3 5\nnew 200 7 8\n' >tests/whole/golden.txt
TEXT
cat >"$room/bin/ninja" <<'TEXT'
#!/bin/bash
echo "[1/2] Building C object a.c.o"
sleep 7
TEXT
chmod +x "$tree/build/release/tests/test_golden"
(cd "$tree" && ./dev golden >"$room/golden" 2>"$room/said") || { cat "$room/said"; fail=1; }
printf 'changed: other\nnew: new\ngone: old\n1 of 2 results changed\n' | diff - "$room/golden" || fail=1
grep -qE '^ +[5-7] s  \[1/2\] Building C object a.c.o$' "$room/said" || { cat "$room/said"; fail=1; }
exit $fail
