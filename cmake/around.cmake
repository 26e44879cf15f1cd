# The libraries around the core: throng_io (files) and throng_report (figures). They are static, use internals of the
# static core, and exist only when they have sources. TH_ALL names every library that exists, TH_AROUND the parts.
set(TH_ALL throng)
set(TH_AROUND "")

# th_add_around(io libpng jansson): library throng_io from src/io with these pkg-config modules. A part that exists
# already may be used by the next one.
function(th_add_around name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.c)
  if(NOT sources)
    return()
  endif()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(TH_${name} REQUIRED IMPORTED_TARGET ${ARGN})
  add_library(throng_${name} ${TH_INNER} ${sources})
  add_library(throng::throng_${name} ALIAS throng_${name})
  target_include_directories(throng_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(throng_${name} PUBLIC ${TH_ALL} PRIVATE PkgConfig::TH_${name})
  if(TH_INNER STREQUAL SHARED) # as it is with STATIC: the program calls some of these modules itself
    target_link_libraries(throng_${name} INTERFACE $<LINK_ONLY:PkgConfig::TH_${name}>)
  endif()
  set(TH_MODULES_${name} ${ARGN} PARENT_SCOPE)
  set(TH_ALL throng_${name} ${TH_ALL} PARENT_SCOPE)
  set(TH_AROUND ${TH_AROUND} ${name} PARENT_SCOPE)
endfunction()

if(TH_BUILD_PROGRAM)
  th_add_around(io libpng jansson sqlite3 assimp)
  th_add_around(report cairo jansson)
endif()
