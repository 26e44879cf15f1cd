# Plans of buildings become scenes: the same hall from two formats, layers by name, units, a scene that runs, and what is wrong.
plans=$cases/../io/plans
"$throng" convert "$plans/court.geojson" court.json
"$throng" convert "$plans/court.wkt" court2.json --layers outline=outline,exits=lines --quiet
cmp court.json court2.json && echo "the same scene"
"$throng" convert "$plans/hall.geojson" hall.json && cat hall.json
"$throng" run hall.json --quiet --no-figures --set populations.people.count=20 --do '{"at": 0, "close": "door 1"}' \
  --do '{"at": 5, "open": "door 1"}' && grep -m 1 -o '"arrived": 20' out/hall/report.json
echo "-- layers and units"
"$throng" convert "$plans/hall.geojson" other.json --layers outline=A-OUTLINE,obstacles=A-WALL+A-DOOR,doors=A-TEXT --unit 0.5
"$throng" convert "$plans/hall.geojson" country.json --unit km
cat >far.geojson <<'END'
{"type": "Polygon", "coordinates": [[[450000.25, 5400000.5], [450020.25, 5400000.5], [450020.25, 5400010.5], [450000.25, 5400000.5]]]}
END
"$throng" convert far.geojson far.json --layers "outline=" ; echo "code $?"
echo '{"type": "Feature", "properties": {"Layer": "floor"}, "geometry": ' >near.geojson && cat far.geojson >>near.geojson && echo '}' >>near.geojson
"$throng" convert near.geojson near.json && grep -E "description|polygon" near.json
echo "-- what is wrong"
"$throng" convert "$plans/hall.geojson" hall.json; echo "code $?"
"$throng" convert far.geojson far.json; echo "code $?"
"$throng" convert "$plans/hall.geojson" wrong.json --layers outline=A-OUT; echo "code $?"
"$throng" convert "$plans/hall.geojson" wrong.json --layers floor=A-OUT; echo "code $?"
"$throng" convert "$plans/hall.geojson" wrong.json --layers outline=A-EXIT; echo "code $?"
"$throng" convert "$plans/hall.geojson" wrong.json --unit yd 2>&1 | head -1
sed -e 's/20\.0/20000.0/g' "$plans/court.geojson" >large.geojson
"$throng" convert large.geojson wrong.json; echo "code $?"
PATH=/nowhere "$throng" convert "$plans/court.dxf" wrong.json; echo "code $?"
"$throng" convert none.geojson wrong.json; echo "code $?"
sed 's/LineString/Circle/' "$plans/hall.geojson" >circle.geojson
"$throng" convert circle.geojson wrong.json; echo "code $?"
sed 's/\[12, 0\]/["a", 0]/' "$plans/hall.geojson" >letter.geojson
"$throng" convert letter.geojson wrong.json; echo "code $?"
echo "POLYGON ((0 0, 4 0, 4 x, 0 0))" >letter.wkt
"$throng" convert letter.wkt wrong.json; echo "code $?"
[ -e wrong.json ] || echo "nothing was written"
