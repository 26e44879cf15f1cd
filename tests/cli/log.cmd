# A log of the run: a head, and a line for each second of the scene, whatever else is written.
"$throng" new my.json --quiet
"$throng" run my.json --log log.csv --quiet; echo "code $?"
head -n 1 log.csv
sed '$d' log.csv | awk -F, 'NR > 1 && $1 + 0 != NR - 1 { print "line", NR, "is about", $1 }'
awk -F, 'NF != 19 { print "line", NR, "has", NF, "columns" }' log.csv
[ "$(tail -n 1 log.csv | cut -d, -f3)" = "$(grep -o '"arrived": [0-9]*' out/first/report.json | head -n 1 | grep -o '[0-9]*')" ] && echo "arrivals as in the report"
"$throng" run my.json --log /no/such/folder/log.csv --quiet; echo "code $?"
