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

# For programs that are not built by CMake: pkg-config --cflags --libs disc (--static where libdisc is an archive). What a static libdisc
# needs is given by name where the linker finds it by name.
set(DISC_PC_LIBS "")
foreach(library ${LAPACKE_LIBRARY} ${OpenBLAS_LIBRARIES} ${ZIP_LIBRARY} ${HDF5_LIBRARIES} ${TIFF_LIBRARIES} ${ZLIB_LIBRARIES})
  if(library MATCHES "/lib([^/]+)\\.(so|a)$")
    list(APPEND DISC_PC_LIBS "-L$<PATH:GET_PARENT_PATH,${library}>" "-l${CMAKE_MATCH_1}")
  elseif(NOT library MATCHES "[<:]")
    list(APPEND DISC_PC_LIBS "-l${library}")
  endif()
endforeach()
list(REMOVE_DUPLICATES DISC_PC_LIBS)
list(JOIN DISC_PC_LIBS " " DISC_PC_LIBS)
configure_file(cmake/disc.pc.in disc.pc.generate @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/disc.pc INPUT ${PROJECT_BINARY_DIR}/disc.pc.generate)
install(FILES ${PROJECT_BINARY_DIR}/disc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
