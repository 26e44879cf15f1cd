# support.sh - what the tests of our checks share: a folder for small trees, and what a check must say. It is sourced; the
# script defines clean(), which makes a tree that keeps all rules, and ends with `exit $fail`.
set -uo pipefail
source=$1
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
fail=0

# expect CHECK WORDS...: the check fails and its message holds all of these
expect() {
  local said check=$1 words
  shift
  said=$("$source/tools/$check" "$room" 2>&1) && { echo "$check accepted: $1"; fail=1; }
  for words in "$@"; do
    grep -qF -- "$words" <<<"$said" || { printf 'expected "%s", found:\n%s\n' "$words" "$said"; fail=1; }
  done
  clean
}

# accept CHECK: a tree that keeps all rules passes
accept() {
  clean
  "$source/tools/$1" "$room" || { echo "$1 refused a clean tree"; fail=1; }
}
