# Flags that hold for every file that we compile.

# The same bits on every machine: no fused multiply-add behind our back, no reordering.
add_compile_options(-ffp-contract=off -fno-math-errno)
add_compile_options(-Wall -Wextra -Wconversion -Wshadow $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>)
add_compile_definitions(_GNU_SOURCE)

if(TH_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()

if(TH_SANITIZE)
  add_compile_options(-fsanitize=${TH_SANITIZE} -fno-omit-frame-pointer -g1) # traces need lines, not variables
  add_link_options(-fsanitize=${TH_SANITIZE})
  if(TH_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

if(TH_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TH_FUZZ needs clang (libFuzzer); found ${CMAKE_C_COMPILER_ID}")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
