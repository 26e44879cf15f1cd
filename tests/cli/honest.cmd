# A run says what a check knows, and what came of it: nobody has to open report.json to see that a scene is not meant so.
base='{"version": 1, "name": "hall", "duration": 20,
 "ground": {"outline": [{"rectangle": [[0, 0], [12, 6]]}], "obstacles": [
  {"rectangle": [[6, 0], [6.3, 2.5]]}, {"rectangle": [[6, 3.5], [6.3, 6]]}]},
 "goals": [{"name": "exit", "line": [[11, 1], [11, 5]], "sink": true, "field": "geodesic"}],
 "populations": [{"name": "people", "count": 20, "region": {"rectangle": [[1, 1], [5, 5]]}, "route": ["exit"]}]}'
try() {
  echo "- $1"
  printf '%s' "$base" | sed "$2" >hall.json
  "$throng" check hall.json
  "$throng" run hall.json --out out
  echo "code $?"
}
try 'a door of 1 m' ''
try 'a wall without a door' 's/\[6.3, 2.5\]/[6.3, 3.5]/'
try 'a door that the raster closes' 's/\[6.3, 2.5\]/[6.3, 2.9]/; s/"obstacles"/"cell": 0.25, &/'
try 'the same door, and a cell that suits it' 's/\[6.3, 2.5\]/[6.3, 2.9]/'
try 'a door of two cells beside a body' 's/"obstacles"/"cell": 0.25, &/'
try 'people on top of each other' 's/"count": 20, "region".*\]\]}, "route"/"positions": [[2, 2], [2, 2], [2.05, 2], [4, 4]], "route"/'
try 'an event after the end' 's/"goals"/"events": [{"at": 30, "dismiss": "people"}], "goals"/'
try 'no route' 's/, "route": \["exit"\]//'
try 'nobody' 's/,$/&/; s/"populations".*/"populations": []}/'
try 'a source that is too small' 's/"goals"/"sources": [{"name": "gate", "region": {"rectangle": [[1, 1], [2, 2]]}, "rate": 50, "route": ["exit"]}], "goals"/'
try 'a region that is cut off' 's/"region": {"rectangle": \[\[1, 1\]/"region": {"rectangle": [[-5, 1]/'
try 'a source between walls' 's/"goals"/"sources": [{"name": "gate", "region": {"rectangle": [[5.9, 0], [6.1, 2]]}, "rate": 5, "route": ["exit"]}], "goals"/'
try 'lines and areas' 's/"goals"/"measure": {"lines": [{"name": "door", "from": [6.15, 2.5], "to": [6.15, 3.5]}], "areas": [{"name": "before it", "rectangle": [[4, 1], [6, 5]]}]}, "goals"/'
try 'nobody avoids anybody' 's/"route": \["exit"\]/&, "model": "follow"/; s/"goals"/"people": false, &/'
grep -A 3 '"warnings"' out/report.json | cut -c 1-60
"$throng" run hall.json --out out --quiet
echo "- two scenes of one name"
mkdir a b
printf '%s' "$base" >a/hall.json
printf '%s' "$base" >b/hall.json
"$throng" run a/hall.json | tail -1
"$throng" run a/hall.json | tail -1
"$throng" run b/hall.json | tail -1
echo "- steps with risers, and a slope instead"
steps() { # how high each of four rises
  awk -v rise="$1" 'function row(x, z, k) {
      for (k = 0; k < 5; k++) { printf "v %g %g %g\n", x, 0.5 * k, z; n++
        if (k && n > 5) printf "f %d %d %d\nf %d %d %d\n", n - 6, n - 1, n, n - 6, n, n - 5 } }
    BEGIN { for (x = -4; x <= 0; x++) row(x, 0)
      for (k = 1; k <= 4; k++) { if (rise) row(0.3 * (k - 1), rise * k); row(0.3 * k, 0.17 * k) }
      for (x = 2; x <= 6; x++) row(x, 0.68) }' >steps.obj
  "$throng" check steps.json
}
printf '%s' '{"version": 1, "name": "steps", "ground": {"mesh": {"file": "steps.obj"}}, "duration": 20,
 "goals": [{"name": "end", "point": [4, 1, 0.68], "sink": true}],
 "populations": [{"name": "people", "count": 2, "region": {"rectangle": [[-3, 0], [-1, 2]]}, "route": ["end"]}]}' >steps.json
steps 0.17
steps 0
