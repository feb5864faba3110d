# SPDX-License-Identifier: Apache-2.0
#
# Finds the libraries that heapprof uses; the README says what each is for, and
# which can be switched off. A static program (HEAPPROF_STATIC) takes the
# archives (*.a) of the same libraries.

# heapprof_optional(NAME LIBRARY LOSS): makes the option HEAPPROF_NAME. Without
# the library, other files are compiled (see io/CMakeLists.txt), and LOSS says
# what users go without; `heapprof --version` prints it.
set(heapprof_losses "")
function(heapprof_optional name library loss)
  option(HEAPPROF_${name} "Use ${library}; without: ${loss}" ON)
  if(NOT HEAPPROF_${name})
    message(STATUS "Without ${library} (HEAPPROF_${name}=OFF): ${loss}")
    set(heapprof_losses "${heapprof_losses}without ${library}: ${loss}\n"
        PARENT_SCOPE)
  endif()
endfunction()

if(HEAPPROF_STATIC)
  set(HEAPPROF_DEBUGINFOD OFF)  # a static program cannot load it
endif()
heapprof_optional(BOOST Boost
  "intervals and the indexes of binaries take longer")
heapprof_optional(BZIP2 bzip2 "bzip2 files cannot be read")
heapprof_optional(DEBUGINFOD libdebuginfod "--debuginfod cannot be used")
heapprof_optional(ISAL ISA-L "zlib does its work, in two to three times the time")
heapprof_optional(JSON nlohmann-json
  "reports in JSON and HTML cannot be written, nor jemalloc's stats in JSON be read")
heapprof_optional(LIBIBERTY libiberty "names of C++ and Rust stay mangled")
heapprof_optional(LZMA liblzma
  "xz files and symbols in .gnu_debugdata cannot be read")
heapprof_optional(PCRE2 PCRE2
  "patterns are plain text, and built-in groups cannot be used")
heapprof_optional(TOML toml++
  "files of budgets and groups, and built-in groups, cannot be used")
heapprof_optional(ZSTD zstd
  "zstd files and debug sections packed with zstd cannot be read")

# heapprof_found(FOUND LIBRARY PACKAGE [NAME]): notes what is missing, unless
# FOUND is true. PACKAGE is Debian's; HEAPPROF_NAME switches the library off.
set(heapprof_missing "")
function(heapprof_found found library package)
  if(found)
    return()
  endif()
  set(line "${library} (Debian: ${package})")
  if(ARGN)
    string(APPEND line ", or do without: -DHEAPPROF_${ARGN}=OFF")
  endif()
  set(heapprof_missing "${heapprof_missing}\n  ${line}" PARENT_SCOPE)
endfunction()

