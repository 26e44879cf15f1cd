# A scene in a page: the program finds the page beside itself, as it is installed, and puts the pack where it belongs;
# without a page, and for a scene that is wrong, nothing is written.
mkdir -p bin share/throng
cp "$throng" bin/throng
printf 'before @SCENE@ after\n' >share/throng/throng.html
bin/throng view "$scenes/orca_door.json" --no-open
bin/throng pack "$scenes/orca_door.json" --out door.pack --quiet
[ "before $(cat door.pack) after" = "$(cat orca_door.html)" ] && echo "the pack is in its place"
grep -c '[<>&]' orca_door.html
bin/throng view "$scenes/orca_door.json" --no-open --quiet --out other.html && cmp orca_door.html other.html && echo "the same"
echo '{"version": 1}' >wrong.json
bin/throng view wrong.json --no-open 2>&1 | head -1
ls wrong.html 2>/dev/null
mkdir alone
cp "$throng" alone/throng
rm -r share
alone/throng view "$scenes/orca_door.json" --no-open --out none.html 2>&1
echo "code $?"
ls none.html 2>/dev/null
