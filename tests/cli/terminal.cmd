# On a terminal a run shows a bar. Needs a pseudo-terminal; where none can be made, run.sh leaves it out and says so.
"$throng" new my.json --quiet
script -qec "'$throng' run my.json --no-expect" /dev/null | grep -q '%  .* agents' && echo "there is a bar"
