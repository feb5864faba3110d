# SPDX-License-Identifier: Apache-2.0
#
# What a program without shared libraries links instead of them. Debian has no
# static libraries of fmt and ISA-L: fmt's headers contain all of it, and
# scripts/build_isal.sh builds ISA-L from Debian's source package.
set(heapprof_fmt fmt::fmt-header-only)

if(NOT EXISTS ${HEAPPROF_ISAL})
  cmake_path(GET HEAPPROF_ISAL PARENT_PATH folder)
  message(FATAL_ERROR "${HEAPPROF_ISAL} is missing: run "
                      "'scripts/build_isal.sh ${folder}' first")
endif()
add_library(PkgConfig::libisal STATIC IMPORTED)
set_target_properties(PkgConfig::libisal PROPERTIES
  IMPORTED_LOCATION ${HEAPPROF_ISAL})

# build_isal.sh takes the version of the headers' package.
pkg_check_modules(libisal QUIET libisal)

# A shared library names the libraries that it needs itself.
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
target_link_libraries(PkgConfig::libelf INTERFACE PkgConfig::zlib)
target_link_libraries(PkgConfig::libdw INTERFACE
  PkgConfig::libelf PkgConfig::liblzma BZip2::BZip2)
