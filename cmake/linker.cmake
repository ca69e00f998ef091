# Every test program links the whole library, with the code of the sanitizers several times its size: a quick linker where there is one.
# What users get is linked as the compiler does by itself.
if(NOT CMAKE_BUILD_TYPE STREQUAL Release)
  include(CheckLinkerFlag)
  foreach(linker mold lld gold)
    check_linker_flag(CXX -fuse-ld=${linker} DISC_HAS_LINKER_${linker})
    if(DISC_HAS_LINKER_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()
