# Ctrl-C ends a run cleanly: exit code 130, a complete recording so far, figures and a report that says so.
sed 's/"duration": 120/"duration": 1000000/; s/"dt": 0.1//' "$scenes/corridor.json" |
  sed 's/"sink": true/"sink": false/g; s/"route": \["east"\]/"route": ["east", "west"], "loop": true/' >long.json
"$throng" run long.json --out out --set recording.every=5 --quiet &
child=$!
sleep 1
kill -INT $child
wait $child
echo "code $?"
ls out
grep interrupted out/report.json
"$throng" info out/trajectory.sqlite | grep -c 'frames'
