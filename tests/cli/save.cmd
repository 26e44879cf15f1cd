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
