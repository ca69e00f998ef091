# What turns a memory error that a damaged file provokes into an end of the program instead of something worse. Costs and reasons:
# docs/decisions. The builds with sanitizers find more and do not go together with it.
add_library(disc_hardening INTERFACE)
if(CMAKE_BUILD_TYPE STREQUAL Release AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(disc_hardening INTERFACE -fstack-protector-strong)
  target_compile_definitions(disc_hardening INTERFACE _FORTIFY_SOURCE=2)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|aarch64")
    target_compile_options(disc_hardening INTERFACE -fstack-clash-protection)
  endif()
  # Addresses of functions are looked up at the start and cannot be changed afterwards.
  target_link_options(disc_hardening INTERFACE -Wl,-z,relro,-z,now)
endif()
target_link_libraries(disc PRIVATE $<BUILD_INTERFACE:disc_hardening>)
