# The core library: every layer below io. It links libc, libm and threads only.
find_package(Threads REQUIRED)

set(TH_LAYERS base geometry ground field view guide people model group world)
set(TH_CORE "")
set(TH_LANES "")
foreach(layer ${TH_LAYERS})
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.c)
  list(APPEND TH_CORE ${found})
endforeach()
foreach(source ${TH_CORE})
  if(source MATCHES "\\.lanes\\.c$")
    list(APPEND TH_LANES ${source})
  endif()
endforeach()
list(FILTER TH_CORE EXCLUDE REGEX "\\.lanes\\.c$")

# gcc before 13 ends with an internal error when it vectorises these files for ARM64.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 13
   AND CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/guide/tree/rules.c ${PROJECT_SOURCE_DIR}/src/report/metrics/near.c
                              PROPERTIES COMPILE_OPTIONS -fno-tree-vectorize)
endif()

add_library(throng_objects OBJECT ${TH_CORE})
target_include_directories(throng_objects PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
set(TH_OBJECTS $<TARGET_OBJECTS:throng_objects>)

# One copy of every *.lanes.c; which one runs is chosen at run time. Four lanes are for every processor; wider ones are
# named in TH_WIDER_LANES, and TH_WIDER tells the code that they are there.
function(th_add_lanes name width)
  if(NOT TH_LANES)
    return()
  endif()
  add_library(throng_${name} OBJECT ${TH_LANES})
  target_include_directories(throng_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(throng_${name} PRIVATE TH_LANES=${width} TH_ISA=${name})
  target_compile_options(throng_${name} PRIVATE ${ARGN})
  set(TH_OBJECTS ${TH_OBJECTS} $<TARGET_OBJECTS:throng_${name}> PARENT_SCOPE)
  set(TH_LANE_TARGETS ${TH_LANE_TARGETS} throng_${name} PARENT_SCOPE)
endfunction()
th_add_lanes(four 4)
if(TH_WIDER_LANES)
  th_add_lanes(avx2 8 -mavx2)
  th_add_lanes(avx512 16 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512)
endif()

# In the tree everything links the static library (but see TH_INNER), so that tests reach internals. Installed,
# throng::throng is the shared library and throng::throng_static the other.
add_library(throng ${TH_INNER} ${TH_OBJECTS})
set_target_properties(throng PROPERTIES EXPORT_NAME throng_static)
if(TH_INNER STREQUAL SHARED)
  set_target_properties(throng PROPERTIES OUTPUT_NAME throng_inner)
endif()
add_library(throng::throng_static ALIAS throng)
set(TH_BOTH throng)
get_property(shared GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
if(shared AND NOT EMSCRIPTEN)
  add_library(throng_shared SHARED ${TH_OBJECTS})
  set_target_properties(throng_shared PROPERTIES OUTPUT_NAME throng EXPORT_NAME throng VERSION ${PROJECT_VERSION}
                                                 SOVERSION ${PROJECT_VERSION_MAJOR})
  add_library(throng::throng ALIAS throng_shared)
  list(APPEND TH_BOTH throng_shared)
  if(TH_WARNINGS_AS_ERRORS AND NOT TH_SANITIZE)
    target_link_options(throng_shared PRIVATE -Wl,--no-undefined)
  endif()
endif()
if(WIN32) # see TH_API
  foreach(target throng_objects ${TH_LANE_TARGETS})
    target_compile_definitions(${target} PRIVATE TH_BUILDING)
  endforeach()
  target_compile_definitions(throng INTERFACE TH_STATIC)
endif()
foreach(target ${TH_BOTH})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC Threads::Threads m)
endforeach()
