# The libraries around the core: throng_make (made meshes), throng_published (published planners), throng_io (files) and
# throng_report (figures). They are static, use internals of the static core, and io and report exist only with the program,
# for they need other libraries. TH_ALL names every library that exists and the program uses, TH_AROUND the parts, in order
# of need.
set(TH_ALL throng)
set(TH_AROUND "")

# th_add_around(io src/io NEEDS make MODULES libpng jansson): library throng_io, for users throng::io, from the sources of a
# folder, with parts that stand before it and pkg-config modules.
function(th_add_around name folder)
  cmake_parse_arguments(PARSE_ARGV 2 around "" "" "NEEDS;MODULES")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.c)
  add_library(throng_${name} ${TH_INNER} ${sources})
  add_library(throng::${name} ALIAS throng_${name})
  set_target_properties(throng_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(throng_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  foreach(part ${around_NEEDS})
    target_link_libraries(throng_${name} PUBLIC throng_${part})
  endforeach()
  target_link_libraries(throng_${name} PUBLIC throng)
  if(around_MODULES)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(TH_${name} REQUIRED IMPORTED_TARGET ${around_MODULES})
    target_link_libraries(throng_${name} PRIVATE PkgConfig::TH_${name})
    if(TH_INNER STREQUAL SHARED) # as it is with STATIC: the program calls some of these modules itself
      target_link_libraries(throng_${name} INTERFACE $<LINK_ONLY:PkgConfig::TH_${name}>)
    endif()
  endif()
  set(TH_MODULES_${name} ${around_MODULES} PARENT_SCOPE)
  set(TH_NEEDS_${name} ${around_NEEDS} PARENT_SCOPE)
  set(TH_AROUND ${TH_AROUND} ${name} PARENT_SCOPE)
endfunction()

th_add_around(make src/make)
list(PREPEND TH_ALL throng_make)
th_add_around(published lab/published)
target_include_directories(throng_published PRIVATE ${PROJECT_SOURCE_DIR}) # its files are "lab/published/..."
if(TH_BUILD_PROGRAM)
  th_add_around(io src/io NEEDS make MODULES libpng jansson sqlite3 assimp)
  th_add_around(report src/report NEEDS io make MODULES cairo jansson)
  list(PREPEND TH_ALL throng_report throng_io)
endif()
