# The core library: every layer below io. It links libc, libm and threads only.
find_package(Threads REQUIRED)

set(TH_LAYERS base geometry ground relax field view guide model group world)
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

add_library(throng_objects OBJECT ${TH_CORE})
target_include_directories(throng_objects PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
set(TH_OBJECTS $<TARGET_OBJECTS:throng_objects>)

# One copy of every *.lanes.c; which one runs is chosen at run time.
function(th_add_lanes name width)
  if(NOT TH_LANES)
    return()
  endif()
  add_library(throng_${name} OBJECT ${TH_LANES})
  target_include_directories(throng_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(throng_${name} PRIVATE TH_LANES=${width} TH_ISA=${name})
  target_compile_options(throng_${name} PRIVATE ${ARGN})
  set(TH_OBJECTS ${TH_OBJECTS} $<TARGET_OBJECTS:throng_${name}> PARENT_SCOPE)
endfunction()
th_add_lanes(sse2 4 -msse2)
th_add_lanes(avx2 8 -mavx2)
th_add_lanes(avx512 16 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512)

# In the tree everything links the static library, so that tests reach internals. Installed, throng::throng is the
# shared library and throng::throng_static the other.
add_library(throng STATIC ${TH_OBJECTS})
set_target_properties(throng PROPERTIES EXPORT_NAME throng_static)
add_library(throng_shared SHARED ${TH_OBJECTS})
set_target_properties(throng_shared PROPERTIES OUTPUT_NAME throng EXPORT_NAME throng VERSION ${PROJECT_VERSION}
                                               SOVERSION ${PROJECT_VERSION_MAJOR})
add_library(throng::throng ALIAS throng_shared)
add_library(throng::throng_static ALIAS throng)
if(TH_WARNINGS_AS_ERRORS AND NOT TH_SANITIZE)
  target_link_options(throng_shared PRIVATE -Wl,--no-undefined)
endif()
if(WIN32) # see TH_API
  foreach(target throng_objects throng_sse2 throng_avx2 throng_avx512)
    target_compile_definitions(${target} PRIVATE TH_BUILDING)
  endforeach()
  target_compile_definitions(throng INTERFACE TH_STATIC)
endif()
foreach(target throng throng_shared)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PUBLIC Threads::Threads m)
endforeach()
