# Installs the library so that find_package(disc) gives disc::disc, and the program.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS disc EXPORT discTargets)
install(TARGETS disc_distributed EXPORT discDistributedTargets)
if(TARGET disc_program)
  install(TARGETS disc_program)
endif()
install(DIRECTORY include/disc TYPE INCLUDE)
install(EXPORT discTargets NAMESPACE disc:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/disc)
install(EXPORT discDistributedTargets NAMESPACE disc:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/disc)

configure_package_config_file(cmake/discConfig.cmake.in discConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/disc)
write_basic_package_version_file(discConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/discConfig.cmake ${PROJECT_BINARY_DIR}/discConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/disc)
