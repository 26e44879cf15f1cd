# Expectations make a scene a test: exit code 1 when one is not met.
"$throng" new my.json --quiet
"$throng" run my.json --set expect.arrived=34 | grep -i 'wrong\|good'
"$throng" run my.json --set expect.arrived=34 --quiet; echo "code $?"
"$throng" run my.json --set expect.arrived=34 --quiet --no-expect; echo "code $?"
"$throng" run my.json --set 'expect={"arrived": {"min": 30}, "count": {"opening": {"min": 35, "max": 45}}, "stuck": 0}' |
  grep 'good\|WRONG'
"$throng" run my.json --duration 2 --quiet; echo "code $?"
"$throng" run my.json --seeds 1..4 | grep -v 'speed\|overlap\|steps'
"$throng" run my.json --seeds expect --set expect.seeds=3 --set expect.arrived=34 | grep 'seed\|met\|WRONG'
"$throng" run my.json --seeds expect --seed 2; echo "code $?"
grep -c interval95 out/first/report.json | sed 's/[0-9][0-9]*/some/'
"$throng" reproduce bvp --quiet; echo "code $?"
