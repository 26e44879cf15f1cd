# Toolchain of the preset windows: Debian's mingw-w64 with Windows' own threads, run by wine. tools/port/windows builds the
# libraries into TH_ROOT.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-win32)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(TH_ROOT ${CMAKE_CURRENT_LIST_DIR}/../build/port/windows/sysroot)
get_filename_component(TH_ROOT ${TH_ROOT} ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${TH_ROOT} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static-libgcc) # no library of gcc beside the result
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static-libgcc)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "")
set(ENV{PKG_CONFIG_LIBDIR} ${TH_ROOT}/lib/pkgconfig)
