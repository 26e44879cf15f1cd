# what biocrowds, trees and groups cannot work with is told with its line, and nothing hangs: markers wider apart than the
# room or than an agent sees, a grid of them that meets no free ground, an area beside the ground, a tree that sees no marker, a target that leaves
scene() { # ground, rest
  cat >scene.json <<SCENE
{
  "version": 1,
  "name": "scene",
  "people": false,
  "ground": $1,
  $2,
  "duration": 10
}
SCENE
}
room='"outline": [{"rectangle": [[0, 0], [6, 4]]}]'
someone='"populations": [{"name": "a", "model": "biocrowds", "positions": [[1, 1], [2, 1]]}]'
check() { "$throng" check scene.json; echo "code $?"; }
scene "{$room, \"markers\": {\"distance\": 7}}" "$someone"; check
scene "{$room, \"markers\": {\"distance\": 0}}" "$someone"; check
scene "{$room, \"markers\": {\"distance\": 2}}" "$someone"; check
scene "{$room, \"obstacles\": [{\"rectangle\": [[-1, -1], [7, 5]]}]}" "$someone"; check
scene "{$room, \"markers\": {\"distance\": 4, \"layout\": \"grid\"}, \"obstacles\": [{\"rectangle\": [[1.5, -1], [7, 5]]}, {\"rectangle\": [[-1, 1.5], [7, 5]]}]}" \
  '"populations": [{"name": "a", "model": "biocrowds", "positions": [[1, 1]]}]'; check
scene "{$room}" "$someone, \"groups\": [{\"populations\": [\"a\"], \"area\": [{\"rectangle\": [[10, 10], [12, 12]]}]}]"; check
scene "{$room}" "$someone, \"groups\": [{\"populations\": [\"a\"], \"area\": [{\"polygon\": [[1, 1], [3, 3], [3, 1], [1, 3]]}]}]"; check
scene "{$room}" "$someone, \"groups\": [{\"populations\": [\"b\"], \"align\": \"both\"}]"; check
scene "{$room}" "$someone, \"groups\": [{\"name\": \"rows\", \"populations\": [\"a\"], \"align\": \"both\"}], \"expect\": {\"askew\": {\"row\": 0}}"; check
scene "{$room}" "\"guides\": [{\"name\": \"t\", \"tree\": {\"action\": 1}}], $someone"; check
scene "{$room}" '"guides": [{"name": "t", "tree": {}}],
  "populations": [{"name": "hare", "model": "biocrowds", "positions": [[5, 3]], "guide": "t"},
                  {"name": "hound", "model": "biocrowds", "positions": [[1, 1]], "guide": "t", "speed": 0.2, "links": {"target": "hare"}}],
  "events": [{"at": 2, "dismiss": "hare"}], "expect": {"agents": 2, "arrived": 0, "lost": 1, "stuck": 0}'
"$throng" run scene.json --quiet --out o; echo "code $?"
# an obstacle on the area of a formation: its members have no way any more, and are told so
scene "{$room}" "$someone, \"groups\": [{\"populations\": [\"a\"], \"area\": [{\"rectangle\": [[4, 2], [5.5, 3.5]]}]}],
  \"events\": [{\"at\": 0.5, \"add\": {\"rectangle\": [[3.5, 1.5], [5.9, 3.9]]}}], \"expect\": {\"agents\": 2, \"lost\": 2, \"stuck\": 0}"
"$throng" run scene.json --quiet --out p; echo "code $?"
