#!/bin/bash
# bench_against.sh SOURCE - ./dev bench --against: turns, medians, ratios and errors, with two programs that measure nothing
# and a build that builds nothing.
set -uo pipefail
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir -p "$room/tree/tools" "$room/tree/build/release" "$room/bin"
cp "$1/dev" "$room/tree"
cp "$1/tools/bench_against" "$room/tree/tools"
touch "$room/tree/build/release/build.ninja"
printf '#!/bin/bash\ntouch "%s/built"\n' "$room" >"$room/bin/ninja"
chmod +x "$room/bin/ninja"
export PATH="$room/bin:$PATH" TH_PACKAGES=ready
fail=0

# program FILE VALUES REST: reports a.us with the next of VALUES at every run, and REST; has names that begin with a only.
program() {
  cat >"$1" <<TEXT
#!/bin/bash
echo "$1 \$*" >>"$room/turns"
values=($2)
case \$1 in a*) ;; crash) echo "it broke" >&2; exit 1 ;; *) printf '{"results":[\n]}\n'; exit 3 ;; esac
run=\$(grep -c "^$1 " "$room/turns")
printf '{"results":[\n{"name":"a.us","value":%s,"unit":"us"},\n%s\n]}\n' "\${values[run - 1]}" '$3'
TEXT
  chmod +x "$1"
}
item() { printf '{"name":"%s","value":%s,"unit":"%s"}' "$@"; }

old=$room/old new=build/release/throng_bench
program "$old" "10 20 40 1 1 1 1 1 1" "$(item a.zero 0 us),
$(item a.gone 1 us),
$(item a.unit 2e-3 ms)"
(cd "$room/tree" && program $new "30 5 40 4 5 6 7 8 9" "$(item a.zero 1 us),
$(item a.unit 2 us),
$(item a.born 1 x)")

bench() { # bench CODE ARGUMENT...: from another folder than the tree
  local code=0 wanted=$1
  shift
  rm -f "$room/turns" "$room/built"
  said=$(cd "$room" && tree/dev bench "$@" 2>"$room/errors") || code=$?
  [ $code = "$wanted" ] && return
  echo "expected code $wanted for \"$*\", found $code"
  cat "$room/errors"
  fail=1
}

has() { # has TEXT: blanks count as one
  grep -qF -- "$1" < <(tr -s ' ' <<<"$said") || { printf 'expected "%s", found:\n%s\n' "$1" "$said"; fail=1; }
}

refuses() { # refuses WORDS ARGUMENT...: before anything is built or run
  local words=$1
  shift
  bench 1 "$@"
  grep -qF -- "$words" "$room/errors" || { echo "expected \"$words\", found: $(cat "$room/errors")"; fail=1; }
  [ ! -e "$room/turns" ] && [ ! -e "$room/built" ] || { echo "built or ran for \"$*\""; fail=1; }
}

# The ratios of the rounds are 3, 0.25 and 1: their median is not the ratio of the medians.
bench 0 a --against old --rounds 3
has 'a.us us 20 30 1 0.25 .. 3'
has 'a.zero us 0 1 - - .. -'
has 'only in old: a.gone (us)'
has 'only in new: a.born (x)'
has 'only in old: a.unit (ms)'
has 'only in new: a.unit (us)'
[ "$(grep -c '^a\.' <<<"$said")" = 2 ] || { printf 'expected 2 comparisons, found:\n%s\n' "$said"; fail=1; }
turns=$(sed "s|$room/||; s|$new|new|" "$room/turns" | tr '\n' ';')
expected='old a --json;new a --json;new a --json;old a --json;old a --json;new a --json;'
[ "$turns" = "$expected" ] || { echo "expected turns $expected found $turns"; fail=1; }
[ -e "$room/built" ] || { echo "did not build"; fail=1; }

# Of nine rounds the range leaves out the least and the most: 0.25 and 9.
bench 0 a --against old --rounds 9
has 'a.us us 1 7 5 1 .. 8'

bench 0 --rounds 2 --json --against "$old" a
[ "$said" = '{"rounds":2,"results":[
{"name":"a.us","unit":"us","old":15,"new":17.5,"ratio":1.625,"range":[0.25,3]},
{"name":"a.zero","unit":"us","old":0,"new":1,"ratio":null,"range":[null,null]}
],
"only_old":[{"name":"a.gone","unit":"us"},{"name":"a.unit","unit":"ms"}],
"only_new":[{"name":"a.unit","unit":"us"},{"name":"a.born","unit":"x"}]}' ] || { printf 'found:\n%s\n' "$said"; fail=1; }

bench 1 none --against old
grep -q 'no benchmark begins with: none' "$room/errors" || { cat "$room/errors"; fail=1; }
bench 1 crash --against old
grep -q 'it broke' "$room/errors" && grep -q 'old ended with code 1' "$room/errors" || { cat "$room/errors"; fail=1; }

echo text >"$room/text"
refuses "found no file: $room/missing" --against missing
refuses "not executable: $room/text" --against text
refuses 'found no file' --against tree
refuses 'the one that is built here' --against tree/$new
refuses 'expected a value after --against' --against
refuses '--rounds needs --against' a --rounds 3
refuses 'expected a value after --rounds' --against old --rounds
for rounds in 0 100 -1 3.5 07 many; do refuses "expected 1 to 99 rounds, found: $rounds" --against old --rounds $rounds; done
refuses 'found: --unknown' --unknown
refuses 'expected 1 to 99 repeats, found: 0' --repeat 0
refuses 'expected a value after --repeat' --repeat
exit $fail