set(heapprof_fmt fmt::fmt)
if(HEAPPROF_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  # Debian packages no archive of fmt, whose headers contain all of it.
  set(heapprof_fmt fmt::fmt-header-only)
endif()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(CLI11 QUIET)
heapprof_found("${CLI11_FOUND}" CLI11 libcli11-dev)
find_package(fmt QUIET)
heapprof_found("${fmt_FOUND}" fmt libfmt-dev)
# Links the lite runtime statically if possible: loading it would cost each run
# half a millisecond.
set(Protobuf_USE_STATIC_LIBS ON)
find_package(Protobuf QUIET)
if(NOT TARGET protobuf::libprotobuf-lite)
  set(Protobuf_USE_STATIC_LIBS OFF)
  find_package(Protobuf QUIET)
endif()
heapprof_found("${Protobuf_FOUND}" protobuf libprotobuf-dev)
pkg_check_modules(libelf QUIET IMPORTED_TARGET libelf)
heapprof_found("${libelf_FOUND}" libelf libelf-dev)
pkg_check_modules(libdw QUIET IMPORTED_TARGET libdw)
heapprof_found("${libdw_FOUND}" libdw libdw-dev)

if(HEAPPROF_BOOST)
  find_package(Boost 1.74 QUIET CONFIG)
  heapprof_found("${Boost_FOUND}" "Boost 1.74" libboost-math-dev BOOST)
endif()
if(HEAPPROF_BZIP2)
  find_package(BZip2 QUIET)
  heapprof_found("${BZIP2_FOUND}" bzip2 libbz2-dev BZIP2)
endif()
if(HEAPPROF_DEBUGINFOD)
  # Only its headers: the library is loaded when the user asks for it.
  pkg_check_modules(libdebuginfod QUIET libdebuginfod)
  heapprof_found("${libdebuginfod_FOUND}" libdebuginfod libdebuginfod-dev
                 DEBUGINFOD)
endif()
if(HEAPPROF_ISAL)
  pkg_check_modules(libisal QUIET IMPORTED_TARGET libisal)
  heapprof_found("${libisal_FOUND}" ISA-L libisal-dev ISAL)
endif()
if(HEAPPROF_JSON)
  find_package(nlohmann_json QUIET)
  heapprof_found("${nlohmann_json_FOUND}" nlohmann-json nlohmann-json3-dev JSON)
endif()
if(HEAPPROF_LIBIBERTY)
  find_library(HEAPPROF_LIBIBERTY_ARCHIVE iberty)
  find_path(HEAPPROF_LIBIBERTY_INCLUDE demangle.h PATH_SUFFIXES libiberty)
  set(found OFF)
  if(HEAPPROF_LIBIBERTY_ARCHIVE AND HEAPPROF_LIBIBERTY_INCLUDE)
    set(found ON)
  endif()
  heapprof_found(${found} libiberty libiberty-dev LIBIBERTY)
endif()
if(HEAPPROF_LZMA)
  pkg_check_modules(liblzma QUIET IMPORTED_TARGET liblzma)
  heapprof_found("${liblzma_FOUND}" liblzma liblzma-dev LZMA)
endif()
if(HEAPPROF_PCRE2)
  pkg_check_modules(libpcre2 QUIET IMPORTED_TARGET libpcre2-8)
  heapprof_found("${libpcre2_FOUND}" PCRE2 libpcre2-dev PCRE2)
endif()
if(HEAPPROF_TOML)
  # Only its headers: one file of ours includes it.
  find_path(HEAPPROF_TOMLPLUSPLUS_INCLUDE toml++/toml.h)
  heapprof_found("${HEAPPROF_TOMLPLUSPLUS_INCLUDE}" toml++ libtomlplusplus-dev
                 TOML)
endif()
if(HEAPPROF_ZSTD)
  pkg_check_modules(libzstd QUIET IMPORTED_TARGET libzstd)
  heapprof_found("${libzstd_FOUND}" zstd libzstd-dev ZSTD)
endif()
if(HEAPPROF_STATIC OR NOT HEAPPROF_ISAL)
  pkg_check_modules(zlib QUIET IMPORTED_TARGET zlib)
  heapprof_found("${zlib_FOUND}" zlib zlib1g-dev)
endif()
if(heapprof_missing)
  message(FATAL_ERROR "These libraries are missing:${heapprof_missing}")
endif()

if(NOT HEAPPROF_STATIC)
  return()
endif()

# An archive does not name the libraries that it needs itself.
target_link_libraries(PkgConfig::libelf INTERFACE PkgConfig::zlib)
target_link_libraries(PkgConfig::libdw INTERFACE PkgConfig::libelf lzma bz2)

# Debian packages no archive of ISA-L. build_isal.sh builds one from the source
# package, with the version of the headers.
if(HEAPPROF_ISAL)
  set(HEAPPROF_ISAL_ARCHIVE ${PROJECT_BINARY_DIR}/isal/libisal.a
      CACHE FILEPATH "The archive of ISA-L")
  if(NOT EXISTS ${HEAPPROF_ISAL_ARCHIVE})
    cmake_path(GET HEAPPROF_ISAL_ARCHIVE PARENT_PATH folder)
    message(FATAL_ERROR "${HEAPPROF_ISAL_ARCHIVE} is missing: run "
                        "'scripts/build_isal.sh ${folder}' first")
  endif()
  set_target_properties(PkgConfig::libisal PROPERTIES
    INTERFACE_LINK_LIBRARIES ${HEAPPROF_ISAL_ARCHIVE})
endif()
