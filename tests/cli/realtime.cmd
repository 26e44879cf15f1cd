# A scene in real time gives up that a second run is the same, and says so: in the report, and once on standard error.
"$throng" new my.json --quiet
sed -e 's/"duration"/"realtime": true, "duration"/' my.json >fast.json
"$throng" run fast.json --no-expect --quiet --seeds 1..3 --out fast
grep '"deterministic"\|"note"' fast/report.json
"$throng" run my.json --quiet --out usual
grep '"deterministic"\|"note"' usual/report.json
