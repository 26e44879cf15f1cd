# Scenes and recordings on mesh ground: pictures, ways, numbers, and meshes as files.
"$throng" info --make | head -4
"$throng" convert planet,radius=5,level=2 ball.ply
"$throng" convert ball.ply ball.obj
"$throng" convert planet,radios=5 ball.obj 2>message || { echo "code $?"; head -1 message; }
"$throng" convert "$scenes/station.json" flat.obj 2>message || { echo "code $?"; sed 's|.*/scenes/||' message | head -1; }
"$throng" path "$scenes/tube.json" --goal "far end" --from 0,-5,2 --json | grep length | cut -c1-16
"$throng" path "$scenes/tube.json" --goal "far end" --from 0,-5,2 --corners
"$throng" path "$scenes/tube.json" --goal "far end" --from 0,-5,2 --corners --json | grep length | cut -c1-16 # of the whole path
"$throng" field "$scenes/house.json" --out field.png --width 400
"$throng" field "$scenes/house.json" --out field.svg --width 400 --thesis --edges --camera 30,40 --lens 30
"$throng" run "$scenes/house.json" --out out --quiet
echo "code $?"
ls out
"$throng" info out/trajectory.sqlite | grep -v file | sed 's|out/||'
"$throng" plot out/trajectory.sqlite --out plot.png --bodies --time 4 --camera auto --camera behind --width 400
"$throng" plot out/trajectory.sqlite --out plot.pdf --density --stretch 2 --width 400
"$throng" film out/trajectory.sqlite --out film/ --fps 1 --speed 4 --width 300 --quiet
ls film | wc -l
"$throng" convert out/trajectory.sqlite all.csv
head -20 all.csv | grep '^frame'
"$throng" convert all.csv again.sqlite
"$throng" convert out/trajectory.sqlite house.ply
"$throng" plot out/trajectory.sqlite --camera 10,100,3 2>message || { echo "code $?"; head -1 message; }
"$throng" explored "$scenes/search.json" --out explored.png --width 400
"$throng" explored "$scenes/explorer.json" --time 5 --out explored.svg --width 400 --json | grep -v area
"$throng" explored "$scenes/house.json" 2>message || { echo "code $?"; sed 's|.*/scenes/||' message | head -1; }
sed 's/"mesh": {/"mesh": {"prepare": true,/' "$scenes/house.json" >prepared.json
"$throng" run prepared.json --out prepared --quiet
"$throng" convert prepared/trajectory.sqlite prepared.csv --quiet
grep -v '^#' all.csv >a
grep -v '^#' prepared.csv | cmp - a && echo "prepared: the same"
tube=$matrix/follow_tube_reference_points.json
"$throng" check "$tube" | sed 's|.*/matrix/||'
"$throng" check "$tube" --set ground.mesh.all_fields=0.5 2>message || { echo "code $?"; sed 's|.*/matrix/||' message | head -1; }
"$throng" run "$tube" --out one --quiet --duration 10
"$throng" run "$tube" --out all --quiet --duration 10 --set ground.mesh.all_fields=64
"$throng" convert one/trajectory.sqlite one.csv --quiet
"$throng" convert all/trajectory.sqlite all.csv --quiet
grep -v '^#' one.csv >a
grep -v '^#' all.csv | cmp - a && echo "all fields beforehand: the same"
# what a mesh file, a building and the ground of a scene hold
"$throng" convert planet,radius=20,level=4 ball.obj
"$throng" info ball.obj
"$throng" info "$scenes/plans/office.json"
"$throng" info "$scenes/house.json" | grep ground
"$throng" info "$scenes/corridor.json" | grep ground
