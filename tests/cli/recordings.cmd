# Recordings: whole copies, CSV to the same bits, never onto themselves, damage, two runs into one folder.
"$throng" run "$scenes/station.json" --out out --quiet --no-expect --duration 40
"$throng" convert out/trajectory.sqlite a.csv
"$throng" convert a.csv b.sqlite
"$throng" convert b.sqlite b.csv
cmp a.csv b.csv && echo "the same bytes"
md5sum b.sqlite >before
"$throng" convert b.sqlite b.sqlite 2>message; echo "code $?"; head -1 message
ln -s b.sqlite other.sqlite
"$throng" convert b.sqlite other.sqlite 2>message; echo "code $?"; head -1 message
md5sum --quiet -c before && echo "files are as before"
"$throng" convert out/trajectory.sqlite copy.sqlite
"$throng" info out/trajectory.sqlite | sed 1d >first
"$throng" info copy.sqlite | sed 1d | cmp - first && echo "the same content"
# numbers of what exists, and of lines that another scene draws through it
"$throng" report out/trajectory.sqlite --out numbers.json
grep -m 1 '"arrived": ' numbers.json
"$throng" report a.csv | tail -n +2
sed 's/"west stairs"/"somewhere"/' "$scenes/station.json" >lines.json
"$throng" report a.csv lines.json | grep "line somewhere"
"$throng" report a.csv none.json; echo "code $?"
# who they were
"$throng" run "$scenes/corridor.json" --out streams --quiet
"$throng" info streams/trajectory.sqlite | grep -E 'populations|models|arrivals'
"$throng" compare streams/trajectory.sqlite streams/trajectory.sqlite | sed 's/, [0-9.]* m.s.*//'
"$throng" plot streams/trajectory.sqlite --colour population --out streams.png
head -c 40000 out/trajectory.sqlite >cut.sqlite
"$throng" info cut.sqlite; echo "code $?"
# endings are wrong in the same way for every command that draws
"$throng" plot out/trajectory.sqlite --out p.txt; echo "code $?"
"$throng" path "$scenes/station.json" --from 5,22 --out p.txt; echo "code $?"
"$throng" field "$scenes/station.json" --out p.txt; echo "code $?"
"$throng" compare copy.sqlite copy.sqlite --out p.txt; echo "code $?"
# two runs into one folder: the second one is told so, the first one goes on
sed 's/"duration": 120/"duration": 1000000/; s/"dt": 0.1//' "$scenes/corridor.json" |
  sed 's/"sink": true/"sink": false/g; s/"route": \["east"\]/"route": ["east", "west"], "loop": true/' >long.json
"$throng" run long.json --out busy --set recording.every=5 --quiet &
first=$!
for k in 1 2 3 4 5 6 7 8 9; do [ -e busy/trajectory.sqlite ] || sleep 0.5; done
"$throng" run long.json --out busy --duration 1 --quiet; echo "code $?"
kill -INT $first
wait $first
echo "code $?"
"$throng" info busy/trajectory.sqlite >/dev/null && ls busy
