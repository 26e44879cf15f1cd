# Outputs that cannot be written: exit code 4, files of an earlier run stay as they were.
"$throng" new my.json --quiet
"$throng" run my.json --out out --quiet
echo "code $?"
md5sum out/* >before
touch file
"$throng" run my.json --out file/inside --quiet; echo "code $?"
"$throng" run my.json --out file --quiet; echo "code $?"
"$throng" run my.json --out /proc/none/here --quiet; echo "code $?"
"$throng" new /proc/none/my.json; echo "code $?"
# a full disk: no file may grow beyond 16 kB
(ulimit -f 16; "$throng" run my.json --out out --quiet 2>message); echo "code $?"
grep -c trajectory.sqlite message
# an expectation that fails replaces nothing but its own files, an error replaces nothing
"$throng" run my.json --out out --quiet --set goals.exi.arrive=2; echo "code $?"
"$throng" run my.json --out out --quiet --set goals.exit.line='[[14.2, 1], [14.3, 1]]'; echo "code $?"
md5sum --quiet -c before && echo "files are as before"
ls out
"$throng" plot out/trajectory.sqlite --out /proc/none/x.png; echo "code $?"
