# Bad input: file, line, column, key, what was expected and what was found; exit code 3; nothing is written.
good='{"version": 1, "name": "bad", "duration": 10,
 "ground": {"outline": [{"rectangle": [[0, 0], [10, 10]]}], "obstacles": [{"rectangle": [[4, 4], [6, 6]]}]},
 "goals": [{"name": "exit", "point": [9, 5]}],
 "populations": [{"name": "people", "count": 3, "region": {"rectangle": [[1, 1], [3, 9]]}, "route": ["exit"]}]}'
try() {
  printf '%s' "$good" | sed "$1" >bad.json
  "$throng" run bad.json --out out
  echo "code $?"
}
try ''  | tail -1
rm -r out
try 's/"count"/"cuont"/'
try 's/"count": 3/"count": 3, "count": 4/'
try 's/"count": 3/"count": "three"/'
try 's/\[9, 5\]/[5, 5]/'
try 's/\[9, 5\]/[50, 5]/'
try 's/"duration": 10/"duration": 0/'
try 's/"route": \["exit"\]/"route": ["exitt"]/'
try 's/"count": 3/"count": 3000/'
try 's/"count": 3/"count": 9000000/' # at once, by the area
try 's/\[10, 10\]/[40000, 10]/' # 40 m were meant
try 's/"obstacles"/"radius_classes": [5], "obstacles"/' 2>&1 | tail -1
rm -r out
try 's/\[\[4, 4\], \[6, 6\]\]/[[4, 4], [4, 6]]/'
try 's/"ground": {/"ground": {"image": {"file": "none.png", "metres_per_pixel": 0.1}, /'
try 's/}$//'
printf '\357\273\277%s' "$good" >good.json # a byte order mark
"$throng" check good.json; echo "code $?"
"$throng" run none.json; echo "code $?"
"$throng" run .; echo "code $?"
truncate -s 100M large.json
"$throng" check large.json; echo "code $?"
printf '%s' "$good" >good.json
"$throng" run good.json --set populations.people.sped=2; echo "code $?"
"$throng" run good.json --set duration=-1; echo "code $?"
"$throng" info none.sqlite; echo "code $?"
"$throng" plot good.json >/dev/null 2>&1; echo "code $?"
"$throng" field good.json --goal none; echo "code $?"
"$throng" path good.json --from 5,5; echo "code $?"
ls | sort
