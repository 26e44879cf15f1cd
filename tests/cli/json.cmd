# With --json standard output holds one document alone; in a pipe there is no progress bar.
"$throng" new my.json --quiet
"$throng" run my.json --json >run.json 2>messages
echo "code $?"
cat messages
head -c 1 run.json; echo
tail -n 1 run.json
grep -o '"hash"' run.json
cmp run.json out/first/report.json && echo "the same document as report.json"
"$throng" run my.json 2>&1 >/dev/null | wc -c # no bar in a pipe
"$throng" check my.json --json
"$throng" check none.json --json 2>/dev/null; echo "code $?"
"$throng" info my.json --json | grep '"agents"\|"kind"'
"$throng" info --schema | cmp - "$scenes/schema.json" && echo "the schema is the shipped one"
"$throng" info --models | grep -c '^follow:'
"$throng" path my.json --from 2,6 --json | head -2
