# A newcomer's path: new, check, run, plot, film, compare, convert.
"$throng" new my.json
"$throng" check my.json
"$throng" run my.json | grep -v 'speed\|overlap\|steps'
ls out/first
sed 's/"count": 30/"count": 20/; s/"arrived": 35/"arrived": 25/; s/"first"/"second"/' my.json >other.json
"$throng" run other.json --quiet
"$throng" plot out/first/trajectory.sqlite --out paths.pdf --colour speed
"$throng" plot out/first/trajectory.sqlite --density --out density.svg
"$throng" film out/first/trajectory.sqlite --out frames/ --fps 1 --speed 10 --width 300
"$throng" compare out/first/trajectory.sqlite out/second/trajectory.sqlite | cut -d, -f 1-3
grep -o '"arrival_last": [0-9.]*' out/*/report.json # the same as those of compare
"$throng" convert out/first/trajectory.sqlite table.csv | cut -d: -f1
"$throng" convert table.csv again.sqlite | cut -d: -f1
"$throng" field my.json --goal exit --out field.png --width 400
"$throng" path my.json --from 2,6 --out way.png --width 400 | head -1
"$throng" path my.json --from 2,6 --corners
"$throng" info my.json | grep agents
ls | sort
echo "mine" >my.json
"$throng" new my.json
echo "code $?"
cat my.json
