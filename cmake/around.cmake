# The libraries around the core: throng_make (made meshes), throng_published (published planners), throng_io (files) and
# throng_report (figures). They are static, use internals of the static core, and io and report exist only with the program,
# for they need other libraries. TH_ALL names every library that exists and the program uses, TH_AROUND the parts, in order
# of need.
set(TH_ALL throng)
set(TH_AROUND "")

# Where a module is not to be had, TH_WITHOUT names it (libpng;assimp;sqlite3): what it reads is then told as an error by
# src/io/without, or, of sqlite3, is not there.
set(TH_WITHOUT "" CACHE STRING "Modules that throng_io does without: libpng, assimp, sqlite3")
set(TH_READER_libpng image/png)
set(TH_READER_assimp mesh/import)
set(TH_READER_sqlite3 "(recording/.*|mesh/write)")

# th_add_around(io src/io NEEDS make MODULES libpng jansson): library throng_io, for users throng::io, from the sources of a
# folder, with parts that stand before it and pkg-config modules.
function(th_add_around name folder)
  cmake_parse_arguments(PARSE_ARGV 2 around "" "" "NEEDS;MODULES")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.c)
  list(FILTER sources EXCLUDE REGEX /src/io/without/)
  foreach(module ${TH_WITHOUT})
    if(module IN_LIST around_MODULES)
      list(FILTER sources EXCLUDE REGEX "/src/io/${TH_READER_${module}}\\.c$")
      list(REMOVE_ITEM around_MODULES ${module})
      get_filename_component(reader "${TH_READER_${module}}" NAME)
      file(GLOB instead ${PROJECT_SOURCE_DIR}/${folder}/without/${reader}.c)
      list(APPEND sources ${instead})
    endif()
  endforeach()
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
if(TH_BUILD_PROGRAM OR TH_BUILD_IO)
  th_add_around(io src/io NEEDS make MODULES libpng jansson sqlite3 assimp)
  list(PREPEND TH_ALL throng_io)
  if(EMSCRIPTEN) # a page fetches it, and no step runs it
    target_compile_options(throng_io PRIVATE -Os)
  endif()
endif()
if(TH_BUILD_PROGRAM)
  th_add_around(report src/report NEEDS io make MODULES cairo jansson)
  list(PREPEND TH_ALL throng_report)
endif()
