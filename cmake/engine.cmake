# The engine of pages, apps/page: with emscripten throng.js and throng.wasm for the page, engine.mjs and throng.wasm for the
# npm package, and programs of tests/port for node; else a library for tests, and the native side of port_speed.
file(GLOB TH_PAGE CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/page/*.c)
if(NOT EXISTS ${PROJECT_SOURCE_DIR}/src/io/scene/run/do.c) # what deeds.c calls
  list(FILTER TH_PAGE EXCLUDE REGEX /deeds\\.c$)
endif()
if(TARGET throng_io)
  add_library(throng_page STATIC EXCLUDE_FROM_ALL ${TH_PAGE})
  target_include_directories(throng_page PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/apps/page)
  target_link_libraries(throng_page PUBLIC throng_io PkgConfig::TH_io)
endif()
if(NOT EMSCRIPTEN)
  add_executable(port_speed EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tests/port/speed.c)
  target_link_libraries(port_speed PRIVATE throng_workloads throng_make)
  return()
endif()

# Memory grows, and an allocation that fails gives NULL. -O1 at the link: what optimises scripts wants more than Debian has
# beside it, and the code is optimised before.
set(TH_WASM_LINK -O1 -sALLOW_MEMORY_GROWTH=1 -sABORTING_MALLOC=0 -sMODULARIZE=1 -sEXPORT_NAME=throng_engine)

# th_add_engine(name file option...): the engine as a script and a .wasm of the same name. It gets the bytes of the .wasm as
# wasmBinary; its files are none but in memory, so that a scene which names some gets an error.
function(th_add_engine name file)
  add_executable(${name} ${TH_PAGE})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/apps/page)
  target_link_libraries(${name} PRIVATE throng_io PkgConfig::TH_io)
  get_filename_component(base ${file} NAME_WE)
  get_filename_component(suffix ${file} EXT)
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${base} SUFFIX ${suffix}
                                           RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${name})
  target_link_options(${name} PRIVATE ${TH_WASM_LINK} --no-entry -sENVIRONMENT=web,worker
                      -sEXPORTED_RUNTIME_METHODS=UTF8ToString,stringToUTF8,lengthBytesUTF8
                      -sEXPORTED_FUNCTIONS=_malloc,_free ${ARGN})
endfunction()
th_add_engine(engine throng.js)
th_add_engine(package throng_engine.mjs -sEXPORT_ES6=1 -sUSE_ES6_IMPORT_META=0)

# Programs of tests/port for node, with the files of the machine.
foreach(name golden speed)
  add_executable(port_${name} ${PROJECT_SOURCE_DIR}/tests/port/${name}.c)
  set_target_properties(port_${name} PROPERTIES SUFFIX .mjs)
  target_include_directories(port_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(port_${name} PRIVATE throng_workloads throng_io)
  target_link_options(port_${name} PRIVATE ${TH_WASM_LINK} -sEXPORT_ES6=1 -sNODERAWFS=1 -sENVIRONMENT=node
                      -sEXPORTED_RUNTIME_METHODS=callMain -sINVOKE_RUN=0)
endforeach()
