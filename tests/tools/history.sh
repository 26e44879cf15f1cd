#!/bin/bash
# history.sh SOURCE - tools/check_history finds what it must find in a history made for it, and nothing in a good one.
set -uo pipefail
command -v git >/dev/null || { echo "no git here: nothing to test"; exit 0; }
check=$1/tools/check_history
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
for who in AUTHOR COMMITTER; do export GIT_${who}_NAME=somebody GIT_${who}_EMAIL=somebody@example.org; done
git init -q "$room/tree" && cd "$room/tree" || exit 1
mkdir -p tools tests/whole docs lab
touch tests/whole/golden.txt docs/validation.md lab/pins.c
fail=0

commit() { echo "$RANDOM$RANDOM" >>"${2:-file}" && git add -A && git commit -q -m "$1"; }
expect() { # expect CODE TEXT: of the check in this history
  local said code=0
  said=$("$check" "$PWD" 2>&1) || code=$?
  [ $code = "$1" ] && grep -qF -- "$2" <<<"$said" && return
  printf 'expected code %s and "%s", found code %s:\n%s\n' "$1" "$2" $code "$said"
  fail=1
}
refused() { # refused TEXT MESSAGE [FILE]: a commit that must be told, and is taken back
  commit "$2" "${3:-}"
  expect 1 "$1"
  git reset -q --hard HEAD~
}

commit "no form; wip"
expect 0 "skipped, for no commit has this check yet"
cp "$check" tools/check_history
commit "check added, without any form of its own"
expect 0 "0 commits since the check"
commit "world: a good one"
commit "io, report: paths of 1.5 m"
commit "people: a longer gap

Doors passed too many." tests/whole/golden.txt
expect 0 "3 commits since the check"
at_most="world: $(printf 'x%.0s' {1..65})"
commit "$at_most"
expect 0 "4 commits since the check"
refused "expected a subject of at most 72 characters, found 73" "${at_most}x"
refused 'expected "module: what changed"' "Merge of things"
refused 'expected "module: what changed"' "World: capital"
refused 'expected one topic' "world: this; io: that"
refused 'found "wip"' "world: wip, half of it"
refused 'found "wip"' "wip: half of it"
for file in tests/whole/golden.txt docs/validation.md lab/pins.c; do
  refused "changes results ($file)" "world: no reason" $file
done
refused 'found "wip"' "world: half of it (WIP)"
commit "world: wipers"
expect 0 "5 commits since the check"

# Without a history: a shallow clone, an archive, a folder of another repository.
git clone -q --depth 1 "file://$PWD" "$room/shallow" && cd "$room/shallow" || exit 1
expect 0 "skipped, for this clone is shallow"
mkdir "$room/archive" && git -C "$room/tree" archive HEAD | tar -x -C "$room/archive" && cd "$room/archive" || exit 1
expect 0 "skipped, for git finds none here"
mkdir "$room/tree/inner" && cd "$room/tree/inner" || exit 1
expect 0 "skipped, for this folder is inside another repository"
exit $fail
