# The module as one file that needs nothing but glibc 2.28 or later, for tools/wheels.sh: all libraries are inside, as static ones, and the
# last step is left to zig's linker, which knows the symbols of every version of glibc. What is linked is what build/release compiled: the
# same instructions as in the program, the same numbers.
#
#   DISC_ZIG     the zig program
#   DISC_PARTS   folder of what tools/static_parts.sh built
set(shim_source ${CMAKE_CURRENT_SOURCE_DIR}/../cmake/old_glibc.c)
set(shim ${CMAKE_CURRENT_BINARY_DIR}/old_glibc.o)
set(old_glibc -target ${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu.2.28)

# In the order in which they need each other.
set(libraries $<TARGET_FILE:disc::disc>)
foreach(name lapacke openblas)
  find_library(static_${name} NAMES lib${name}.a REQUIRED)
  list(APPEND libraries ${static_${name}})
endforeach()
foreach(name gfortran quadmath)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${name}.a OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE file)
  list(APPEND libraries ${file})
endforeach()
list(APPEND libraries ${DISC_PARTS}/libzip.a ${DISC_PARTS}/libhdf5.a ${DISC_PARTS}/libtiff.a)
foreach(name sz aec z)
  find_library(static_${name} NAMES lib${name}.a REQUIRED)
  list(APPEND libraries ${static_${name}})
endforeach()
foreach(name stdc++ gcc)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=lib${name}.a OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE file)
  list(APPEND libraries ${file})
endforeach()

file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/exported.txt CONTENT "{ global: PyInit__core; local: *; };\n")
add_custom_command(OUTPUT ${shim}
  COMMAND ${DISC_ZIG} cc ${old_glibc} -O2 -fPIC -c ${shim_source} -o ${shim}
  DEPENDS ${shim_source} VERBATIM)

function(disc_portable_module target)
  get_target_property(include disc::disc INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(${target} SYSTEM PRIVATE ${include} ${eigen})
  target_sources(${target} PRIVATE ${shim})
  set_source_files_properties(${shim} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_link_libraries(${target} PRIVATE ${libraries})
endfunction()

list(JOIN old_glibc " " old_glibc)
set(CMAKE_CXX_CREATE_SHARED_MODULE "${DISC_ZIG} c++ ${old_glibc} -nostdlib++ -shared -s -Wl,-z,relro,-z,now -Wl,--gc-sections -Wl,--version-script=${CMAKE_CURRENT_BINARY_DIR}/exported.txt -o <TARGET> <OBJECTS> <LINK_LIBRARIES> -lunwind -lm -lpthread -ldl")
