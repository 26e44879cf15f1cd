# The libraries around the core (files, figures) and the program. TH_ALL names every library that exists.
set(TH_ALL throng)

# th_add_around(io libpng jansson): library throng_io from src/io with these pkg-config modules.
function(th_add_around name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.c)
  if(NOT sources)
    return()
  endif()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(TH_${name} REQUIRED IMPORTED_TARGET ${ARGN})
  add_library(throng_${name} STATIC ${sources})
  target_include_directories(throng_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(throng_${name} PUBLIC throng PkgConfig::TH_${name})
  set(TH_ALL throng_${name} ${TH_ALL} PARENT_SCOPE)
endfunction()

if(TH_BUILD_PROGRAM)
  th_add_around(io libpng jansson sqlite3)
  th_add_around(report cairo)
endif()
