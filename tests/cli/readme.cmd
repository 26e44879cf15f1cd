# What the README shows is true: its scene meets what it expects, its C is the example that the build compiles.
readme=$scenes/../README.md
block() { awk -v kind="$1" '$0 == "```" kind { on = 1; next } /^```/ { on = 0 } on' "$readme"; }
block json >door.json
wc -l <door.json
"$throng" check door.json
"$throng" run door.json | grep 'good\|WRONG'
"$throng" film out/door/trajectory.sqlite --out frames/ --fps 1 --speed 10 --width 300
block c >walk.c
sed 1d "$scenes/../examples/walk.c" | diff - walk.c && echo "the example is the same"
grep -o '](\([^)]*\))' "$readme" | tr -d '])(' | while read -r link; do
  [ -e "$scenes/../$link" ] || echo "no file: $link"
done
