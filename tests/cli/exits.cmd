# Three exits are one goal: everybody goes to the nearest of them, round the wall of a stage; a door closes one of them.
cat >exits.json <<'SCENE'
{"version": 1, "name": "exits", "duration": 120,
 "ground": {
  "outline": [{"rectangle": [[0, 0], [30, 18]]}, {"rectangle": [[-2, 7], [0, 9]]}, {"rectangle": [[30, 3], [32, 5]]},
   {"rectangle": [[19, 18], [21, 20]]}],
  "obstacles": [{"rectangle": [[10, 6], [20, 6.4]]}, {"rectangle": [[20, 6], [20.4, 12]]}],
  "doors": [{"name": "gate", "rectangle": [[-0.2, 7], [0, 9]]}]},
 "goals": [{"name": "exits", "lines": [[[-1.5, 7], [-1.5, 9]], [[31.5, 3], [31.5, 5]], [[19, 19.5], [21, 19.5]]],
  "field": "geodesic", "sink": true}],
 "populations": [{"name": "audience", "count": 60, "region": {"rectangle": [[2, 1], [28, 17]]}, "route": ["exits"]}],
 "measure": {"lines": [{"name": "west", "from": [0, 7], "to": [0, 9]}, {"name": "east", "from": [30, 3], "to": [30, 5]},
  {"name": "north", "from": [19, 18], "to": [21, 18]}]}}
SCENE
"$throng" check exits.json
"$throng" run exits.json | grep 'arrived\|line'
"$throng" run exits.json --set ground.doors.0.closed=true --out closed | grep 'arrived\|line'
for from in 3,8 27,4 20,16; do "$throng" path exits.json --goal exits --from $from | tail -1; done
"$throng" field exits.json --goal exits --out field.png
echo "- mistakes"
sed -i 's/\[19, 19.5\], \[21, 19.5\]\]\]/[19, 19.5]]]/' exits.json
"$throng" check exits.json
