# WebAssembly by emscripten, as Debian has it.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
