# Examples see what a user sees: the public headers and the library. Those in C++ are built where there is a compiler. They
# are run in release only, so builds with sanitizers leave them out.
file(GLOB TH_EXAMPLES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.c)
file(GLOB TH_EXAMPLES_CXX CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp)
if(PROJECT_IS_TOP_LEVEL AND NOT TH_SANITIZE)
  include(CheckLanguage)
  if(NOT CMAKE_CROSSCOMPILING) # a compiler for this machine would be found
    check_language(CXX)
  endif()
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    list(APPEND TH_EXAMPLES ${TH_EXAMPLES_CXX})
  endif()
  foreach(source ${TH_EXAMPLES})
    get_filename_component(name ${source} NAME)
    string(REPLACE ".cpp" "_cpp" name ${name})
    string(REPLACE ".c" "" name ${name})
    add_executable(example_${name} ${source})
    set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name} CXX_STANDARD 11 CXX_EXTENSIONS OFF
                                                     RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
    target_link_libraries(example_${name} PRIVATE throng)
    list(APPEND TH_EXAMPLE_NAMES ${name})
  endforeach()
endif()
