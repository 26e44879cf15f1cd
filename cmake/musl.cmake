# Toolchain of the preset musl: the same processor, another C library. tools/port/musl builds cmocka into TH_ROOT.
set(CMAKE_C_COMPILER musl-gcc)
set(TH_ROOT ${CMAKE_CURRENT_LIST_DIR}/../build/port/musl/sysroot)
get_filename_component(TH_ROOT ${TH_ROOT} ABSOLUTE)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "")
set(ENV{PKG_CONFIG_LIBDIR} ${TH_ROOT}/lib/pkgconfig)
