# Scenes whose goals name a published relaxation: run by the laboratory, refused by throng.
cat >room.json <<'S'
{
  "version": 1, "name": "room", "duration": 20,
  "ground": {"outline": [{"rectangle": [[0, 0], [12, 8]]}]},
  "goals": [{"name": "exit", "point": [10, 4], "field": "harmonic", "method": "sor", "sink": true}],
  "populations": [{"name": "walkers", "count": 4, "region": {"rectangle": [[1, 2], [3, 6]]}, "route": ["exit"]}],
  "expect": {"arrived": 4}
}
S
"$throng" run room.json --quiet; echo "code $?"
"$throng" run room.json --set goals.0.method=jacobi --set goals.0.sweeps=3 | grep -i 'wrong\|good'
"$throng" run room.json --set goals.0.method=direct --quiet; echo "code $?"
"$throng" run room.json --set goals.0.methd=sor; echo "code $?"
"$throng" run room.json --set goals.0.method=magic; echo "code $?"
"$throng" run room.json --set goals.0.field=roomy; echo "code $?"
"$throng" path room.json --from 2,6 --set goals.0.method=seidel --set goals.0.sweeps=1; echo "code $?"
"$throng" field room.json --quiet && ls field.png
"$(dirname "$throng")/throng" check room.json; echo "code $?"
