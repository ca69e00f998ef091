# Programs of the benchmarks in C++; built when asked for: `cmake --build build/release --target bench_sparse_solver`.
add_executable(bench_sparse_solver EXCLUDE_FROM_ALL bench/sparse_solver.cpp)
target_link_libraries(bench_sparse_solver PRIVATE disc::disc disc_warnings)
if(DISC_WITH_SLEPC)
  add_executable(bench_distributed_solver EXCLUDE_FROM_ALL bench/distributed_solver.cpp)
  target_include_directories(bench_distributed_solver PRIVATE src)
  target_link_libraries(bench_distributed_solver PRIVATE disc::distributed MPI::MPI_C PkgConfig::SLEPC PkgConfig::PETSC)
endif()
