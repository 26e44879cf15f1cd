# Installation: headers, libraries, the program, pkg-config files and a CMake package. The package always offers
# throng::throng and throng::throng_static; the libraries around the core come as components, throng::make,
# throng::published, throng::io and throng::report, because they need the static core and other libraries: find_package(throng COMPONENTS io report).
include(CMakePackageConfigHelpers)
set(TH_PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/throng)
set(TH_PKGCONFIG ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH TH_PREFIX_FROM_PC /from/${TH_PKGCONFIG} /from)
string(REGEX REPLACE "/$" "" TH_PREFIX_FROM_PC ${TH_PREFIX_FROM_PC})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/throng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING
        PATTERN "*.h")
# What users read, laid out as in the tree so that links work; pages for developers (conformance, mutations) stay there, and
# so does the laboratory: links to what stays become plain text. The schema has a place of its own, where editors are pointed to.
set(TH_DOC ${CMAKE_INSTALL_DATADIR}/doc/throng)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${TH_DOC})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${TH_DOC} FILES_MATCHING PATTERN "*.md" PATTERN "*.png"
        PATTERN "conformance*" EXCLUDE PATTERN "mutations.md" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${TH_DOC})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${TH_DOC})
install(CODE "execute_process(COMMAND bash ${PROJECT_SOURCE_DIR}/tools/install_pages
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${TH_DOC}\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${PROJECT_SOURCE_DIR}/scenes/schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/throng)
install(TARGETS ${TH_BOTH} EXPORT throngTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}) # Windows' DLL
install(EXPORT throngTargets NAMESPACE throng:: DESTINATION ${TH_PACKAGE})
configure_file(${PROJECT_SOURCE_DIR}/cmake/throng.pc.in ${PROJECT_BINARY_DIR}/throng.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/throng.pc DESTINATION ${TH_PKGCONFIG})
if(TARGET throng_program)
  # The page of `throng view`, when ./dev page has built it.
  install(FILES ${PROJECT_SOURCE_DIR}/build/page/throng.html DESTINATION ${CMAKE_INSTALL_DATADIR}/throng OPTIONAL)
  if(NOT CMAKE_CROSSCOMPILING) # the program writes its own manual
    install(CODE "set(pages \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")
      file(MAKE_DIRECTORY \"\${pages}\")
      execute_process(COMMAND $<TARGET_FILE:throng_program> help --man OUTPUT_FILE \"\${pages}/throng.1\"
                      COMMAND_ERROR_IS_FATAL ANY)")
  endif()
  install(TARGETS throng_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(TH_COMPONENTS "")
set(TH_WANTS "")
foreach(name ${TH_AROUND})
  install(TARGETS throng_${name} EXPORT throng_${name}Targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT throng_${name}Targets NAMESPACE throng:: DESTINATION ${TH_PACKAGE})
  string(REPLACE ";" " " TH_PART_MODULES "${TH_MODULES_${name}}")
  string(REPLACE ";" " " TH_PART_NEEDS "${TH_NEEDS_${name}}")
  string(APPEND TH_COMPONENTS "th_component(${name} ${TH_PART_MODULES})\n")
  string(PREPEND TH_WANTS "th_wants(${name} ${TH_PART_NEEDS})\n")
  set(TH_PART ${name})
  list(TRANSFORM TH_NEEDS_${name} PREPEND throng_ OUTPUT_VARIABLE required)
  list(JOIN required " " TH_PART_REQUIRED)
  string(APPEND TH_PART_REQUIRED " ${TH_PART_MODULES}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/throng_part.pc.in ${PROJECT_BINARY_DIR}/throng_${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/throng_${name}.pc DESTINATION ${TH_PKGCONFIG})
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/throngConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/throngConfig.cmake INSTALL_DESTINATION ${TH_PACKAGE})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/throngConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/throngConfig.cmake ${PROJECT_BINARY_DIR}/throngConfigVersion.cmake
        DESTINATION ${TH_PACKAGE})
