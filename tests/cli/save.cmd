# A scene is written again: as it is, with other values, in another folder, never over a file unasked.
"$throng" save "$scenes/building.json" | head -5
mkdir a b
cat >a/mine.json <<'END'
{"version": 1, "name": "mine", "duration": 9,
 "ground": {"image": {"file": "../maps/plan.png", "metres_per_pixel": 5.0e-2}},
 "goals": [{"name": "out", "point": [1.50, 2]}],
 "populations": [{"name": "p", "positions": [[3, 4]], "route": ["out"], "speed": 1.34}]}
END
"$throng" save a/mine.json --set populations.p.speed=2 --out b/mine.json
cat b/mine.json
"$throng" save a/mine.json --out b/mine.json
echo "code $?"
"$throng" save a/mine.json --out b/mine.json --force
grep speed b/mine.json
"$throng" save a/mine.json --out nowhere/mine.json
echo "code $?"
"$throng" save "$scenes/corridor.json" --out b/corridor.json --quiet
"$throng" run "$scenes/corridor.json" --duration 5 --json --no-figures --out one | grep '"hash"' >one.txt
"$throng" run b/corridor.json --duration 5 --json --no-figures --out two | grep '"hash"' >two.txt
cmp one.txt two.txt && wc -l <one.txt
# The world as it stands after some seconds.
cat >walk.json <<'END'
{"version": 1, "name": "walk", "duration": 20, "people": false, "ground": {"outline": [{"rectangle": [[0, 0], [20, 6]]}],
 "doors": [{"name": "gate", "rectangle": [[12, 0], [12.5, 6]]}]},
 "goals": [{"name": "a", "point": [4, 3]}, {"name": "b", "point": [18, 3]}],
 "populations": [{"name": "p", "positions": [[1, 2], [1, 4]], "model": "follow", "speed": 1, "route": ["a", "b"]}],
 "events": [{"at": 3.5, "close": "gate"}, {"at": 8, "open": "gate"}], "expect": {"arrived": 2}}
END
"$throng" save walk.json --time 4 --out b/walk.json 2>&1
grep -o '"closed": [a-z]*\|"events": .*\|"stop": 1\|"duration": .*' b/walk.json
"$throng" save walk.json --time 4 --out b/walk.json
echo "code $?"
"$throng" check b/walk.json --quiet
echo "code $?"
