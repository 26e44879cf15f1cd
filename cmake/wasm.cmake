# WebAssembly by emscripten, as Debian has it. Libraries of build/port/wasm/sysroot lie beside its own.
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY BOTH)
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)

# Questions about the platform are answered by compiling, without a link, which takes emscripten a second each: what they
# ask for, all of its C library has.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
