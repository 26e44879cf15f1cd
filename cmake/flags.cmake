# Flags that hold for every file that we compile.

# The same bits on every machine: no fused multiply-add behind our back, no reordering.
add_compile_options(-ffp-contract=off -fno-math-errno)
add_compile_options(-Wall -Wextra -Wconversion -Wshadow $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>)

if(MINGW) # isfinite and its like are macros that show a double as a float, and printf is to know C's formats
  add_compile_options(-Wno-float-conversion)
  add_compile_definitions(__USE_MINGW_ANSI_STDIO=1)
endif()

if(EMSCRIPTEN) # four lanes are one register there, too
  add_compile_options(-msimd128)
endif()

# AVX2 and AVX-512 beside the four lanes of every processor. gcc for Windows does not align the stack for such registers.
include(CheckCSourceCompiles)
check_c_source_compiles("#if !defined(__x86_64__) || defined(_WIN32)
#error
#endif
int main(void) { return 0; }" TH_IS_WIDE)
option(TH_WIDER_LANES "Build the lanes of AVX2 and AVX-512, too" ${TH_IS_WIDE})
if(TH_WIDER_LANES)
  add_compile_definitions(TH_WIDER)
endif()

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
