# Two variants over seeds: equal ones, different ones, other seeds, and what cannot be compared.
cat >hall.json <<'END'
{"version": 1, "name": "hall",
 "ground": {"outline": [{"rectangle": [[0, 0], [20, 10]]}],
            "obstacles": [{"rectangle": [[12, 0], [12.3, 4]]}, {"rectangle": [[12, 6], [12.3, 10]]}]},
 "goals": [{"name": "exit", "line": [[19, 2], [19, 8]], "sink": true}],
 "populations": [{"name": "people", "count": 20, "region": {"rectangle": [[1, 1], [8, 9]]}, "route": ["exit"],
                  "speed": {"mean": 1.34, "spread": 0.2}}],
 "measure": {"lines": [{"name": "door", "from": [12.15, 6], "to": [12.15, 4]}]},
 "duration": 60}
END
"$throng" run hall.json --seeds 1..8 --no-figures --quiet --out a
"$throng" run hall.json --seeds 1..8 --no-figures --quiet --out b
"$throng" run hall.json --seeds 21..28 --no-figures --quiet --out c
"$throng" run hall.json --seeds 1..8 --no-figures --quiet --out d --set populations.people.speed.mean=1.0
echo "-- the same scene and seeds"
"$throng" compare a/report.json b/report.json
echo "-- the same scene, other seeds"
"$throng" compare a/report.json c/report.json | grep -c differs
echo "-- slower people"
"$throng" compare a/report.json d/report.json | grep -E "^a|arrival_last|speed_mean|lines.door.flow|numbers differ"
"$throng" compare a/report.json d/report.json --json | grep -A 22 '"name": "speed_mean"' | grep -o '"differs": .*'
echo "-- over seeds there are lines, too"
grep -A 1 '"lines.door.flow"' a/report.json | head -2
echo "-- what cannot be compared"
"$throng" run hall.json --no-figures --quiet --out one
"$throng" compare one/report.json one/report.json
"$throng" compare a/report.json; echo "code $?"
"$throng" compare a/report.json b/report.json c/report.json; echo "code $?"
"$throng" compare a/report.json hall.json; echo "code $?"
"$throng" compare a/report.json a/trajectory.sqlite; echo "code $?"
