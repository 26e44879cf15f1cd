# WebAssembly: golden.mjs, which runs the golden file in node (tests/port/golden.c). tools/port/wasm configures and builds.
if(NOT EMSCRIPTEN)
  return()
endif()

# Memory grows, and an allocation that fails gives NULL. -O1 at the link: its optimiser of scripts wants more than Debian
# has beside it, and the code itself is optimised before.
set(TH_WASM_LINK -O1 -sALLOW_MEMORY_GROWTH=1 -sABORTING_MALLOC=0 -sMODULARIZE=1 -sEXPORT_ES6=1)

add_executable(golden ${PROJECT_SOURCE_DIR}/tests/port/golden.c)
set_target_properties(golden PROPERTIES SUFFIX .mjs)
target_include_directories(golden PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(golden PRIVATE throng_workloads throng_io)
target_link_options(golden PRIVATE ${TH_WASM_LINK} -sNODERAWFS=1 -sENVIRONMENT=node -sEXPORTED_RUNTIME_METHODS=callMain
                    -sINVOKE_RUN=0)
