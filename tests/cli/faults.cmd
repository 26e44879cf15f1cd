# What scenes and recordings of strangers and tired people get: a warning or an error, no hang, no terminal codes.
room='"version": 1, "name": "room", "duration": 3, "goals": [{"name": "east", "point": [9, 3]}]'
floor='"ground": {"outline": [{"rectangle": [[0, 0], [10, 6]]}]'
crowd='"populations": [{"name": "all", "positions": [[2, 2], [2, 4]], "route": ["east"], "speed": 1.2}]'
put() { printf '%s\n' "{$room, $1}" >"$2.json"; }
say() { put "$1" "$2"; "$throng" check "$2.json" 2>&1 | cat -v; }
echo "-- nothing of a scene steers the terminal"
say "$floor}, \"\u001b]0;title\u0007\": 1" key
say "$floor}, \"populations\": [{\"name\": \"a\nb\", \"count\": 1}]" name
echo "-- a shape that flat ground does not know"
say "$floor}, $crowd, \"events\": [{\"at\": 1, \"add\": {\"everywhere\": true}}]" everywhere
say "$floor, \"obstacles\": [{\"ball\": {\"centre\": [1, 1, 0], \"radius\": 1}}]}, $crowd" ball
echo "-- what is accepted is told"
say "$floor}, \"dt\": 1, \"populations\": [{\"name\": \"all\", \"positions\": [[2, 2]], \"route\": [\"east\"], \"speed\": 50}],
  \"sources\": [{\"name\": \"late\", \"region\": {\"rectangle\": [[1, 1], [4, 5]]}, \"rate\": 1, \"begin\": 10, \"route\": [\"east\"]}],
  \"groups\": [{\"name\": \"none\", \"populations\": []}], \"recording\": {\"every\": 7},
  \"measure\": {\"lines\": [{\"name\": \"dot\", \"from\": [1, 1], \"to\": [1, 1]}],
    \"areas\": [{\"name\": \"moon\", \"rectangle\": [[20, 20], [30, 30]]}]}" idle
lines="\"ground\": {\"outline\": [{\"rectangle\": [[0, 0], [10, 6]]}], \"markers\": {}},
  \"groups\": [{\"name\": \"rows\", \"populations\": [\"all\"], \"align\": \"both\"}]"
say "$lines, $crowd" rows
say "$lines, ${crowd%??}, \"model\": \"biocrowds\"}]" rows
echo "-- files that are none"
mkdir folder
mkfifo pipe.obj
say "\"ground\": {\"image\": {\"file\": \"folder\", \"metres_per_pixel\": 0.1}}" image
say "\"ground\": {\"mesh\": {\"file\": \"pipe.obj\"}}" pipe
say "$floor, \"markers\": {\"file\": \"../markers\"}}, $crowd" markers
echo "-- a mesh that had to be mended"
printf 'v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nv 5 5 5\nf 1 2 3\nf 1 3 4\nf 4 3 1\nf 1 1 2\n' >square.obj
echo '{"version": 1, "name": "square", "duration": 1, "ground": {"mesh": {"file": "square.obj"}}}' >square.json
"$throng" check square.json
"$throng" convert square.obj square.ply
"$throng" info square.obj | grep mended
echo "-- people under a new obstacle are told, and their displacement is not walked"
put "$floor}, $crowd, \"events\": [{\"at\": 0.5, \"add\": {\"rectangle\": [[0, 0], [6, 6]]}}]" moved
"$throng" run moved.json --out moved --no-figures
ls moved
echo "-- arguments are counted"
"$throng" compare moved/trajectory.sqlite
"$throng" report
echo "-- nothing is written through links that wait in a shared folder"
mkdir shared
echo precious >victim
for name in figure.png figure.svg report.json trajectory.sqlite; do ln -s "$PWD/victim" "shared/$name.part"; done
"$throng" run "$scenes/corridor.json" --duration 1 --no-expect --quiet --out shared
"$throng" report shared/trajectory.sqlite --quiet --out shared/again.json
cat victim
