# The scenes of the steering library as bytes inside the program, so that `throng reproduce steering` needs no files beside it.
# Written when CMake runs, which it does again when a scene has changed.
file(GLOB scenes CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/steering/*.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${scenes})
set(texts "")
set(table "")
foreach(scene ${scenes})
  get_filename_component(name ${scene} NAME_WE)
  file(READ ${scene} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND texts "static const unsigned char ${name}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${name}\", (const char *)${name}, sizeof ${name} - 1},\n")
endforeach()
set(TH_STEERING_SCENES ${PROJECT_BINARY_DIR}/steering_scenes.c)
file(CONFIGURE OUTPUT ${TH_STEERING_SCENES} @ONLY CONTENT
"/* Written by cmake/scenes.cmake from scenes/steering. */
#include \"experiments/steering/lab.h\"
@texts@
const th_steer_scene th_steer_scenes[] = {
@table@    {0, 0, 0}};
")
