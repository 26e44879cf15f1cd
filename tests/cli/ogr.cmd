# Plans that GDAL's program ogr2ogr reads; where it is not installed, this is skipped.
plans=$cases/../io/plans
"$throng" convert "$plans/court.dxf" court.json
"$throng" convert "$plans/court.geojson" other.json --quiet
cmp court.json other.json && echo "the same scene"
"$throng" convert "$plans/hall.dxf" hall.json
"$throng" convert "$plans/hall.geojson" hall2.json --quiet
cmp hall.json hall2.json && echo "the same scene"
"$throng" convert "$plans/hall.dxf" inches.json --unit in
echo "no plan" >broken.dxf
"$throng" convert broken.dxf broken.json 2>&1 | grep throng; ls
