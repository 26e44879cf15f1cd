# The list of commands, the options of one, wrong command lines: exit code 2.
"$throng" help
"$throng" help run
"$throng" run --help | head -1
for words in "" "fly" "rnu scene.json" "run" "run a b" "run a --sedes 1" "run a --seed" "run a --seed 0" \
  "run a --seeds 5..1" "run a --seed 1 --seeds 1..2" "run a --workers 65" "plot a --json" "path a" "plot a --colour red" \
  "convert a b" "check a --set"; do
  # shellcheck disable=SC2086
  "$throng" $words >/dev/null 2>message
  echo "code $? for: throng $words"
  head -1 message
done
