# Runs that are driven, and run again.
cat >hall.json <<'SCENE'
{"version": 1, "name": "hall", "duration": 20, "ground": {"outline": [{"rectangle": [[0, 0], [12, 6]]}],
 "doors": [{"name": "exit", "rectangle": [[8, 0], [8.5, 6]]}]},
 "goals": [{"name": "out", "rectangle": [[10, 2], [11, 4]]}],
 "populations": [{"name": "people", "positions": [[2, 2], [2, 4]], "route": ["out"]}]}
SCENE
echo == run
$throng run hall.json --quiet --no-figures --do '{"at": 1, "close": "exit"}' --do '{"step": 60, "open": "exit"}' --episode done.json
$throng replay done.json
$throng replay done.json --workers 2 --json
sed 's/"hash": "./"hash": "x/' done.json >wrong.json
$throng replay wrong.json 2>&1 | sed 's/hash .*//'
$throng replay hall.json
$throng run hall.json --quiet --no-figures --do '{"close": "exit"}'
$throng run hall.json --quiet --no-figures --do '{"at": 1, "close": "exits"}'
echo == interactive
printf '%s\n' '{"steps": 5}' '{"enter": {"name": "more", "positions": [[3, 3]], "route": ["out"]}}' '{"enter": 3}' '{"close": "nowhere"}' \
  '{"steps": 5}' '{"go_to": 5}' '{"save": "now.json"}' '{"save": "now.json"}' '{"go_to": 900}' 'no json' |
  $throng run hall.json --interactive --episode mine.json | sed 's/"hash":"[0-9a-f]*"/"hash":"..."/; s/"point".*//'
$throng replay mine.json
grep -c '"point"' now.json
