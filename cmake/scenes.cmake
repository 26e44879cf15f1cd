# The scenes of published experiments as bytes inside the program, so that `throng reproduce` needs no files beside it.
# Written when CMake runs, which it does again when a scene has changed.
set(texts "")
set(table "")
foreach(folder steering biocrowds)
  file(GLOB scenes CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/${folder}/*.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${scenes})
  foreach(scene ${scenes})
    get_filename_component(name ${scene} NAME_WE)
    file(READ ${scene} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(APPEND texts "static const unsigned char ${folder}_${name}[] = {${bytes}0};\n")
    string(APPEND table
           "    {\"${folder}/${name}\", (const char *)${folder}_${name}, sizeof ${folder}_${name} - 1},\n")
  endforeach()
endforeach()
set(TH_EXPERIMENT_SCENES ${PROJECT_BINARY_DIR}/experiment_scenes.c)
file(CONFIGURE OUTPUT ${TH_EXPERIMENT_SCENES} @ONLY CONTENT
"/* Written by cmake/scenes.cmake from scenes/steering and scenes/biocrowds. */
#include \"experiments/scenes.h\"
@texts@
const th_lab_scene th_lab_scenes[] = {
@table@    {0, 0, 0}};
")
