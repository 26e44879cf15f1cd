# The same scene and seed give the same recording for any number of workers; another seed gives another one.
for scene in corridor rooms station; do
  for workers in 1 2 3; do
    "$throng" run "$scenes/$scene.json" --workers $workers --out "$scene.$workers" --quiet
    "$throng" convert "$scene.$workers/trajectory.sqlite" "$scene.$workers.csv" --quiet
  done
  cmp "$scene.1.csv" "$scene.2.csv" && cmp "$scene.1.csv" "$scene.3.csv" && echo "$scene: the same"
done
"$throng" run "$scenes/corridor.json" --simd four --out four --quiet
grep '"hash"' four/report.json >a
grep '"hash"' corridor.1/report.json | cmp - a && echo "simd: the same"
"$throng" run "$scenes/corridor.json" --seed 2 --out two --quiet
grep '"hash"' two/report.json | cmp -s - a || echo "seed: another"
