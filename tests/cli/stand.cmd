# People who stand for ever are told, and runs in which people are still there at the end do not count as evacuated.
cat >narrow.json <<'SCENE'
{"version": 1, "name": "narrow", "duration": 100,
 "ground": {"outline": [{"rectangle": [[0, 0], [12, 0.6]]}], "cell": 0.05, "radius_classes": [0.2]},
 "goals": [{"name": "east", "point": [11.2, 0.3], "sink": true, "field": "geodesic"},
  {"name": "west", "point": [0.8, 0.3], "sink": true, "field": "geodesic"}],
 "populations": [{"name": "one", "positions": [[2, 0.3]], "route": ["east"]},
  {"name": "other", "positions": [[10, 0.3]], "route": ["west"]},
  {"name": "post", "positions": [[11.75, 0.3]]}]}
SCENE
"$throng" run narrow.json --out narrow | grep 'stand'
"$throng" report narrow/trajectory.sqlite | grep 'stand'
"$throng" run narrow.json --out short --duration 50 | grep 'stand'
grep -c '"motionless": 2' narrow/report.json
echo "- some are too slow"
cat >slow.json <<'SCENE'
{"version": 1, "name": "slow", "duration": 60,
 "ground": {"outline": [{"rectangle": [[0, 0], [46, 6]]}]},
 "goals": [{"name": "east", "line": [[45, 0.5], [45, 5.5]], "sink": true, "field": "geodesic"}],
 "populations": [{"name": "people", "positions": [[2, 1], [2, 3], [2, 5]], "speed": {"from": 0.5, "to": 1.5},
   "route": ["east"]}]}
SCENE
"$throng" run slow.json --seeds 1..8 --out slow | grep 'arriv'
"$throng" run slow.json --seeds 1..3 --out slow --duration 20 | grep 'arriv'
grep -A 4 '"arrival_last": {' slow/report.json
"$throng" run slow.json --seeds 1..3 --out slow --duration 100 | grep 'arriv'
