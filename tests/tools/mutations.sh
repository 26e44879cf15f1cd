#!/bin/bash
# mutations.sh SOURCE - rows of tools/mutations.txt that fit nothing are named, and the page says of each row what became of
# it and at which commit; of the part that was not tried only what is known of survivors changes.
set -uo pipefail
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir -p "$room"/{tools,src,tests/base,docs,build/mutate}
cp "$1/tools/mutate" "$room/tools"
cd "$room" || exit 1
fail=0

printf 'int a = 1;\nint b = 1;\nint c = 2;\n' >src/a.c
printf 'static void notices(void **state) {}\n' >tests/base/test_a.c

rows() { # rows FILE SED TEST
  printf 'id: BVP-01\nfile: src/a.c\nsed: s/2/3/\ntest: tests/base/test_a.c:notices\n\n' >tools/mutations.txt
  printf 'id: BVP-02\nfile: %s\nsed: %s\ntest: %s\n' "$1" "$2" "$3" >>tools/mutations.txt
}

refused() { # refused WORDS
  tools/mutate fits >said 2>&1 && { echo "accepted: $1"; fail=1; return; }
  grep -qF -- "$1" said || { printf 'expected "%s", found:\n%s\n' "$1" "$(cat said)"; fail=1; }
}

rows src/a.c 's/a = 1/a = 2/' tests/base/test_a.c:notices
tools/mutate fits >said 2>&1 || { echo 'refused good rows:'; cat said; fail=1; }
rows src/a.c 's/a = 5/a = 2/' tests/base/test_a.c:notices
refused 'BVP-02: expected one line changed in src/a.c'
rows src/a.c 's/= 1/= 2/' tests/base/test_a.c:notices
refused 'BVP-02: expected one line changed in src/a.c'
rows src/b.c 's/a = 1/a = 2/' tests/base/test_a.c:notices
refused 'BVP-02: no such file: src/b.c'
rows src/a.c 's/a = 1/a = 2/' tests/base/test_a.c:slept
refused 'BVP-02: no such test: tests/base/test_a.c:slept'
printf '\nid: BVP-03\nfile: src/a.c\n' >>tools/mutations.txt
refused 'the row above has no line "test: ..."'

rows src/a.c 's/a = 1/a = 2/' tests/base/test_a.c:notices
printf 'BVP-01\tsrc/a.c\ts/2/3/\ttests/base/test_a.c:notices\tfailed\tabc1234\n' >build/mutate/ids.tsv
printf 'file: src/a.c\nbecame: int a = b || 2;\nreason: noticed since by tests/base/test_a.c:notices\n\n' >tools/survivors.txt
printf 'file: src/a.c\nbecame: int a = 7;\nreason: open: nobody knows\n' >>tools/survivors.txt
cat >docs/mutations.md <<'END'
# Mutations

## What stands behind requirements

old
| BVP-02 | `src/a.c` | `s/a = 1/a = 2/` | `tests/base/test_a.c:notices` | caught | def5678 |
| BVP-02 | `src/a.c` | `s/a = 1/a = 9/` | `tests/base/test_a.c:notices` | caught | def5678 |

## Drawn with a fixed seed

kept

### Survivors

| `src/a.c:1` | `int a = 1;` | `int a = b \|\| 2;` | 1 of 1 | open |
| `src/a.c:3` | `int c = 2;` | `int c = 3;` | 1 of 1 | as it was |
END
rows src/a.c 's/a = 1/a = 2/' tests/base/test_a.c:notices
printf '\nid: BVP-03\nfile: src/a.c\nsed: s/a = 1/a = 3/\ntest: tests/base/test_a.c:notices\n' >>tools/mutations.txt
tools/mutate page && tools/mutate page || fail=1 # twice: a page is read by the next one
page() { grep -qxF -- "$1" docs/mutations.md || { printf 'expected: %s\nfound:\n%s\n' "$1" "$(cat docs/mutations.md)"; fail=1; }; }
page '| BVP-01 | `src/a.c` | `s/2/3/` | `tests/base/test_a.c:notices` | caught | abc1234 |'
page '| BVP-02 | `src/a.c` | `s/a = 1/a = 2/` | `tests/base/test_a.c:notices` | caught | def5678 |'
page '| BVP-03 | `src/a.c` | `s/a = 1/a = 3/` | `tests/base/test_a.c:notices` | **not tried** |  |'
page kept
page '| `src/a.c:1` | `int a = 1;` | `int a = b \|\| 2;` | 1 of 1 | noticed since by tests/base/test_a.c:notices |'
page '| `src/a.c:3` | `int c = 2;` | `int c = 3;` | 1 of 1 | as it was |'
page 'Of the 2 survivors 1 are noticed since, by a test that is named, 0 are equivalent, 0 cost time only,'
[ "$(grep -c '^Of the ' docs/mutations.md)" = 1 ] || { echo 'the survivors are counted twice'; fail=1; }
! grep -q '^old' docs/mutations.md || { echo 'the old rows are still there'; fail=1; }
[ "$(grep -c '^## ' docs/mutations.md)" = 2 ] || { cat docs/mutations.md; fail=1; }
exit $fail
