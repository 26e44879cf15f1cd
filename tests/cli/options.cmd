# Options that are nearly right, values out of range, and what is shown of models.
"$throng" run x.json --sed 3; echo "code $?"
"$throng" plot x.sqlite --colr=speed; echo "code $?"
"$throng" run x.json --unlike-any; echo "code $?"
"$throng" run x.json --workers 1000; echo "code $?"
"$throng" run x.json --seeds 5..1; echo "code $?"
"$throng" info --models | grep -c ' 0 to 0;\|\[\]'
"$throng" info --models | grep ' side  \| motion  \| v  \| slow_within'
"$throng" info --models --json | grep -A 8 '"name": "side"'
"$throng" new my.json --quiet
"$throng" run my.json --quiet
"$throng" plot out/first/trajectory.sqlite --time 9999; echo "code $?"
"$throng" plot out/first/trajectory.sqlite --bodies --time 5 --out moment.svg --width 400
"$throng" plot out/first/trajectory.sqlite --bodies --time 6 --out later.svg --width 400
cmp -s moment.svg later.svg || echo "another moment, another figure"
# Without ffmpeg frames are made; that is told before, and what is printed exists.
mkdir empty
PATH=$PWD/empty "$throng" film out/first/trajectory.sqlite --out film.mp4 --fps 1 --speed 10 --width 300
[ -d film ] && ls film
# The colour of paths on meshes is the one that was asked for.
"$throng" run "$scenes/terrain.json" --out out/terrain --duration 10 --quiet --no-expect
for by in time speed agent; do "$throng" plot out/terrain/trajectory.sqlite --colour $by --out $by.png --width 400; done
cmp -s time.png speed.png || cmp -s time.png agent.png || cmp -s speed.png agent.png || echo "three figures"
