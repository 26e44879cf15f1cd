# Installation: headers, both libraries, the program, a pkg-config file and a CMake package.
include(CMakePackageConfigHelpers)
set(TH_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/throng)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/throng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING
        PATTERN "*.h")
install(TARGETS throng throng_shared EXPORT throngTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT throngTargets NAMESPACE throng:: DESTINATION ${TH_PACKAGE})
if(TARGET throng_program)
  install(TARGETS throng_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/throngConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/throngConfig.cmake INSTALL_DESTINATION ${TH_PACKAGE})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/throngConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/throngConfig.cmake ${PROJECT_BINARY_DIR}/throngConfigVersion.cmake
        DESTINATION ${TH_PACKAGE})

file(RELATIVE_PATH TH_PREFIX_FROM_PC /from/${CMAKE_INSTALL_LIBDIR}/pkgconfig /from)
configure_file(${PROJECT_SOURCE_DIR}/cmake/throng.pc.in ${PROJECT_BINARY_DIR}/throng.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/throng.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/throng)
