# SPDX-License-Identifier: Apache-2.0
#
# Finds the libraries that heapprof uses; the README says what each is for. A
# static program (HEAPPROF_STATIC) takes the archives (*.a) of the same
# libraries.
set(heapprof_fmt fmt::fmt)
if(HEAPPROF_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  # Debian packages no archive of fmt, whose headers contain all of it.
  set(heapprof_fmt fmt::fmt-header-only)
  # It could not load it.
  set(HEAPPROF_DEBUGINFOD OFF)
endif()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED CONFIG)
find_package(BZip2 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
# Links the lite runtime statically if possible: loading it would cost each run
# half a millisecond.
set(Protobuf_USE_STATIC_LIBS ON)
find_package(Protobuf QUIET)
if(NOT TARGET protobuf::libprotobuf-lite)
  set(Protobuf_USE_STATIC_LIBS OFF)
  find_package(Protobuf REQUIRED)
endif()
pkg_check_modules(libdw REQUIRED IMPORTED_TARGET libdw)
if(HEAPPROF_DEBUGINFOD)
  # Only its headers: the library is loaded when the user asks for it.
  pkg_check_modules(libdebuginfod REQUIRED libdebuginfod)
endif()
pkg_check_modules(libelf REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(liblzma REQUIRED IMPORTED_TARGET liblzma)
pkg_check_modules(libpcre2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(libzstd REQUIRED IMPORTED_TARGET libzstd)
# Only its headers: one file of ours uses it.
find_path(HEAPPROF_TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)
find_library(HEAPPROF_LIBIBERTY iberty REQUIRED)
find_path(HEAPPROF_LIBIBERTY_INCLUDE demangle.h PATH_SUFFIXES libiberty
          REQUIRED)

if(NOT HEAPPROF_STATIC)
  pkg_check_modules(libisal REQUIRED IMPORTED_TARGET libisal)
  return()
endif()

# Debian packages no archive of ISA-L. build_isal.sh builds one from the source
# package, with the version of the headers.
set(HEAPPROF_ISAL ${PROJECT_BINARY_DIR}/isal/libisal.a
    CACHE FILEPATH "The archive of ISA-L")
if(NOT EXISTS ${HEAPPROF_ISAL})
  cmake_path(GET HEAPPROF_ISAL PARENT_PATH folder)
  message(FATAL_ERROR "${HEAPPROF_ISAL} is missing: run "
                      "'scripts/build_isal.sh ${folder}' first")
endif()
pkg_check_modules(libisal REQUIRED libisal)
add_library(PkgConfig::libisal STATIC IMPORTED GLOBAL)
set_target_properties(PkgConfig::libisal PROPERTIES
  IMPORTED_LOCATION ${HEAPPROF_ISAL})

# An archive does not name the libraries that it needs itself.
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
target_link_libraries(PkgConfig::libelf INTERFACE PkgConfig::zlib)
target_link_libraries(PkgConfig::libdw INTERFACE
  PkgConfig::libelf PkgConfig::liblzma BZip2::BZip2)
