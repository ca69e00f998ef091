# The engine for several machines, disc::distributed, in a library of its own: what does not use it needs no MPI. Without
# DISC_WITH_SLEPC the library says that the engine is missing.
if(DISC_WITH_SLEPC)
  find_package(MPI REQUIRED COMPONENTS C)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(PETSC REQUIRED IMPORTED_TARGET PETSc)
  pkg_check_modules(SLEPC REQUIRED IMPORTED_TARGET slepc)
  file(GLOB DISTRIBUTED_SOURCES CONFIGURE_DEPENDS src/distributed/*.cpp)
  list(FILTER DISTRIBUTED_SOURCES EXCLUDE REGEX "/not_compiled.cpp$")
else()
  set(DISTRIBUTED_SOURCES src/distributed/not_compiled.cpp)
endif()

add_library(disc_distributed ${DISTRIBUTED_SOURCES})
add_library(disc::distributed ALIAS disc_distributed)
set_target_properties(disc_distributed PROPERTIES EXPORT_NAME distributed)
target_include_directories(disc_distributed PRIVATE src ${OpenBLAS_INCLUDE_DIRS})
target_link_libraries(disc_distributed PUBLIC disc::disc PRIVATE $<BUILD_INTERFACE:disc_warnings> $<BUILD_INTERFACE:disc_hardening>)
if(DISC_WITH_SLEPC)
  # MPI's C++ interface of old would be one more library to link.
  target_compile_definitions(disc_distributed PUBLIC OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_precompile_headers(disc_distributed PRIVATE <Eigen/Dense> <Eigen/SparseCore> <functional> <random> <span> <string> <vector>)
  target_link_libraries(disc_distributed PRIVATE MPI::MPI_C PkgConfig::SLEPC PkgConfig::PETSC)
endif()
