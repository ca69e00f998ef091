# disc_static: the program as one file that needs no other, for tools/archive_linux.sh and tools/wheels.sh; the objects are those of the other
# program. Libraries are Debian's, but for libzip, HDF5 and libtiff (tools/static_parts.sh).
set(parts ${PROJECT_SOURCE_DIR}/build/parts/system/lib)
option(DISC_STATIC "Offer the target disc_static" OFF)
if(NOT DISC_STATIC)
  return()
endif()
foreach(name lapacke openblas sz aec z)
  find_library(DISC_STATIC_${name} NAMES lib${name}.a REQUIRED)
endforeach()
# Never with MPI, whatever the other program has.
add_library(disc_one_machine STATIC EXCLUDE_FROM_ALL src/distributed/not_compiled.cpp)
target_include_directories(disc_one_machine PRIVATE src include)
target_link_libraries(disc_one_machine PRIVATE Eigen3::Eigen)
add_executable(disc_static EXCLUDE_FROM_ALL $<TARGET_OBJECTS:disc_program>)
add_dependencies(disc_static disc)
target_link_options(disc_static PRIVATE -static -s)
target_link_libraries(disc_static PRIVATE disc_one_machine $<TARGET_FILE:disc> ${DISC_STATIC_lapacke} ${DISC_STATIC_openblas} ${parts}/libzip.a
  ${parts}/libhdf5.a ${parts}/libtiff.a ${DISC_STATIC_sz} ${DISC_STATIC_aec} ${DISC_STATIC_z} gfortran quadmath m dl Threads::Threads)
set_target_properties(disc_static PROPERTIES LINKER_LANGUAGE CXX)
