# The laboratory: the program throng_lab from lab/<publication>/**.c. It is never installed, and it is built and tested
# once: builds with sanitizers leave it out. All but its main function is the library throng_experiments, which its tests
# and the benchmarks of lab/bench link.
if(NOT TH_BUILD_PROGRAM OR NOT TH_BUILD_LAB OR TH_SANITIZE)
  return()
endif()

# The scenes of published experiments as bytes inside the program, so that `throng_lab reproduce` needs no files beside it.
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
"/* Written by cmake/lab.cmake from scenes/steering and scenes/biocrowds. */
#include \"lab/scenes.h\"
@texts@
const th_lab_scene th_lab_scenes[] = {
@table@    {0, 0, 0}};
")

file(GLOB_RECURSE TH_EXPERIMENTS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lab/*.c)
list(FILTER TH_EXPERIMENTS EXCLUDE REGEX "/lab/(bench/.*|published/.*|main\\.c)$")
add_library(throng_experiments STATIC ${TH_EXPERIMENTS} ${TH_EXPERIMENT_SCENES})
target_include_directories(throng_experiments PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(throng_experiments PUBLIC throng_published throng_commands)
add_executable(throng_lab ${PROJECT_SOURCE_DIR}/lab/main.c)
set_target_properties(throng_lab PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_libraries(throng_lab PRIVATE throng_experiments)
